import ts from 'typescript';
import { acceptedAwaits } from './accepted-awaits.ts';
import { isSource } from './tree.ts';
import type { Tree } from './tree.ts';

type Scope = ts.FunctionLikeDeclaration;

const remedy =
  'Within a transaction only its own statements are awaited: a row that stays locked during a request to another server stops everyone who needs it. Make the request before or after, pass the transaction to what reads it, or list the call in accepted-awaits.ts with the reason.';

/**
 * Awaited calls within a database transaction that do not get the transaction: requests to other servers, stores and
 * services, and anything else that can wait. A transaction is the function given to a method `transaction`, and every
 * function with a parameter of that name; what it calls gets the transaction, so the rule covers that too.
 */
export function findOutsideCallsInTransactions(tree: Tree): string[] {
  const paths = tree.paths.filter(
    (path) => /^(apps|libs)\//.test(path) && isSource(path) && !/\.test\.tsx?$|\/testing\//.test(path),
  );
  const accepted = new Set(acceptedAwaits.map(({ path, call }) => `${path} ${call}`));
  const problems = paths.flatMap((path) =>
    awaitsIn(path, tree.read(path)).flatMap(({ line, call }) =>
      accepted.delete(`${path} ${call}`) ? [] : [`${path}:${line}: await ${call}: ${remedy}`],
    ),
  );
  return [...problems, ...[...accepted].map((entry) => `accepted-awaits.ts: ${entry} is no longer there. Remove it.`)];
}

interface OutsideAwait {
  readonly line: number;
  /** The called expression, without arguments. */
  readonly call: string;
}

function awaitsIn(path: string, source: string): OutsideAwait[] {
  if (!source.includes('transaction')) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: OutsideAwait[] = [];
  const visit = (node: ts.Node, names: ReadonlySet<string> | null): void => {
    const own = isScope(node) ? transactionNames(node) : new Set<string>();
    const outer = isScope(node) && own.size === 0 && !isInline(node) ? null : names;
    const within = own.size === 0 || !isScope(node) ? outer : withHolders(node, new Set([...(outer ?? []), ...own]));
    if (within !== null && ts.isAwaitExpression(node)) {
      for (const call of callsOf(node.expression)) {
        if (mentions(call, within)) continue;
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
        found.push({ line, call: call.expression.getText(file).replaceAll(/\s+/g, ' ') });
      }
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(file, null);
  return found;
}

function isScope(node: ts.Node): node is Scope {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** A function within an expression runs where it is, unlike one that is declared for later. */
function isInline(node: Scope): boolean {
  return ts.isArrowFunction(node) && ts.isCallExpression(node.parent);
}

/** Names by which the body of a function reaches its transaction. */
function transactionNames(scope: Scope): ReadonlySet<string> {
  const { parent } = scope;
  const isGiven =
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'transaction';
  const names = scope.parameters.flatMap(({ name }, index) => (isGiven && index === 0 ? namesIn(name) : []));
  const declared = scope.parameters.flatMap(({ name }) => namesIn(name)).filter((name) => name === 'transaction');
  return new Set([...names, ...declared]);
}

/** The names, and those of the objects and functions of a scope that hold the transaction. */
function withHolders(scope: Scope, names: ReadonlySet<string>): ReadonlySet<string> {
  const holders = new Set(names);
  const visit = (node: ts.Node): void => {
    const { initializer } = ts.isVariableDeclaration(node) ? node : {};
    const holds =
      initializer !== undefined && (ts.isObjectLiteralExpression(initializer) || ts.isArrowFunction(initializer));
    if (holds && ts.isVariableDeclaration(node) && mentions(initializer, holders))
      namesIn(node.name).forEach((name) => holders.add(name));
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return holders;
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

/** The calls whose end is awaited: those of a chain of `then` and `catch`, and of a list given to `Promise.all`. */
function callsOf(expression: ts.Expression): ts.CallExpression[] {
  if (ts.isParenthesizedExpression(expression)) return callsOf(expression.expression);
  if (ts.isConditionalExpression(expression))
    return [...callsOf(expression.whenTrue), ...callsOf(expression.whenFalse)];
  if (ts.isBinaryExpression(expression)) return [...callsOf(expression.left), ...callsOf(expression.right)];
  return ts.isCallExpression(expression) ? [expression] : [];
}

function mentions(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node) && names.has(node.text)) return true;
  return ts.forEachChild(node, (child) => mentions(child, names) || undefined) ?? false;
}
