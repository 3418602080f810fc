import type { Tree } from '../tree.ts';
import type { SampleChange } from './sample-change.ts';

/** Paths of a sample's files, existing and new. */
export function filesOf({ edits, creates = {} }: SampleChange): string[] {
  return [...new Set([...edits.map(({ file }) => file), ...Object.keys(creates)])];
}

/** The tree after a sample. Throws when an edit's place is not found once, or a new file exists. */
export function applySample(
  tree: Tree,
  { row, edits, creates = {} }: SampleChange,
): Tree & { readonly changed: ReadonlyMap<string, string> } {
  const changed = new Map<string, string>();
  const read = (path: string): string => changed.get(path) ?? tree.read(path);
  for (const { file, find, replace } of edits) {
    if (!tree.paths.includes(file)) throw new Error(`The sample "${row}" changes ${file}, which does not exist.`);
    const parts = read(file).split(find);
    if (parts.length !== 2)
      throw new Error(
        `The sample "${row}" looks in ${file} for a text that is there ${parts.length - 1} times: ${find.trim()}`,
      );
    changed.set(file, parts.join(replace));
  }
  for (const [file, text] of Object.entries(creates)) {
    if (tree.paths.includes(file)) throw new Error(`The sample "${row}" creates ${file}, which exists.`);
    changed.set(file, text);
  }
  return { paths: [...new Set([...tree.paths, ...changed.keys()])], read, changed };
}
