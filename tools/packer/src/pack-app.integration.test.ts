import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { apps, buildApps, packApp } from './index.ts';

const run = promisify(execFile);
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

describe('packing an app', () => {
  test('puts page scripts inside, and is done again only when one of its files has changed', async () => {
    await smallRunner();
    const first = await packApp(root, 'bot-runner');
    expect(await readFile(first, 'utf8')).toMatch(/word = .*first/);
    expect(await packApp(root, 'bot-runner')).toBe(first);
    await source('apps/bot-runner/src/word.page.ts', "export const word: string = 'second';\n");
    const second = await packApp(root, 'bot-runner');
    expect(second).not.toBe(first);
    expect(await readFile(second, 'utf8')).toContain('second');
    // Running bots still have theirs.
    expect(await readFile(first, 'utf8')).toContain('first');
  });

  test('takes along the folders that a tool names beside its sources, and the files in them count', async () => {
    await source('apps/small/src/main.ts', "console.log('small');\n");
    await source('tools/simulator/src/main.ts', "import { folder } from './pages/pages.ts';\nconsole.log(folder);\n");
    await source(
      'tools/simulator/src/pages/pages.ts',
      "import { join } from 'node:path';\nexport const folder = join(import.meta.dirname, 'site');\n",
    );
    await source('tools/simulator/src/pages/site/inner/page.html', 'first');
    const dist = join(root, 'dist');
    expect(await buildApps(root, dist, ['simulator'])).toEqual(['simulator']);
    const { stdout } = await run(process.execPath, [join(dist, 'simulator/main.js')]);
    expect(stdout.trim()).toBe(join(dist, 'simulator/pages/site'));
    expect(await readFile(join(dist, 'simulator/pages/site/inner/page.html'), 'utf8')).toBe('first');
    await source('tools/simulator/src/pages/site/inner/page.html', 'second');
    await buildApps(root, dist, ['simulator']);
    expect(await readFile(join(dist, 'simulator/pages/site/inner/page.html'), 'utf8')).toBe('second');
    await expect(buildApps(root, dist, ['nothing'])).rejects.toThrow(
      'There is no nothing: choose of small, simulator.',
    );
  });

  test('keeps the last three, and nothing half-made', async () => {
    await smallRunner();
    for (const word of ['a', 'b', 'c', 'd']) {
      await source('apps/bot-runner/src/word.page.ts', `export const word: string = '${word}';\n`);
      await packApp(root, 'bot-runner');
    }
    const names = await readdir(join(root, 'node_modules/.cache/rapporteur-packed/bot-runner'));
    expect(names).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('making-'))).toEqual([]);
  });

  test('refuses a page script that it cannot put inside', async () => {
    await smallRunner();
    await source(
      'apps/bot-runner/src/script.ts',
      "const base = import.meta.url;\nexport const script: unknown = new URL('./door.page.ts', base);\n",
    );
    await expect(packApp(root, 'bot-runner')).rejects.toThrow(/names a page script in another way/);
  });

  test('that cannot be packed names what is wrong, and leaves nothing behind', async () => {
    await source('apps/broken/src/main.ts', "import './missing.ts';\n");
    await expect(packApp(root, 'broken')).rejects.toThrow('./missing.ts');
    expect(await readdir(join(root, 'node_modules/.cache/rapporteur-packed/broken'))).toEqual([]);
  });
});

test('a module that declares the names of CommonJS for itself runs, also in a file of its own', async () => {
  const own = "let __filename = 'own name', __dirname = 'own folder';\n";
  await source('apps/small/src/own.ts', `${own}export const names: string = __filename + __dirname;\n`);
  await source('apps/small/src/common.cjs', 'module.exports = __dirname;\n');
  const main = "import folder from './common.cjs';\nconsole.log((await import('./own.ts')).names, folder);\n";
  await source('apps/small/src/main.ts', main);
  await buildApps(root, join(root, 'dist'), ['small']);
  const { stdout } = await run(process.execPath, [join(root, 'dist/small/main.js')]);
  expect(stdout.trim()).toBe(`own nameown folder ${join(root, 'dist/small')}`);
});

describe('building every app', () => {
  test('gives the same bytes for the same files, and only what belongs to the app', async () => {
    await smallRunner();
    await source('apps/small-service/src/main.ts', "await import('node:fs');\nconsole.log('service');\n");
    await source('apps/no-app/README.md', 'Nothing to run.\n');
    expect(await apps(root)).toEqual(['bot-runner', 'small-service']);
    const build = async (): Promise<Record<string, string>> => {
      await rm(join(root, 'node_modules'), { recursive: true, force: true });
      await buildApps(root, join(root, 'dist'));
      const names = (await readdir(join(root, 'dist'), { recursive: true })).filter((name) => /\.js/.test(name));
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await readFile(join(root, 'dist', name), 'utf8')] as const)),
      );
    };
    await source('dist/small-service/left-from-before.js', '');
    const first = await build();
    expect(Object.keys(first).sort()).toEqual(
      ['bot-runner', 'small-service'].flatMap((app) => [`${app}/main.js`, `${app}/package.json`]),
    );
    expect(await build()).toEqual(first);
  });
});
