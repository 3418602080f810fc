import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { stringify } from 'yaml';
import { FileHashes, hashOf } from '../file-hashes.ts';
import { withTablesForDiagrams } from './diagrams.ts';
import { licencesPage } from './licences.ts';
import { isForContributors, llmsFiles } from './llms.ts';
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
