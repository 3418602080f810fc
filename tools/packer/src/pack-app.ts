import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { bundle, entryName } from './bundle.ts';
import { FileHashes, hashOf } from './file-hashes.ts';

/** The inputs of a pack: versions of the tools, and the hash of each file by its path below the root. */
interface Ingredients {
  readonly tools: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

const manifestName = 'made-of.json';
const unfinished = 'making-';
/** Processes of an earlier start may still load from theirs. */
const packsKept = 3;

/** Every app of the repository, by the name of its folder. */
export async function apps(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'apps'));
  return names.filter((name) => existsSync(join(root, 'apps', name, 'src/main.ts'))).sort();
}

/** Tools that run without the repository, and are packed like an app. */
export const packedTools: readonly string[] = ['simulator'];

/**
 * An app as plain JavaScript with all its dependencies except Node itself. It is stored below `node_modules/.cache` and
 * rebuilt only when one of its source files has changed; the same files give the same bytes.
 * @returns the file to start; everything next to it belongs to the app
 * @throws Error when it cannot be built; `apps/<app>/src/main.ts` works too, and starts more slowly
 */
export async function packApp(root: string, app: string): Promise<string> {
  // Node resolves packages from here in the repository's node_modules.
  const cache = join(root, 'node_modules', '.cache', 'rapporteur-packed');
  const shelf = join(cache, app);
  await mkdir(shelf, { recursive: true });
  const hashes = new FileHashes(root, join(cache, 'files.json'));
  const names = await namesByAge(shelf);
  const current = names.find((name) => isCurrent(join(shelf, name), hashes));
  hashes.save();
  if (current !== undefined) return join(shelf, current, entryName);
  const fresh = join(shelf, `${unfinished}${crypto.randomUUID()}`);
  try {
    const paths = [...(await bundle(root, app, fresh)), ...(await ownFiles(root))];
    const files = Object.fromEntries(paths.sort().map((path) => [path, hashes.of(path)]));
    hashes.save();
    const ingredients: Ingredients = { tools: tools(), files };
    await writeFile(join(fresh, manifestName), JSON.stringify(ingredients));
    const place = join(shelf, hashOf(JSON.stringify(ingredients)).slice(0, 16));
    // Another process may have been faster.
    await rename(fresh, place).catch((error: unknown) => {
      if (!existsSync(join(place, entryName))) throw error;
    });
    for (const old of names.slice(packsKept - 1)) await rm(join(shelf, old), { recursive: true, force: true });
    return join(place, entryName);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** The files of a packed app: everything except the record of its inputs. */
export function isPartOfApp(name: string): boolean {
  return name !== manifestName;
}

function tools(): Record<string, string> {
  return { node: process.version };
}

/** A changed packer packs again; esbuild's version is in the lockfile. */
async function ownFiles(root: string): Promise<string[]> {
  const entries = await readdir(import.meta.dirname, { withFileTypes: true });
  const own = entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map(({ name }) => relative(root, join(import.meta.dirname, name)));
  const esbuild = join('node_modules', 'esbuild', 'package.json');
  return existsSync(join(root, esbuild)) ? [...own, esbuild] : own;
}

function isCurrent(folder: string, hashes: FileHashes): boolean {
  try {
    const { tools: made, files } = JSON.parse(readFileSync(join(folder, manifestName), 'utf8')) as Ingredients;
    if (JSON.stringify(made) !== JSON.stringify(tools()) || !existsSync(join(folder, entryName))) return false;
    return Object.entries(files).every(([path, hash]) => hashes.of(path) === hash);
  } catch {
    // Incomplete, or a source is missing.
    return false;
  }
}

/** The newest first. */
async function namesByAge(shelf: string): Promise<string[]> {
  const names = (await readdir(shelf)).filter((name) => !name.startsWith(unfinished));
  const ages = await Promise.all(names.map(async (name) => (await stat(join(shelf, name))).mtimeMs));
  return names
    .map((name, index) => ({ name, at: ages[index] ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name);
}
