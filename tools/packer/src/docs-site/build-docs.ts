import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { stringify } from 'yaml';
import { FileHashes, hashOf } from '../file-hashes.ts';
import { anchorsIn, pageGlobs, rewriteLinks, sitePathOf } from './pages.ts';
import { postmanCollection } from './postman.ts';

export interface DocsOptions {
  /** Address of the repository on the web, for links to sources; null: such links become text. */
  readonly repositoryUrl: string | null;
  /** Leaves a site alone that was built from the same files. */
  readonly onlyIfChanged?: boolean;
}

const stampName = 'made-of.txt';

/**
 * Builds the documentation site from the Markdown files of the repository into `target`, which it replaces.
 * @returns false when `onlyIfChanged` left it as it is
 * @throws Error when a link leads nowhere
 */
export async function buildDocs(root: string, target: string, options: DocsOptions): Promise<boolean> {
  const pages = readPages(root);
  const stamp = stampOf(root, [...pages.keys()]);
  if (options.onlyIfChanged === true && isCurrent(target, stamp)) return false;
  await mkdir(dirname(target), { recursive: true });
  // Beside the target: Vite finds the packages of the repository from there, and the result can be moved.
  const work = await mkdtemp(join(dirname(target), '.docs-'));
  const clean = (): void => rmSync(work, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    const texts = sitePages(root, pages, options.repositoryUrl);
    await stage(root, work, texts);
    const { build } = await import('vitepress');
    await build(work, { logLevel: 'warn' } as Parameters<typeof build>[1]);
    const built = join(work, '.vitepress/dist');
    await writeFile(join(built, stampName), stamp);
    await rm(target, { recursive: true, force: true });
    await rename(built, target).catch((error: unknown) => {
      // Another process may have been faster.
      if (!isCurrent(target, stamp)) throw error;
    });
    return true;
  } finally {
    clean();
    process.off('exit', clean);
  }
}

/** Every page by its path below the root of the repository. */
export function readPages(root: string): Map<string, string> {
  const paths = globSync([...pageGlobs], { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) });
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Every page of the site by its path there. @throws Error naming each link that leads nowhere */
export function sitePages(
  root: string,
  pages: ReadonlyMap<string, string>,
  repositoryUrl: string | null,
): Map<string, string> {
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (page: string): ReadonlySet<string> => {
    const known = anchors.get(page) ?? anchorsIn(pages.get(page) ?? '');
    anchors.set(page, known);
    return known;
  };
  const known = new Set(pages.keys());
  const results = [...pages].map(([source, text]) => ({
    path: sitePathOf(source),
    ...rewriteLinks(withTablesForDiagrams(text), {
      source,
      pages: known,
      anchorsOf,
      kindOf: (path) => kindOf(root, path),
      repositoryUrl,
    }),
  }));
  const problems = results.flatMap((result) => result.problems);
  if (problems.length > 0) throw new Error(`Links of the documentation lead nowhere:\n${problems.join('\n')}`);
  return new Map(results.map(({ path, text }) => [path, text]));
}

function kindOf(root: string, path: string): 'file' | 'folder' | 'none' {
  const full = join(root, path);
  if (!existsSync(full)) return 'none';
  return statSync(full).isDirectory() ? 'folder' : 'file';
}

/** The folder from which VitePress builds. */
async function stage(root: string, work: string, texts: ReadonlyMap<string, string>): Promise<void> {
  const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const document = await readFile(join(root, 'libs/contracts/src/generated/public.v2.json'), 'utf8');
  const files: [string, string][] = [
    ...[...texts].map(([path, text]): [string, string] => [
      path,
      isForContributors(path) ? `---\nsearch: false\n---\n${text}` : text,
    ]),
    ['guides/licences.md', licencesPage(root, texts.get('guides/licences.md') ?? '')],
    ...Object.entries(llmsFiles(texts)).map(([name, text]): [string, string] => [`public/${name}`, text]),
    ['public/openapi.yaml', stringify(JSON.parse(document), { aliasDuplicateObjects: false })],
    ['public/postman.json', await postmanCollection(document)],
    // Imported by Node, not bundled by Vite.
    [
      '.vitepress/config.mjs',
      `const config = ${JSON.stringify(join(import.meta.dirname, 'site-config.ts'))};\nexport default (await import(config)).default;\n`,
    ],
    // The order of the imports is that of the styles.
    [
      '.vitepress/theme/index.ts',
      "import Theme from 'vitepress/theme-without-fonts';\nimport './style.css';\nexport default Theme;\n",
    ],
    ['.vitepress/theme/style.css', await readFile(join(import.meta.dirname, 'style.css'), 'utf8')],
  ];
  for (const [name, text] of files) {
    await mkdir(dirname(join(work, name)), { recursive: true });
    await writeFile(join(work, name), text);
  }
  await cp(join(root, 'docs/images'), join(work, 'public/images'), { recursive: true });
  await cp(join(viewer, 'favicon-32x32.png'), join(work, 'public/favicon-32x32.png'));
}

