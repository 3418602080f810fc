import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { changesSince, documents, generate, generatedFolders } from './generate.ts';

const fresh = mkdtempSync(join(tmpdir(), 'contracts-'));
afterAll(() => rmSync(fresh, { recursive: true, force: true }));

function readAll(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path): [string, string] => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

describe('the generated contract files', () => {
  test('are what the hand-written ones give: otherwise run `npm run generate` and commit the result', async () => {
    const folders = { contracts: join(fresh, 'contracts'), sdk: join(fresh, 'sdk') };
    await generate(folders);
    for (const part of ['contracts', 'sdk'] as const) {
      const wanted = readAll(folders[part]);
      const kept = readAll(generatedFolders[part]);
      expect([...kept.keys()]).toEqual([...wanted.keys()]);
      for (const [path, text] of wanted) expect({ path, text: kept.get(path) }).toEqual({ path, text });
    }
  });
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
