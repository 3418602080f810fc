import { bundlePageScript, optionsName } from './bundle-page-script.ts';
import type { BundledPageScript } from './bundle-page-script.ts';

/** Bundles by address: a page may be prepared more than once in a process. */
const bundles = new Map<string, BundledPageScript>();

/**
 * Turns a `.page.ts` file into text that runs inside a meeting page: give it to Playwright's
 * `page.addInitScript({ content })`, or to `page.evaluate`.
 *
 * The file is an ES module that exports one function `install(options)`, which is called once with `options`.
 *
 * @param script address of the file, always written as a `new URL` of its name in quotes and `import.meta.url`:
 *   packing an app puts the bundled text in its place
 * @param options plain JSON data, or nothing
 * @throws Error when the file cannot be bundled
 */
export function loadPageScript(script: URL | BundledPageScript, options: unknown = {}): string {
  const { bundled } = 'bundled' in script ? script : bundleOnce(script);
  return `((${optionsName}) => {\n'use strict';\n${bundled}})(${JSON.stringify(options)});\n`;
}

function bundleOnce(url: URL): BundledPageScript {
  const bundle = bundles.get(url.href) ?? bundlePageScript(url);
  bundles.set(url.href, bundle);
  return bundle;
}
