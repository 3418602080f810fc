import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findBreaks, findLifted, surfaceOf } from './compatibility.ts';
import { documents, generate, generatedFolders, readSurface } from './generate.ts';

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

describe('the public documents', () => {
  // To break compatibility on purpose, before a release only: delete libs/contracts/compatibility/<name>.json, then
  // `npm run generate`.
  test.each(documents)('%s breaks no client: what was there stays, and nothing new is demanded of them', (name) => {
    const now = surfaceOf(JSON.parse(readFileSync(join(generatedFolders.contracts, `${name}.json`), 'utf8')));
    const kept = readSurface(name) ?? { promises: [], demands: [], limits: [] };
    expect(findBreaks(kept, now)).toEqual([]);
    // To lift a limit on purpose, remove its line from the same file, then `npm run generate`.
    expect(findLifted(kept, now)).toEqual([]);
    // Otherwise run `npm run generate`: additions are recorded, so that they are kept from then on.
    expect(kept).toEqual(now);
  });
});
