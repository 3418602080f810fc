import ts from 'typescript';
import { isSource } from './tree.ts';
import type { Tree } from './tree.ts';

const limits = { fileLines: 600, functionLines: 70, parameters: 4 } as const;

/** Files over 600 lines, functions over 70, more than 4 parameters. Test files may have long `describe` bodies. */
export function findSizeProblems(tree: Tree): string[] {
  return tree.paths.filter(isSource).flatMap((path) => sizeProblemsOf(path, tree.read(path)));
}

export function sizeProblemsOf(path: string, source: string): string[] {
  const problems: string[] = [];
  const lines = source.split('\n').length;
  if (lines > limits.fileLines)
    problems.push(`${path} has ${lines} lines: over ${limits.fileLines} it wants to be two files.`);
  if (/\.(test|e2e)\.ts$/.test(path)) return problems;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const at = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const length = file.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - at;
      if (length > limits.functionLines && !isPageInstaller(path))
        problems.push(
          `${path}:${at} is a function of ${length} lines: over ${limits.functionLines} it hides a second one.`,
        );
      if (node.parameters.length > limits.parameters)
        problems.push(`${path}:${at} takes ${node.parameters.length} parameters: pass one object with names.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return problems;
}

/** A script that runs inside a page is one closure by nature: everything it needs has to travel in one text. */
function isPageInstaller(path: string): boolean {
  return path.endsWith('.page.ts') || path.includes('/site/');
}
