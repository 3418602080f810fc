import { watch } from 'node:fs';
import { join } from 'node:path';

const settleMs = 300;

/**
 * Calls `onChange` with the apps whose sources have changed: one for a file below `apps/<app>/src`, all for a file of a
 * library. Changes within 300 ms of each other are one call. @returns a function that stops the watch
 */
export function watchSources(
  root: string,
  apps: readonly string[],
  onChange: (apps: readonly string[]) => void,
): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const note = (names: readonly string[]): void => {
    for (const name of names) changed.add(name);
    clearTimeout(timer);
    timer = setTimeout(() => {
      onChange(apps.filter((app) => changed.has(app)));
      changed.clear();
    }, settleMs);
  };
  const watchFolder = (folder: string, names: readonly string[]) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file !== null && /(^|\/)src\/.*\.(tsx?|css|json)$/.test(file) && !file.endsWith('.test.ts')) note(names);
    });
  const watchers = [watchFolder('libs', apps), ...apps.map((app) => watchFolder(join('apps', app), [app]))];
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
