import ts from 'typescript';
import { specificationRows } from './specification-rows.ts';
import type { Tree } from './tree.ts';

const tableFile = 'docs/specification-coverage.md';
const generated = 'libs/contracts/src/generated';
type Json = Readonly<Record<string, unknown>>;

interface CoverageRow {
  readonly id: string;
  readonly proof: string;
}

/** Every row of the specification about bots names a test that exists, or the issue that will bring it. */
export function findCoverageProblems(tree: Tree): string[] {
  const table = readCoverage(tree.read(tableFile));
  const wanted = requiredRows(tree);
  const reported = new Set(table.map(({ id }) => id));
  return [
    ...wanted
      .filter((id) => !reported.has(id))
      .map((id) => `${tableFile} lacks the row "${id}": name the test that proves it.`),
    ...table
      .filter(({ id }) => !wanted.includes(id))
      .map(({ id }) => `${tableFile} has a row "${id}" that the contract and the list of rows do not know.`),
    ...table.flatMap((row) => proofProblems(tree, row)),
  ];
}

/** The rows of every table: `| id | … | proof |`. */
export function readCoverage(markdown: string): CoverageRow[] {
  return markdown.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (!line.startsWith('|') || cells.length < 4 || /^-+$/.test(cells[1] ?? '') || cells[1] === 'row') return [];
    return [{ id: (cells[1] ?? '').replaceAll('`', ''), proof: cells.at(-2) ?? '' }];
  });
}

/** Fields, parameters and operations of both generations, and the committed list of rules. */
export function requiredRows(tree: Tree): string[] {
  const v2 = JSON.parse(tree.read(`${generated}/public.v2.json`)) as Json;
  const v1 = JSON.parse(tree.read(`${generated}/legacy.v1.json`)) as Json;
  return [
    ...fieldsOf(v2, schemaNamed(v2, 'CreateBot')).map((field) => `2.1 ${field}`),
    ...fieldsOf(v2, schemaNamed(v2, 'BotDetails')).map((field) => `2.2 ${field}`),
    ...operationsOf(v2).map(({ method, path }) => `4 ${method} ${path}`),
    ...operationsOf(v1).map(({ method, path }) => `4 ${method} ${path}`),
    ...fieldsOf(v1, schemaNamed(v1, 'Calendar')).map((field) => `2.6 calendar ${field}`),
    ...fieldsOf(v1, schemaNamed(v1, 'CalendarEvent')).map((field) => `2.6 event ${field}`),
    ...bodyFieldsOf(v1, 'post', '/calendars/').map((name) => `4.12 calendar ${name}`),
    ...bodyFieldsOf(v1, 'post', '/calendar_events/{uuid}/bot').map((name) => `4.12 bot ${name}`),
    ...queryOf(v1, 'get', '/bots/bots_with_metadata').map((name) => `4.13 ${name}`),
    ...bodyFieldsOf(v1, 'post', '/bots/').map((name) => `4.14 ${name}`),
    ...specificationRows,
  ];
}

function proofProblems(tree: Tree, { id, proof }: CoverageRow): string[] {
  if (/^later: (?:issue \d+|[a-z ]+)\. \S/.test(proof)) return [];
  const named = [...proof.matchAll(/`([^`]+\.ts)` › "((?:[^"\\]|\\.)*)"/g)];
  if (named.length === 0)
    return [
      `${tableFile}, row "${id}": write \`file\` › "title", or later: issue N (or a subject). What the service returns until then.`,
    ];
  return named.flatMap(([, file = '', title = '']) => {
    if (!tree.paths.includes(file)) return [`${tableFile}, row "${id}": there is no file ${file}.`];
    const wanted = title.replaceAll('\\"', '"').replaceAll('\\|', '|');
    return titlesIn(file, tree.read(file)).has(wanted)
      ? []
      : [`${tableFile}, row "${id}": ${file} has no test called "${wanted}".`];
  });
}

const titles = new Map<string, ReadonlySet<string>>();

/**
 * The titles of tests: texts that `test`, `it` and `describe` are called with, and the rows of their `.each` tables. A
 * file that is no test may have such a table: the names of its rows.
 */
