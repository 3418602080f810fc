import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const named = /join\(import\.meta\.dirname, '([\w-]+)'\)/g;

/** A folder that a source names as `join(import.meta.dirname, 'NAME')`, and its path in the packed app. */
export interface FolderBeside {
  readonly from: string;
  readonly to: string;
}

/** Makes the sources below `sources` find the adjacent folders at their path in the packed app. */
export function foldersBeside(sources: string, onFolder: (folder: FolderBeside) => void): Plugin {
  return {
    name: 'folders-beside',
    setup: (build) => {
      build.onLoad({ filter: /\/tools\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes('import.meta.dirname')) return null;
        const contents = source.replace(named, (whole, name: string) => {
          const from = join(dirname(path), name);
          if (!existsSync(from)) return whole;
          const to = relative(sources, from);
          onFolder({ from, to });
          return `join(import.meta.dirname, ${JSON.stringify(to)})`;
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}
