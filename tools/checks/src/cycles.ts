import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { isSource } from './tree.ts';
import type { Tree } from './tree.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Import cycles between files, and between the feature folders of one app or library (the folders directly below `src`). Type
 * imports count: they couple the files too. Tests and folders named `testing` may import the code under test.
 */
export function findImportCycles(tree: Tree): string[] {
  const files = fileGraph(tree);
  return [
    ...cyclesOf(files).map(
      (cycle) => `${cycle.join(' -> ')}: an import cycle; move what both need into a file that imports neither.`,
    ),
    ...cyclesOf(folderGraph(files)).map(
      (cycle) =>
        `${cycle.join(' -> ')}: feature folders import each other; declare the type that one needs of the other beside its use, or move what both need (${examplesOf(files, cycle)}).`,
    ),
  ];
}

function fileGraph(tree: Tree): Graph {
  const sources = new Set(tree.paths.filter((path) => isSource(path) && !isTest(path)));
  return new Map(
    [...sources].map((path) => [path, new Set(targetsOf(path, tree.read(path)).filter((to) => sources.has(to)))]),
  );
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(path);
}

function targetsOf(path: string, source: string): string[] {
  return importsOf(source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.normalize(posix.join(posix.dirname(path), specifier)));
}

const featureOf = (path: string): string | undefined => /^(?:apps|libs)\/[^/]+\/src\/[^/]+(?=\/)/.exec(path)?.[0];

function folderGraph(files: Graph): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, targets] of files) {
    for (const to of targets) {
      const [own, other] = [featureOf(from), featureOf(to)];
      if (own === undefined || other === undefined || own === other) continue;
      graph.set(own, (graph.get(own) ?? new Set()).add(other));
    }
  }
  return graph;
}

/** One shortest cycle through each strongly connected group of nodes; more may remain after it is cut. */
function cyclesOf(graph: Graph): string[][] {
  const seen = new Set<string>();
  const cycles: string[][] = [];
  for (const start of graph.keys()) {
    if (seen.has(start)) continue;
    const cycle = shortestPath(graph, start, start);
    if (cycle === undefined) continue;
    cycle.forEach((node) => seen.add(node));
    cycles.push(cycle);
  }
  return cycles;
}

/** A path of at least one step: from a node to itself it is a cycle. */
function shortestPath(graph: Graph, start: string, end: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    for (const next of graph.get(node) ?? []) {
      if (next === end) return [...pathTo(cameFrom, node, start), end];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(cameFrom: ReadonlyMap<string, string>, end: string, start: string): string[] {
  const path = [end];
  for (let node = end; node !== start; node = path[0] ?? start) path.unshift(cameFrom.get(node) ?? start);
  return path;
}

/** One import for each step of a cycle of folders. */
function examplesOf(files: Graph, cycle: readonly string[]): string {
  return cycle
    .slice(1)
    .flatMap((to, step) => {
      for (const [from, targets] of files) {
        const target =
          featureOf(from) === cycle[step] ? [...targets].find((path) => featureOf(path) === to) : undefined;
        if (target !== undefined) return [`${from} imports ${target}`];
      }
      return [];
    })
    .join('; ');
}
