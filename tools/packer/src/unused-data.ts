import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

interface MediaType {
  readonly charset?: string;
  readonly extensions?: readonly string[];
}

/** Marks a resolution of this plugin. */
const own = 'unused-data';

/** Leaves out data that packages bring and no service reads; it would take memory in each of them. */
export const withoutUnusedData: Plugin = {
  name: 'without-unused-data',
  setup: (build) => {
    const express = join(build.initialOptions.absWorkingDir ?? '', 'node_modules/express');
    // express and three of its dependencies have a copy of the same version each.
    build.onResolve({ filter: /^mime-types$/ }, ({ path, kind, pluginData }) =>
      pluginData === own ? null : build.resolve(path, { kind, resolveDir: express, pluginData: own }),
    );
    // mime-types looks up extensions and charsets only.
    build.onLoad({ filter: /\/mime-db\/db\.json$/ }, async ({ path }) => {
      const all = JSON.parse(await readFile(path, 'utf8')) as Record<string, MediaType>;
      const read = Object.entries(all).filter(([, { charset, extensions }]) => charset ?? extensions);
      return { contents: JSON.stringify(Object.fromEntries(read)), loader: 'json' };
    });
    // express.json refuses every charset but Unicode.
    build.onLoad({ filter: /\/iconv-lite\/encodings\/tables\/[\w-]+\.json$/ }, () => ({
      contents: '[]',
      loader: 'json',
    }));
    build.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};
