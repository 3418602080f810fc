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
