import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { changesSince, documents, generate, generatedFolders } from './generate.ts';

const fresh = mkdtempSync(join(tmpdir(), 'contracts-'));
afterAll(() => rmSync(fresh, { recursive: true, force: true }));

test('the generated contract files are what the hand-written ones give: otherwise run `npm run generate`', async () => {
  const folders = { contracts: join(fresh, 'contracts'), sdk: join(fresh, 'sdk') };
  mkdirSync(folders.contracts);
  writeFileSync(join(folders.contracts, '.sources'), 'of other sources');
  await generate(folders);
  expect(readdirSync(folders.contracts)).not.toContain('.sources');
  for (const part of ['contracts', 'sdk'] as const) {
    const files = readdirSync(folders[part], { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.(ts|json)$/.test(path),
    );
    expect(files).not.toEqual([]);
    for (const path of files) {
      const [again, kept] = [folders, generatedFolders].map((all) => readFileSync(join(all[part], path), 'utf8'));
      expect({ path, text: kept }).toEqual({ path, text: again });
    }
  }
});

test('a release is compared with the documents of an earlier one', () => {
  const earlier = join(fresh, 'earlier');
  mkdirSync(earlier);
  for (const name of documents) {
    const document = JSON.parse(readFileSync(join(generatedFolders.contracts, `${name}.json`), 'utf8')) as {
      paths: Record<string, unknown>;
    };
    if (name === 'public.v2')
      document.paths['/v2/removed'] = { get: { responses: { '204': { description: 'Done' } } } };
    writeFileSync(join(earlier, `${name}.json`), JSON.stringify(document));
  }
  expect(changesSince(generatedFolders.contracts, generatedFolders.contracts)).toEqual([]);
  expect(changesSince(earlier, generatedFolders.contracts)).toEqual([
    'public.v2: gone: GET /v2/removed',
    'public.v2: gone: GET /v2/removed: answers 204',
  ]);
});
