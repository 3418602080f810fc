import { join } from 'node:path';
import { packApp } from '@rapporteur/packer';

/** The files to start the apps with. */
export interface Entries {
  /** The packed app's main file, or that of its sources where it cannot be packed or the sources are requested. */
  of(app: string): Promise<string>;
  /** Resolves when no app is being packed. */
  settled(): Promise<void>;
}

/** Packs each requested app once. When it cannot, it logs why, and the app starts from its sources, more slowly. */
export function entries(root: string, { sources, say }: { sources: boolean; say: (text: string) => void }): Entries {
  const found = new Map<string, Promise<string>>();
  const find = async (app: string): Promise<string> => {
    const source = join(root, 'apps', app, 'src/main.ts');
    if (sources) return source;
    try {
      return await packApp(root, app);
    } catch (error) {
      const why = (error as Error).message.split('\n').slice(0, 2).join(' ');
      say(`${app} starts from its sources, a little later: it could not be packed (${why}).`);
      return source;
    }
  };
  return {
    of: (app) => {
      const known = found.get(app) ?? find(app);
      found.set(app, known);
      return known;
    },
    settled: async () => void (await Promise.all(found.values())),
  };
}
