import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

export const librariesName = 'playwright-libraries.cjs';

/**
 * Playwright's one big file prepares its command line, its servers and every library of theirs as it is loaded: two
 * thirds of what loading it costs. A bot drives Chromium from its own process and needs none of that before it asks.
 * Each change must be found as often as said, so that another version of Playwright cannot be changed by half.
 */
const changes: readonly { readonly from: string; readonly to: string; readonly times: number }[] = [
  { from: '\ninit_coreBundle();\n', to: '\ninit_inprocess();\n', times: 1 },
  { from: '= require("./utilsBundle")', to: '= __whenUsed', times: 105 },
  {
    from: 'require(import_path8.default.join(packageRoot, "package.json"))',
    to: 'require("../package.json")',
    times: 1,
  },
  {
    from: 'require(import_path19.default.join(packageRoot, "browsers.json"))',
    to: 'require("../browsers.json")',
    times: 1,
  },
];

/** Stands for each export of Playwright's libraries until it is called, constructed or looked into. */
const whenUsed = `
// Its own log, which nobody reads: whether it is on is asked with every message.
const __silence = Object.assign(() => Object.assign(() => undefined, { enabled: false }), {
  enabled: () => false,
  formatters: {},
});
const __whenUsed = new Proxy({}, {
  get: (_none, name) => {
if (name === 'debug') return __silence;
    const real = () => require('./utilsBundle')[name];
    return new Proxy(function () {}, {
      // Requested as a part of another function while Playwright is loaded.
      get: (_target, part) => (name === 'yauzl' ? (...given) => real()[part](...given) : real()[part]),
      has: (_target, part) => part in real(),
      apply: (_target, self, given) => Reflect.apply(real(), self, given),
      construct: (_target, given) => Reflect.construct(real(), given),
    });
  },
});
`;

/** @param onLibraries told where the file of all those libraries is; it belongs beside what is built, as `librariesName` */
export function leanPlaywright(onLibraries: (path: string) => void): Plugin {
  return {
    name: 'lean-playwright',
    setup: (build) => {
      build.onResolve({ filter: /^\.\/utilsBundle$/ }, ({ resolveDir }) => {
        onLibraries(join(resolveDir, 'utilsBundle.js'));
        return { path: `./${librariesName}`, external: true };
      });
      build.onLoad({ filter: /\/playwright-core\/lib\/coreBundle\.js$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const { from, to, times } of changes) {
          const found = contents.split(from).length - 1;
          if (found !== times) {
            throw new Error(
              `Playwright has changed: ${JSON.stringify(from)} stands there ${found} times, not ${times}. Look at lean-playwright.ts.`,
            );
          }
          contents = contents.replaceAll(from, to);
        }
        return { contents: `${whenUsed}${contents}`, loader: 'js' };
      });
    },
  };
}
