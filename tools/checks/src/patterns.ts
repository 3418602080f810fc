import { checkSync } from 'recheck';
import ts from 'typescript';
import { acceptedPatterns } from './accepted-patterns.ts';
import { isSource } from './tree.ts';
import type { Tree } from './tree.ts';

interface Pattern {
  readonly path: string;
  readonly line: number;
  /** `/source/flags`, or the expression that makes it. */
  readonly text: string;
}

/** For hangs: a pattern that the checker cannot evaluate in this time is refused. Patterns in use take seconds at most. */
const longestMs = 180_000;
/** Attempts of the checker end by its count of steps, not by the time that a busy machine needs for them. */
const byCount = { timeout: longestMs, incubationTimeout: null, attackTimeout: null, randomSeed: 1 };
/** A repetition of more characters than this counts as one without an end. */
const mostRepeated = 9;
const remedy =
  'Text from outside can make it slow. Bound each part by the character that ends it, or read the text with a loop or a parser; list it in accepted-patterns.ts only with the reason.';

/** Regular expressions in apps and libs whose time grows faster than their input. */
export function findSlowPatterns(tree: Tree): string[] {
  const paths = tree.paths.filter(
    (path) => /^(apps|libs)\//.test(path) && isSource(path) && !/\.test\.tsx?$|\/(testing|conformance)\//.test(path),
  );
  const schemas = tree.paths.filter((path) => /^libs\/contracts\/src\/generated\/.*\.json$/.test(path));
  const patterns = [
    ...paths.flatMap((path) => patternsIn(path, tree.read(path))),
    ...schemas.flatMap((path) => schemaPatternsIn(path, tree.read(path))),
  ];
  const accepted = new Set(acceptedPatterns.map(({ path, pattern }) => `${path} ${pattern}`));
  const verdicts = new Map<string, string | null>();
  const problems = patterns.flatMap(({ path, line, text }) => {
    if (accepted.delete(`${path} ${text}`)) return [];
    if (!verdicts.has(text)) verdicts.set(text, slownessOf(text));
    const slowness = verdicts.get(text) ?? null;
    return slowness === null ? [] : [`${path}:${line}: ${text} ${slowness} ${remedy}`];
  });
  return [
    ...problems,
    ...[...accepted].map((entry) => `accepted-patterns.ts: ${entry} is no longer there. Remove it.`),
  ];
}

function patternsIn(path: string, source: string): Pattern[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    const made = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression.getText(file) : '';
    if (ts.isRegularExpressionLiteral(node) || made === 'RegExp') {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push({ path, line, text: node.getText(file) });
    }
    ts.forEachChild(node, visit);
  };
  if (source.includes('/') || source.includes('RegExp')) visit(file);
  return found;
}

/** `pattern` of a schema is tried on texts of requests. */
function schemaPatternsIn(path: string, source: string): Pattern[] {
  const found: Pattern[] = [];
  JSON.parse(source, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') found.push({ path, line: 1, text: `/${value}/u` });
    return value;
  });
  return found;
}

/** Null for a pattern whose time is linear in its input. The seed makes the verdict on a large pattern repeatable. */
export function slownessOf(pattern: string): string | null {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (source === undefined || flags === undefined) return 'is made while running, so it cannot be judged.';
  const judged = withoutLongRepetitions(source);
  if (!/[*+]|,\}/.test(judged)) return null;
  const verdict = checkSync(judged, flags, byCount);
  if (verdict.status === 'safe') return null;
  return verdict.status === 'vulnerable' ? `is slow (${verdict.complexity.summary}).` : 'is too complex to judge.';
}

/** The checker's own time grows with the bounds of a repetition. */
function withoutLongRepetitions(source: string): string {
  return source.replaceAll(/\{(\d+)(,?)(\d*)\}/g, (repetition, least: string, comma: string, most: string) => {
    if (Math.max(Number(least), Number(most)) <= mostRepeated) return repetition;
    return comma === '' ? `{${mostRepeated}}` : `{${Math.min(Number(least), mostRepeated)},}`;
  });
}
