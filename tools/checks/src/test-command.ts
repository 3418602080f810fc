import type { Tree } from './tree.ts';

const places = ['.ci/run', '.github/workflows/test.yml', 'README.md'] as const;

/** CI, the workflow and the README use one command for every test. */
export function findTestCommandProblems(tree: Tree): string[] {
  const commands = places.map(
    (place) => /\bnpm test\b(?: --(?= ))?(?: --[\w-]+)*/.exec(tree.read(place))?.[0] ?? 'none',
  );
  if (new Set(commands).size === 1 && commands[0] !== 'none') return [];
  const found = places.map((place, index) => `${place}: ${commands[index]}`).join('; ');
  return [`The first npm test of these files is not one command: ${found}.`];
}

/** The workflows use actions by commit: a tag can be moved to other code, which then has the secrets of a release. */
export function findMovableActions(tree: Tree): string[] {
  const workflows = tree.paths.filter((path) => /^\.github\/workflows\/.*\.ya?ml$/.test(path));
  return workflows.flatMap((path) =>
    [...tree.read(path).matchAll(/^\s*(?:- )?uses: (\S+)(.*)$/gm)].flatMap(([, action = '', comment = '']) =>
      /^[\w./-]+@[0-9a-f]{40}$/.test(action) && /^ # v\d/.test(comment)
        ? []
        : [
            `${path}: ${action}: name the commit in full, and its version in a comment (uses: owner/action@<commit> # v1.2.3).`,
          ],
    ),
  );
}
