import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { bundlePageScript } from '@rapporteur/page-scripts';
import type { Plugin } from 'esbuild';

const address = /new URL\(\s*'(\.[^']+\.page\.ts)',\s*import\.meta\.url,?\s*\)/g;

/** Replaces the addresses of page scripts by their text: a packed runner reads no source file. */
export function pageScriptsInside(onFile: (path: string) => void): Plugin {
  return {
    name: 'page-scripts-inside',
    setup: (build) => {
      build.onLoad({ filter: /\/(?:apps|libs)\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes('.page.ts')) return null;
        const contents = source.replace(address, (_whole, from: string) => {
          const { bundled, files } = bundlePageScript(new URL(from, pathToFileURL(path)));
          for (const file of files) onFile(file);
          return JSON.stringify({ bundled });
        });
        if (/\.page\.ts['"`]\s*,/.test(contents)) {
          throw new Error(
            `${path} names a page script in another way than new URL('./name.page.ts', import.meta.url).`,
          );
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}
