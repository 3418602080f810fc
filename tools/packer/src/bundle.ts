import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import type * as Esbuild from 'esbuild';
import type { Plugin } from 'esbuild';
import { bundlePage, pageFolderName } from './bundle-page.ts';
import { foldersBeside } from './folders-beside.ts';
import type { FolderBeside } from './folders-beside.ts';
import { pageScriptsInside } from './page-scripts-inside.ts';
import { withEsbuild } from './with-esbuild.ts';

export const entryName = 'main.js';

const bannerOfRequire = `
import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);
`;

/** CommonJS modules inside an ES module need these globals. */
export const bannerForCommonJs = `${bannerOfRequire}const __filename = import.meta.filename;
const __dirname = import.meta.dirname;
`;

/** An app names the package whose files it serves or opens in this form; such a package is not bundled. */
const packageOfFiles = /\.resolve\('((?:@[\w.-]+\/)?[\w.-]+)\/package\.json'\)/g;

/** Drivers that TypeORM and ws offer and the services do not use. Both continue without them. */
const unused = [
  '@google-cloud/spanner',
  '@sap/hana-client',
  '@sap/hana-client/extension/Stream',
  'better-sqlite3',
  'ioredis',
  'mongodb',
  'mssql',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'redis',
  'sql.js',
  'sqlite3',
  'react-native-sqlite-storage',
  'typeorm-aurora-data-api-driver',
  'bufferutil',
  'utf-8-validate',
];

/** They read files of their own beside their code. */
const packagesOutside = ['playwright-core'];

/** The sources of an app, or of a tool that is packed like one. */
export function sourcesOf(root: string, app: string): string {
  const folder = join(root, 'apps', app, 'src');
  return existsSync(folder) ? folder : join(root, 'tools', app, 'src');
}

/**
 * Bundles `src/main.ts` of an app, or of a tool that is packed like one, with all its imports into `folder`.
 * Dynamically imported modules become files of their own, which are loaded when they are used.
 * @returns the paths of all included files, below `root`
 */
export function bundle(root: string, app: string, folder: string): Promise<string[]> {
  return withEsbuild((esbuild) => bundleWith(esbuild, { root, app, folder }));
}

async function bundleWith(
  esbuild: typeof Esbuild,
  { root, app, folder }: { readonly root: string; readonly app: string; readonly folder: string },
): Promise<string[]> {
  const pageFiles = new Set<string>();
  const folders = new Map<string, FolderBeside>();
  const sources = sourcesOf(root, app);
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [{ in: join(sources, 'main.ts'), out: entryName.replace(/\.js$/, '') }],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Shorter text takes less memory; names are kept, so that stack traces are readable.
    minifyWhitespace: true,
    minifySyntax: true,

    metafile: true,
    logLevel: 'silent',
    banner: { js: bannerOfRequire },
    inject: [join(import.meta.dirname, 'commonjs-globals.ts')],
    external: [...unused, ...packagesOutside],
    write: false,
    plugins: [
      pageScriptsInside((path) => pageFiles.add(path)),
      postgresOnly,
      foldersBeside(sources, (beside) => folders.set(beside.from, beside)),
    ],
  });
  await mkdir(folder, { recursive: true });
  for (const { path, text } of outputFiles) await writeFile(path, inAscii(text));
  for (const { from, to } of folders.values()) await cp(from, join(folder, to), { recursive: true });
  const pageInputs = await bundlePage(root, app, join(folder, pageFolderName));
  const inputs = Object.keys(metafile.inputs).filter((path) => !isUnusedDriver(path));
  const read = [...pageFiles, ...(await filesIn(folders.keys()))];
  const paths = [...inputs, ...pageInputs, ...read.map((path) => relative(root, path))];
  const imported = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  const outside = packagesOutside.filter((name) => imported.includes(name));
  const dependencies = installedVersions(root, [...outside, ...(await packagesOfFiles(root, paths))]);
  const description = { name: `@rapporteur/${app}`, private: true, type: 'module', main: entryName, dependencies };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  return [...new Set(paths)].sort();
}

async function filesIn(folders: Iterable<string>): Promise<string[]> {
  const files: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    files.push(...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  }
  return files;
}

/** One character beyond ASCII, which esbuild leaves in regular expressions, doubles the memory that the text takes. */
function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Packages whose files the app reads at run time. */
async function packagesOfFiles(root: string, paths: readonly string[]): Promise<string[]> {
  const sources = paths.filter((each) => /^(apps|libs)\/.*\.ts$/.test(each));
  const texts = await Promise.all(sources.map((path) => readFile(join(root, path), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(packageOfFiles)].map(([, name = '']) => name));
}

/** Versions by name: an image has to install these packages beside the app. */
function installedVersions(root: string, names: readonly string[]): Record<string, string> {
  const require = createRequire(join(root, 'package.json'));
  return Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, (require(`${name}/package.json`) as { version: string }).version]),
  );
}

const namespace = 'unused-driver';

/** Whether an input of a build is the placeholder of an omitted driver. */
function isUnusedDriver(input: string): boolean {
  return input.startsWith(`${namespace}:`);
}

/**
 * TypeORM loads the drivers of every database that it supports. The services use PostgreSQL only: the others are left
 * out, which saves each service memory and time at its start.
 */
const postgresOnly: Plugin = {
  name: 'postgres-only',
  setup: (build) => {
    build.onResolve({ filter: /Driver$/ }, ({ path, importer }) => {
      const isUnused = importer.endsWith('/typeorm/driver/DriverFactory.js') && !path.endsWith('/PostgresDriver');
      return isUnused ? { path, namespace } : null;
    });
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents: 'module.exports = {};' }));
  },
};
