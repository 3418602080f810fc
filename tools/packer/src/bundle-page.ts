import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { OutputFile } from 'esbuild';
import { withEsbuild } from './with-esbuild.ts';

/** Folder, beside the packed app, of the page that the app serves. */
export const pageFolderName = 'public';

/**
 * Builds `apps/<app>/src/page/main.tsx`, with the styles that it imports, into `folder`: one script and one style sheet with the hash
 * of their content in their names, both also compressed, and `page.json` with the two names.
 *
 * @returns the paths of all files that went in, below `root`; none for an app without a page
 */
export async function bundlePage(root: string, app: string, folder: string): Promise<string[]> {
  const entry = join(root, 'apps', app, 'src/page/main.tsx');
  if (!existsSync(entry)) return [];
  const { metafile, outputFiles } = await withEsbuild((esbuild) =>
    esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry],
      outdir: folder,
      entryNames: 'page-[hash]',
      bundle: true,
      format: 'esm',
      platform: 'browser',
      target: ['chrome120', 'firefox121', 'safari17'],
      jsx: 'automatic',
      minify: true,
      metafile: true,
      logLevel: 'silent',
      legalComments: 'none',
      define: { 'process.env.NODE_ENV': '"production"' },
      write: false,
    }),
  );
  await mkdir(folder, { recursive: true });
  await Promise.all(outputFiles.map(writeCompressed));
  const nameOf = (extension: string) =>
    outputFiles.map(({ path }) => basename(path)).find((name) => name.endsWith(extension));
  await writeFile(join(folder, 'page.json'), JSON.stringify({ script: nameOf('.js'), style: nameOf('.css') }));
  return Object.keys(metafile.inputs).map((path) => relative(root, join(root, path)));
}

async function writeCompressed({ path, contents }: OutputFile): Promise<void> {
  const [small, smallest] = await Promise.all([
    promisify(gzip)(contents, { level: 9 }),
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ]);
  await Promise.all([writeFile(path, contents), writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smallest)]);
}
