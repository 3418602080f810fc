import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
