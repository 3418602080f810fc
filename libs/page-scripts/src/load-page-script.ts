import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const importLine = /^[ \t]*import\b[^;]*?['"]([^'"]+)['"];?[ \t]*$/gm;
const exportWord = /^([ \t]*)export[ \t]+(?=(?:async[ \t]+)?function\b|const\b|let\b|class\b)/gm;
const leftExport = /^[ \t]*export\b/m;
/** Of files read before, by their address: a page may be prepared more than once in a process. */
const plainTexts = new Map<string, string>();
const declaredName = /^(?:async[ \t]+)?(?:function\*?|const|let|class)[ \t]+([A-Za-z_$][\w$]*)/gm;

/** A page script whose files were joined before, when its app was packed. */
export interface JoinedPageScript {
  readonly joined: string;
}

interface JoinedFiles extends JoinedPageScript {
  /** The addresses of the files it was made of. */
  readonly files: readonly string[];
}

/**
 * Turns a `.page.ts` file into text that runs inside a meeting page: give it to Playwright's
 * `page.addInitScript({ content })`, or to `page.evaluate`.
 *
 * The file exports one function `install(options)`, which is called once with `options`. It may import types from
 * anywhere and values only from other `.page.ts` files beside it; those are joined into the same function scope, so
 * top-level names must differ between them.
 *
 * @param script address of the file, always written as a `new URL` of its name in quotes and `import.meta.url`:
 *   packing an app puts the joined text in its place
 * @param options plain JSON data, or nothing
 * @throws Error when the file cannot be read, is no valid TypeScript, has no `install`, or imports anything else
 */
export function loadPageScript(script: URL | JoinedPageScript, options: unknown = {}): string {
  const code = 'joined' in script ? script.joined : join(script, plainTexts).joined;
  return `(() => {\n'use strict';\n${code}\ninstall(${JSON.stringify(options)});\n})();\n`;
}

/** The text of a page script before its options are known, read anew. */
export function joinPageScript(url: URL): JoinedFiles {
  return join(url, new Map());
}

function join(url: URL, texts: Map<string, string>): JoinedFiles {
  const parts = new Map<string, string>();
  addPart(url, parts, texts);
  const joined = [...parts.values()].join('\n');
  const names = [...joined.matchAll(declaredName)].map((match) => match[1]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Page script ${url.pathname}: "${twice}" is declared in two of its files; rename one.`);
  if (!names.includes('install')) {
    throw new Error(`Page script ${url.pathname} must export a function install(options).`);
  }
  return { joined, files: [...parts.keys()] };
}

/** @param texts plain texts that are known already, by address */
function addPart(url: URL, parts: Map<string, string>, texts: Map<string, string>): void {
  if (parts.has(url.href)) return;
  parts.set(url.href, '');
  const plain = texts.get(url.href) ?? stripTypeScriptTypes(readFileSync(url, 'utf8'));
  texts.set(url.href, plain);
  const ownCode = plain
    .replace(importLine, (_line, from: string) => {
      if (!/^\.\.?\/.*\.page\.ts$/.test(from)) {
        throw new Error(
          `Page script ${url.pathname} imports "${from}" at run time; only types and other .page.ts files may be imported.`,
        );
      }
      addPart(new URL(from, url), parts, texts);
      return '';
    })
    .replace(exportWord, '$1')
    .replace(/[ \t]+$/gm, '');
  if (leftExport.test(ownCode)) {
    throw new Error(`Page script ${url.pathname}: write "export function ..." or "export const ..." and nothing else.`);
  }
  // Set again so that a part stands after the parts it needs.
  parts.delete(url.href);
  parts.set(url.href, ownCode);
}
