import { resolve } from 'node:path';
import { rotateSecretKey } from '@rapporteur/local-stack/rotate-secret';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { one } from '../command.ts';
import { readValues, secretManifest } from '../secret-keys.ts';
import { StateError, UsageError } from '../sentences.ts';
import { program } from '../program.ts';

const rotate: CommandDefinition = {
  summary: 'give a service of the stack on this machine a new key for what it encrypts; the old one still opens',
  example: 'secrets rotate delivery',
  operands: '[service]',
  run: async ({ operands, stack }) => {
    const service = one(operands, `Of which service? ${program} secrets rotate SERVICE`);
    const { dataFolder, isRunning } = stack();
    if (isRunning) throw new StateError('Stop the stack first (Ctrl-C): its services read their keys when they start.');
    const rotated = rotateSecretKey(dataFolder, service);
    if (rotated === null)
      throw new UsageError(
        `${service} has no key in ${dataFolder}: it is none of the services that encrypt, or has never run.`,
      );
    const text = `${service} has a new key. Start with npm start: it encrypts again what its ${rotated.former} former keys have encrypted.`;
    return { text, data: { service, former_keys: rotated.former } };
  },
};

const manifest: CommandDefinition = {
  summary: 'print the Kubernetes Secret of the Helm chart with fresh keys; needs no deployment',
  example: 'secrets manifest --values keys/',
  options: {
    '--values <folder>':
      'a file in it gives the value of the key it is named after (database-url, s3-access-key-id, ...)',
    '--namespace <namespace>': 'namespace of the Secret (default: rapporteur)',
    '--release <name>': 'name of the Helm release (default: rapporteur)',
    '--secret-name <name>': 'name of the Secret (default: rapporteur-secrets)',
    '--trial': 'with the addresses of the bundled servers',
  },
  run: async ({ options, folder }) => {
    const data = await secretManifest({
      namespace: options['namespace'] ?? 'rapporteur',
      name: options['secretName'] ?? 'rapporteur-secrets',
      release: options['release'] ?? 'rapporteur',
      trial: options['trial'] !== undefined,
      given: options['values'] === undefined ? {} : await readValues(resolve(folder, options['values'])),
    });
    return { text: JSON.stringify(data, null, 2), data };
  },
};

export const secrets: CommandGroup = {
  noun: 'secrets',
  summary: 'keys with which services encrypt',
  commands: { manifest, rotate },
};
