import { isMap, isScalar, parseDocument } from 'yaml';
import type { Pair, YAMLMap } from 'yaml';

export interface ValueRow {
  readonly key: string;
  readonly standard: string;
  readonly description: string;
}

/** Every value of a values.yaml: a key with a comment above it is a row; a map without one is traversed. */
export function readValues(text: string): ValueRow[] {
  const { contents } = parseDocument(text);
  return isMap(contents) ? rowsOf(contents, '') : [];
}

function rowsOf(map: YAMLMap, prefix: string): ValueRow[] {
  return map.items.flatMap((pair, index) => {
    const { key, value } = pair as Pair<{ value: string; commentBefore?: string }>;
    const path = `${prefix}${key.value}`;
    // The comment above the first key of a map belongs to the map.
    const comment = index === 0 ? (map.commentBefore ?? key.commentBefore) : key.commentBefore;
    if (isMap(value) && value.flow !== true && value.items.length > 0 && !isLeafMap(value, path))
      return rowsOf(value, `${path}.`);
    const description = (comment ?? '')
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .join(' ');
    return [{ key: path, standard: standardOf(value), description }];
  });
}

/** Given as a whole: its keys are not the chart's own. */
function isLeafMap(_value: YAMLMap, path: string): boolean {
  return path === 'bots.pod';
}

function standardOf(value: unknown): string {
  if (isScalar(value)) return JSON.stringify(value.value);
  return JSON.stringify((value as { toJSON(): unknown }).toJSON());
}

export function valuesTable(rows: readonly ValueRow[]): string {
  return [
    '| value | default | meaning |',
    '|---|---|---|',
    ...rows.map(
      ({ key, standard, description }) =>
        `| \`${key}\` | \`${standard.replaceAll('|', '\\|')}\` | ${description.replaceAll('|', '\\|')} |`,
    ),
  ].join('\n');
}

const begin = '<!-- generated: node tools/chart/src/main.ts -->';
const end = '<!-- end of the generated part -->';

/** The text with each of `generated` between its two marks, in order. Throws when it has fewer marks or more. */
export function withGenerated(text: string, ...generated: readonly string[]): string {
  const parts = text.split(begin);
  if (parts.length !== generated.length + 1) throw new Error(`The text has not ${generated.length} lines "${begin}".`);
  const [head = '', ...marked] = parts;
  const filled = marked.map((part, index) => {
    const tail = part.indexOf(end);
    if (tail < 0) throw new Error(`The text has no line "${end}" below "${begin}".`);
    return `${begin}\n\n${generated[index]}\n\n${part.slice(tail)}`;
  });
  return head + filled.join('');
}
