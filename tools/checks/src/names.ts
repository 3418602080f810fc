import { isSource } from './tree.ts';
import type { Tree } from './tree.ts';

const empty = /^(utils?|helpers?|common|shared|misc|manager)$/;

/** Names that do not describe the content, tests that do not run, and work left open. */
export function findNamingProblems(tree: Tree): string[] {
  const problems: string[] = [];
  for (const path of tree.paths) {
    const parts = path.split('/').flatMap((part) => part.split('.')[0] ?? '');
    if (parts.some((part) => empty.test(part)))
      problems.push(`${path}: name it for what is inside, not "${parts.find((part) => empty.test(part))}".`);
    if (!isSource(path) || path.startsWith('tools/checks/')) continue;
    const source = tree.read(path);
    if (/\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(|\bf(it|describe)\(/.test(source))
      problems.push(`${path}: a skipped or lonely test proves nothing; make it run or delete it.`);
    if (/\b(TODO|FIXME|XXX)\b/.test(source))
      problems.push(`${path}: finish what is marked as open, or say it in an issue.`);
    if (/(^|[^\w.'"])any\b\s*[,;)=>[\]]/.test(stripText(source)) && /:\s*any\b|<any\b|as any\b/.test(stripText(source)))
      problems.push(`${path}: parse at the edge instead of \`any\`.`);
  }
  for (const place of workspaceFolders(tree)) {
    if (!tree.paths.includes(`${place}/README.md`))
      problems.push(
        `${place} has no README.md: say what it owns, what it never does, its front door, how to test it alone.`,
      );
  }
  return problems;
}

function stripText(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`|"[^"\n]*"/g, ' ');
}

function workspaceFolders(tree: Tree): string[] {
  return tree.paths
    .filter((path) => /^(apps|libs|tools)\/[^/]+\/package\.json$|^deploy\/local\/package\.json$/.test(path))
    .map((path) => path.replace('/package.json', ''));
}