/** One hash of all files that the site is made of. */
function stampOf(root: string, pages: readonly string[]): string {
  const hashes = new FileHashes(root, join(root, 'node_modules/.cache/rapporteur-docs.json'));
  const own = globSync(
    [
      'tools/packer/src/docs-site/*.{ts,css}',
      'libs/contracts/src/generated/public.v2.json',
      'docs/images/*',
      'package-lock.json',
    ],
    { cwd: root },
  );
  const stamp = hashOf(
    [...pages, ...own]
      .sort()
      .map((path) => `${path} ${hashes.of(path)}`)
      .join('\n'),
  );
  hashes.save();
  return stamp;
}

function isCurrent(target: string, stamp: string): boolean {
  const file = join(target, stampName);
  return existsSync(file) && readFileSync(file, 'utf8') === stamp;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Where the page of licences gets the table of npm packages. */
const place = '<!-- npm packages -->';

/** The page with a table of the npm packages that images contain, from the lockfile. @throws Error without its place */
export function licencesPage(root: string, page: string): string {
  if (!page.includes(place)) throw new Error(`docs/guides/licences.md needs the line ${place}.`);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const shipped = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
  );
  const byLicence = Map.groupBy(shipped, ([, { license }]) => license ?? 'see the package');
  const rows = [...byLicence]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([licence, entries]) => {
      const names = new Set(entries.map(([path]) => `\`${path.slice(path.lastIndexOf('node_modules/') + 13)}\``));
      return `| ${licence} | ${names.size} | ${[...names].sort().join(', ')} |`;
    });
  return page.replace(place, ['| licence | packages | names |', '|---|---|---|', ...rows].join('\n'));
}

const contributors =
  /^(decisions|apps|libs\/(?!sdk\/)[^/]+|tools\/(?!(?:mcp|operator-cli)\/)[^/]+|deploy)\/|^(changelog|contributing|new-user-tasks|performance|specification-coverage)\.md$/;

/** Pages on how the service is made, which the search of the site leaves out. */
export function isForContributors(path: string): boolean {
  return contributors.test(path);
}

/** Pages that a reader of the whole text does not need. */
const leftOut = (path: string): boolean => isForContributors(path) || /^(helm|runbooks\/alerts)\//.test(path);

/** `llms.txt`, the list of pages for language models, and `llms-full.txt`, their text. */
export function llmsFiles(pages: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const listed = [...pages].filter(([path]) => path !== 'index.md' && !leftOut(path));
  const lines = listed.map(([path, text]) => {
    const title = /^# (.*)$/m.exec(text)?.[1] ?? path;
    return `- [${title}](/docs/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')})`;
  });
  const list = [
    '# Rapporteur',
    '',
    '> A self-hosted service that sends bots into video meetings (Google Meet, Microsoft Teams, Zoom), records and transcribes them, and returns the results through a REST API, signed webhooks and callbacks.',
    '',
    'The OpenAPI document is at /openapi.json and /openapi.yaml, the text of all pages below at /docs/llms-full.txt.',
    '',
    '## Pages',
    '',
    ...lines,
    '',
  ];
  return { 'llms.txt': list.join('\n'), 'llms-full.txt': listed.map(([, text]) => text.trim()).join('\n\n---\n\n') };
}

/**
 * Mermaid diagrams of a page as tables: the site has no renderer for them, which is larger than all of its pages.
 * @throws Error for a kind of diagram or a line that has no table
 */
export function withTablesForDiagrams(text: string): string {
  return text.replaceAll(/^```mermaid\n([^]*?)^```$/gm, (_whole, diagram: string) =>
    tableOf(diagram.trim().split('\n')),
  );
}

function tableOf([kind = '', ...lines]: readonly string[]): string {
  if (kind === 'stateDiagram-v2')
    return rowsToTable(['from', 'to', 'event', 'status codes'], lines.flatMap(transitionOf));
  if (kind === 'sequenceDiagram') return rowsToTable(['from', 'to', 'what', 'when'], messagesOf(lines));
  throw new Error(`A diagram of the kind ${kind} has no table.`);
}

function rowsToTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** None for the last step of a final state. */
function transitionOf(text: string): string[][] {
  const [, from, to, event = '', codes = ''] = /^ *(\S+) --> (\S+)(?: : ([^/]+?)(?: \/ (.+))?)?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new Error(`A line of a diagram has no table: ${text}`);
  return to === '[*]' ? [] : [[from === '[*]' ? 'start' : from, to, event, codes]];
}

function messagesOf(lines: readonly string[]): string[][] {
  const names = new Map<string, string>();
  const nested: string[] = [];
  const rows: string[][] = [];
  for (const text of lines) {
    const [, short, name] = /^ *participant (\w+) as (.+)$/.exec(text) ?? [];
    const [, condition] = /^ *(?:loop|opt) (.+)$/.exec(text) ?? [];
    const [, from, to, what] = /^ *(\w+)--?>>(\w+): (.+)$/.exec(text) ?? [];
    if (short !== undefined && name !== undefined) names.set(short, name);
    else if (condition !== undefined) nested.push(condition);
    else if (text.trim() === 'end') nested.pop();
    else if (from !== undefined && to !== undefined && what !== undefined)
      rows.push([names.get(from) ?? from, names.get(to) ?? to, what, nested.join(', ')]);
    else throw new Error(`A line of a diagram has no table: ${text}`);
  }
  return rows;
}
