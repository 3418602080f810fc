import { createHash } from 'node:crypto';
import type { KubernetesObject } from './rendered.ts';

/** Longer values (dashboards, rules, programs) are replaced by their digest. */
const longestValue = 200;

/** Every field of every object as one line, `kind/name: path = value`, sorted: a change of the chart is a change of lines. */
export function linesOf(objects: readonly KubernetesObject[]): string[] {
  return objects
    .flatMap((object) => fieldsOf(object, '').map((field) => `${object.kind}/${object.metadata.name}: ${field}`))
    .sort();
}

function fieldsOf(value: unknown, path: string): string[] {
  const entries = entriesOf(value);
  if (entries === null || entries.length === 0) return [`${path} = ${textOf(value)}`];
  return entries.flatMap(([key, one]) => fieldsOf(one, path === '' ? key : `${path}.${key}`));
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (Array.isArray(value)) return value.map((one, index) => [nameOf(one) ?? String(index), one]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : null;
}

/** Entries with a name are compared by it and not by their place. */
function nameOf(value: unknown): string | null {
  const name = (value as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? `[${name}]` : null;
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= longestValue ? text : `sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** The rendering of an example: lines only in `base` (-), and lines only in the example (+). */
export function differenceOf(base: readonly string[], lines: readonly string[]): string[] {
  const [before, after] = [new Set(base), new Set(lines)];
  const removed = base.filter((line) => !after.has(line)).map((line) => `- ${line}`);
  const added = lines.filter((line) => !before.has(line)).map((line) => `+ ${line}`);
  return [...removed, ...added].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1));
}
