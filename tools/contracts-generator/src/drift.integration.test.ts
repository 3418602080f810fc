import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { generate, generatedFolder } from './generate.ts';

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
    await generate(fresh);
    const wanted = readAll(fresh);
    const kept = readAll(generatedFolder);
    expect([...kept.keys()]).toEqual([...wanted.keys()]);
    for (const [path, text] of wanted) expect({ path, text: kept.get(path) }).toEqual({ path, text });
  });
});
