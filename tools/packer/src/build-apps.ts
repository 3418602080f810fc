import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { apps, isPartOfApp, packApp } from './pack-app.ts';

/** Packs every app into `folder/<app>/`, which holds nothing else afterwards. @returns the names of the apps */
export async function buildApps(root: string, folder: string): Promise<string[]> {
  const names = await apps(root);
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
