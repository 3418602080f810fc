import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { apps, isPartOfApp, packApp, packedTools } from './pack-app.ts';

/**
 * Packs apps, and tools that run without the repository, into `folder/<app>/`, replacing its content. `only`: these;
 * empty: all. @returns their names
 * @throws Error for an unknown name
 */
export async function buildApps(root: string, folder: string, only: readonly string[] = []): Promise<string[]> {
  const all = [...(await apps(root)), ...packedTools.filter((tool) => existsSync(join(root, 'tools', tool)))];
  const unknown = only.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}: choose of ${all.join(', ')}.`);
  const names = only.length === 0 ? all : [...only];
  await Promise.all(
    names.map(async (app) => {
      const packed = dirname(await packApp(root, app));
      const target = join(folder, app);
      await rm(target, { recursive: true, force: true });
      await mkdir(target, { recursive: true });
      const parts = (await readdir(packed)).filter(isPartOfApp);
      await Promise.all(parts.map((part) => cp(join(packed, part), join(target, part), { recursive: true })));
    }),
  );
  return names;
}
