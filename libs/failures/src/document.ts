import { catalogue } from './catalogue.ts';
import type { Fault } from './catalogue.ts';

const actors: Readonly<Record<Fault, string>> = {
  caller: 'you',
  service: 'operator',
  outside: 'the platform',
};

const start = '<!-- failures -->\n';
const end = '<!-- end of failures -->';

/** `docs/guides/errors.md` with the table of all failures in its place. @throws Error without the marks of the place */
export function withFailureTable(page: string): string {
  const [head, rest] = page.split(start);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error('The page has no place for the table of failures.');
  return `${head}${start}${failureTable()}\n${end}${tail}`;
}

function failureTable(): string {
  const rows = Object.values(catalogue)
    .toSorted((a, b) => a.status - b.status || (a.wireCode < b.wireCode ? -1 : 1))
    .map(
      ({ status, wireCode, sentence, fault, retryable }) =>
        `| ${status} | \`${wireCode}\` | ${sentence} | ${actors[fault]} | ${retryable ? 'yes' : ''} |`,
    );
  return ['', '| status | code | message | who can act | retry |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}
