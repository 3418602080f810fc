import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { leanPlaywright, librariesName } from './lean-playwright.ts';
import { pageScriptsInside } from './page-scripts-inside.ts';

/** What a packed runner was made of: the path of each file below the root, and the hash of what it held. */
type Ingredients = Readonly<Record<string, string>>;

const manifestName = 'made-of.json';
const entryName = 'main.js';
/** Runs of an older scheduler may still load from theirs. */
const packsKept = 3;

/**
 * The bot-runner as plain JavaScript, with everything it needs beside Node itself, made anew only when a source has
 * changed. A bot that starts from it is in its meeting sooner: nothing is looked up, stripped of types or read twice.
 *
 * @returns the file to start
 * @throws Error when it cannot be made; the runner's own `src/main.ts` does the same more slowly
 */
export async function packRunner(root: string): Promise<string> {
  // Resolving packages from there finds those of the repository.
  const shelf = join(root, 'node_modules', '.cache', 'rapporteur-packed-runner');
  await mkdir(shelf, { recursive: true });
  const names = await namesByAge(shelf);
  for (const name of names) {
    if (await fits(join(shelf, name), root)) return join(shelf, name, entryName);
  }
  const fresh = join(shelf, `making-${crypto.randomUUID()}`);
  try {
    const ingredients = await build(root, fresh);
    const name = hashOf(JSON.stringify(ingredients)).slice(0, 16);
    const place = join(shelf, name);
    // Another start may have been quicker.
    await rename(fresh, place).catch((error: unknown) => {
      if (!existsSync(join(place, entryName))) throw error;
    });
    for (const old of names.slice(packsKept - 1)) await rm(join(shelf, old), { recursive: true, force: true });
    return join(place, entryName);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** The packed runner's main file, or that of the sources where it cannot be packed. Says why. */
export async function runnerEntry(root: string, say: (text: string) => void): Promise<string> {
  try {
    return await packRunner(root);
  } catch (error) {
    const why = (error as Error).message.split('\n').slice(0, 2).join(' ');
    say(`Bots start from the sources, each a little later: the bot-runner could not be packed (${why}).`);
    return join(root, 'apps/bot-runner/src/main.ts');
  }
}

async function build(root: string, folder: string): Promise<Ingredients> {
  const pageFiles = new Set<string>();
  const libraries = new Set<string>();
  const esbuild = await import('esbuild');
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [{ in: join(root, 'apps/bot-runner/src/main.ts'), out: entryName.replace(/\.js$/, '') }],
    outdir: folder,
    bundle: true,
    // What only the browser's start needs stays apart from the rest, which is loaded meanwhile.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    metafile: true,
    logLevel: 'silent',
    banner: { js: bannerForOlderModules },
    // ws asks for them and goes on without.
    external: ['bufferutil', 'utf-8-validate'],
    plugins: [pageScriptsInside((path) => pageFiles.add(path)), leanPlaywright((path) => libraries.add(path))],
  });
  for (const path of libraries) await copyFile(path, join(folder, librariesName));
  const paths = [
    ...Object.keys(metafile.inputs).map((path) => join(root, path)),
    ...pageFiles,
    ...libraries,
    ...(await ownFiles()),
  ];
  const ingredients: Record<string, string> = { node: process.version, esbuild: esbuild.version };
  for (const path of paths.sort()) ingredients[relative(root, path)] = hashOf(await readFile(path));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await writeFile(join(folder, manifestName), JSON.stringify(ingredients));
  return ingredients;
}

/** CommonJS modules inside an ES module find what they count on. */
const bannerForOlderModules = `
import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;
`;

async function ownFiles(): Promise<string[]> {
  const names = await readdir(import.meta.dirname);
  return names.filter((name) => !name.includes('.test.')).map((name) => join(import.meta.dirname, name));
}

async function fits(folder: string, root: string): Promise<boolean> {
  try {
    const { node, esbuild, ...files } = JSON.parse(await readFile(join(folder, manifestName), 'utf8')) as Ingredients;
    if (node !== process.version || esbuild === undefined || !existsSync(join(folder, entryName))) return false;
    const hashes = await Promise.all(Object.keys(files).map(async (path) => hashOf(await readFile(join(root, path)))));
    return Object.values(files).every((hash, index) => hash === hashes[index]);
  } catch {
    // Half-made, or a source is gone.
    return false;
  }
}

/** The newest first. */
async function namesByAge(shelf: string): Promise<string[]> {
  const names = (await readdir(shelf)).filter((name) => !name.startsWith('making-'));
  const ages = await Promise.all(names.map(async (name) => (await stat(join(shelf, name))).mtimeMs));
  return names
    .map((name, index) => ({ name, at: ages[index] ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name);
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