export function titlesIn(file: string, source: string): ReadonlySet<string> {
  const key = `${file}\0${source}`;
  const known = titles.get(key);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true);
  const tables = arraysIn(parsed);
  const visit = (node: ts.Node): void => {
    for (const title of isTest(file) ? titlesOf(node, tables) : rowNames(node)) found.add(title);
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  titles.set(key, found);
  return found;
}

const isTest = (file: string): boolean => /\.(?:test|e2e)\.ts$/.test(file);

function titlesOf(node: ts.Node, tables: ReadonlyMap<string, ts.ArrayLiteralExpression>): string[] {
  if (!ts.isCallExpression(node) || !isTestCall(node.expression)) return [];
  const [first] = node.arguments;
  if (first === undefined) return [];
  if (ts.isStringLiteralLike(first)) return [first.text];
  const table = ts.isIdentifier(first) ? tables.get(first.text) : first;
  return table !== undefined && ts.isArrayLiteralExpression(table) ? table.elements.flatMap(textsOf) : [];
}

/** Texts of a row of a table, which its title shows. */
function textsOf(row: ts.Expression): string[] {
  if (ts.isStringLiteralLike(row)) return [row.text];
  return ts.isArrayLiteralExpression(row)
    ? row.elements.flatMap((cell) => (ts.isStringLiteralLike(cell) ? [cell.text] : []))
    : rowNames(row);
}

/** The name of a row that is an object, or the texts that a function makes one of. */
function rowNames(row: ts.Node): string[] {
  if (ts.isCallExpression(row) && ts.isArrayLiteralExpression(row.parent))
    return row.arguments.flatMap((given) => (ts.isStringLiteralLike(given) ? [given.text] : []));
  if (!ts.isObjectLiteralExpression(row)) return [];
  return row.properties.flatMap((member) =>
    ts.isPropertyAssignment(member) && member.name.getText() === 'name' && ts.isStringLiteralLike(member.initializer)
      ? [member.initializer.text]
      : [],
  );
}

function arraysIn(source: ts.SourceFile): Map<string, ts.ArrayLiteralExpression> {
  const found = new Map<string, ts.ArrayLiteralExpression>();
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isArrayLiteralExpression(node.initializer)
    )
      found.set(node.name.getText(), node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `test`, `test.each(table)`, `describe.each(table)`: whatever begins with one of the names. */
function isTestCall(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['test', 'it', 'describe'].includes(callee.text);
  return (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) && isTestCall(callee.expression);
}

function schemaNamed(document: Json, name: string): Json {
  return follow(document, { $ref: `#/components/schemas/${name}` });
}

/** `timeout_config.grace_period`, `participants.id`: members, and members of members, whose names the contract fixes. */
function fieldsOf(document: Json, schema: Json): string[] {
  const whole = follow(document, schema);
  const inner = whole['items'] === undefined ? whole : follow(document, whole['items'] as Json);
  return Object.entries((inner['properties'] ?? {}) as Record<string, Json>).flatMap(([name, member]) => [
    name,
    ...fieldsOf(document, member).map((nested) => `${name}.${nested}`),
  ]);
}

function operationsOf(document: Json): { method: string; path: string }[] {
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
}

function operationAt(document: Json, method: string, path: string): Json {
  return (document['paths'] as Record<string, Record<string, Json>>)[path]?.[method] ?? {};
}

function queryOf(document: Json, method: string, path: string): string[] {
  const parameters = (operationAt(document, method, path)['parameters'] ?? []) as Json[];
  return parameters
    .map((parameter) => follow(document, parameter))
    .filter((parameter) => parameter['in'] === 'query')
    .map((parameter) => parameter['name'] as string);
}

function bodyFieldsOf(document: Json, method: string, path: string): string[] {
  const body = follow(document, (operationAt(document, method, path)['requestBody'] ?? {}) as Json);
  const content = body['content'] as Record<string, { schema: Json }> | undefined;
  return fieldsOf(document, content?.['application/json']?.schema ?? {});
}

function follow(document: Json, value: Json): Json {
  const { $ref: reference, ...own } = value;
  if (typeof reference !== 'string') return value;
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((place, step) => (place as Json)[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  return { ...follow(document, found as Json), ...own };
}
