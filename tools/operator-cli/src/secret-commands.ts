import { resolve } from 'node:path';
import type { LocalCommand } from './command.ts';
import { readValues, secretManifest } from './secret-keys.ts';

/** They need no deployment. */
export const secretCommands: Readonly<Record<string, LocalCommand>> = {
  'secrets manifest': async ({ options, folder }) => {
    const manifest = await secretManifest({
      namespace: options.namespace ?? 'rapporteur',
      name: options['secret-name'] ?? 'rapporteur-secrets',
      release: options.release ?? 'rapporteur',
      trial: options.trial === true,
      given: options.values === undefined ? {} : await readValues(resolve(folder, options.values)),
    });
    return JSON.stringify(manifest, null, 2);
  },
};
