import { rotateSecretKey } from '@rapporteur/local-stack/rotate-secret';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { one } from '../command.ts';
import { UsageError } from '../sentences.ts';

const rotate: CommandDefinition = {
  summary: 'give a service of the stack on this machine a new key for what it encrypts; the old one still opens',
  example: 'secrets rotate delivery',
  operands: '[service]',
  run: async ({ operands, stack }) => {
    const service = one(operands, 'Of which service? npm run rapporteur -- secrets rotate SERVICE');
    const { dataFolder, isRunning } = stack();
    if (isRunning) throw new UsageError('Stop the stack first (Ctrl-C): its services read their keys when they start.');
    const rotated = rotateSecretKey(dataFolder, service);
    if (rotated === null)
      throw new UsageError(
        `${service} has no key in ${dataFolder}: it is none of the services that encrypt, or has never run.`,
      );
    const text = `${service} has a new key. Start with npm start: it encrypts again what its ${rotated.former} former keys have encrypted.`;
    return { text, data: { service, former_keys: rotated.former } };
  },
};

export const secrets: CommandGroup = {
  noun: 'secrets',
  summary: 'keys with which services encrypt',
  commands: { rotate },
};
