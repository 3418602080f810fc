import { posix } from 'node:path';

/** Files that are pages of the site, as globs below the root of the repository. */
export const pageGlobs: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/**/*.md',
  '{apps,libs,tools,clients,deploy}/*/*.md',
  'helm/rapporteur/*.md',
];

const renamed: Readonly<Record<string, string>> = {
  'README.md': 'quick-start.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
};

/** The path of a page inside the site: `docs/` is its root, and a README is the index of its folder. */
export function sitePathOf(source: string): string {
  return renamed[source] ?? source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

export interface LinkContext {
  /** The page that has the links, as a path below the root of the repository. */
  readonly source: string;
  readonly pages: ReadonlySet<string>;
  /** Anchors of a page, by its path in the repository. */
  readonly anchorsOf: (page: string) => ReadonlySet<string>;
  /** What a path below the root is. */
  readonly kindOf: (path: string) => 'file' | 'folder' | 'none';
  /** Address of the sources in the repository on the web; null: links to sources become text. */
  readonly repositoryUrl: string | null;
}

export interface RewrittenPage {
  readonly text: string;
  /** Sentences about links that lead nowhere. */
  readonly problems: readonly string[];
}

/** A page with its relative links replaced by those of the site. Code blocks and inline code stay as they are. */
export function rewriteLinks(text: string, context: LinkContext): RewrittenPage {
  const problems: string[] = [];
  const rewriteLine = (line: string): string =>
    line.replace(/(!?)\[([^\][]*)\]\(([^()\s]+)\)/g, (whole, image: string, label: string, target: string) => {
      if (/^[a-z]+:/.test(target)) return whole;
      const found = targetOf(target, context);
      if (typeof found === 'string') {
        problems.push(`${context.source}: the link ${target} ${found}.`);
        return whole;
      }
      return found.link === null ? label : `${image}[${label}](${found.link})`;
    });
  return { text: outsideOfCode(text, rewriteLine), problems };
}

/** The new address of a link, or what is wrong with it. */
function targetOf(target: string, context: LinkContext): { readonly link: string | null } | string {
  const [path = '', anchor] = target.split('#');
  if (path.startsWith('/')) return { link: target };
  const joined = path === '' ? context.source : posix.join(posix.dirname(context.source), path).replace(/\/$/, '');
  const page = [joined, posix.join(joined, 'README.md')].find((candidate) => context.pages.has(candidate));
  if (page !== undefined) {
    if (anchor !== undefined && !context.anchorsOf(page).has(anchor)) return `names no heading of ${page}`;
    return { link: `/${sitePathOf(page)}${anchor === undefined ? '' : `#${anchor}`}` };
  }
  const kind = context.kindOf(joined);
  if (kind === 'none') return 'leads to no file';
  if (joined.startsWith('docs/images/')) return { link: `/${joined.replace(/^docs\//, '')}` };
  if (context.repositoryUrl === null) return { link: null };
  return { link: `${context.repositoryUrl}/${kind === 'folder' ? 'tree' : 'blob'}/HEAD/${joined}` };
}

/** The anchors of a page's headings. */
export function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  outsideOfCode(text, (line) => {
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) anchors.add(slugOf(heading));
    return line;
  });
  return anchors;
}

/** The anchor of a heading, as GitHub makes it, so that a link works in both places. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

function outsideOfCode(text: string, change: (line: string) => string): string {
  let fence: string | null = null;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
      if (mark !== undefined && fence === null) fence = mark;
      else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
      else if (fence === null) return change(line);
      return line;
    })
    .join('\n');
}
