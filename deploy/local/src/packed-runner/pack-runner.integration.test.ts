import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { packRunner, runnerEntry } from './index.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rapporteur-pack-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function source(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/** A runner of two files and one page script of two. */
async function smallRunner(): Promise<void> {
  await source('apps/bot-runner/src/main.ts', "import { script } from './script.ts';\nconsole.log(script);\n");
  await source(
    'apps/bot-runner/src/script.ts',
    "export const script: unknown = new URL('./door.page.ts', import.meta.url);\n",
  );
  await source(
    'apps/bot-runner/src/door.page.ts',
    "import { word } from './word.page.ts';\nexport function install(): void { console.log(word); }\n",
  );
  await source('apps/bot-runner/src/word.page.ts', "export const word: string = 'first';\n");
}

describe('packing the runner', () => {
  test('puts page scripts inside, and is done again only when one of its files has changed', async () => {
    await smallRunner();
    const first = await packRunner(root);
    expect(await readFile(first, 'utf8')).toContain("const word         = 'first';");
    expect(await packRunner(root)).toBe(first);
    await source('apps/bot-runner/src/word.page.ts', "export const word: string = 'second';\n");
    const second = await packRunner(root);
    expect(second).not.toBe(first);
    expect(await readFile(second, 'utf8')).toContain('second');
    // Bots that run still have theirs.
    expect(await readFile(first, 'utf8')).toContain('first');
  });

  test('keeps the last three, and nothing half-made', async () => {
    await smallRunner();
    for (const word of ['a', 'b', 'c', 'd']) {
      await source('apps/bot-runner/src/word.page.ts', `export const word: string = '${word}';\n`);
      await packRunner(root);
    }
    const names = await readdir(join(root, 'node_modules/.cache/rapporteur-packed-runner'));
    expect(names).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('making-'))).toEqual([]);
  });

  test('refuses a page script that it cannot put inside', async () => {
    await smallRunner();
    await source(
      'apps/bot-runner/src/script.ts',
      "const base = import.meta.url;\nexport const script: unknown = new URL('./door.page.ts', base);\n",
    );
    await expect(packRunner(root)).rejects.toThrow(/names a page script in another way/);
  });

  test('that fails is told, and bots start from the sources', async () => {
    const said: string[] = [];
    expect(await runnerEntry(root, (text) => said.push(text))).toBe(join(root, 'apps/bot-runner/src/main.ts'));
    expect(said).toEqual([expect.stringMatching(/^Bots start from the sources, each a little later: .*main\.ts/)]);
  });
});
