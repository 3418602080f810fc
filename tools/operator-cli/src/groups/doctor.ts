import { findChromium } from '@rapporteur/local-stack/chromium';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { readAdminFile } from '../admin-address.ts';
import { examine } from '../doctor/checks.ts';
import type { Finding } from '../doctor/checks.ts';
import { thisMachine } from '../doctor/machine.ts';
import { UsageError } from '../sentences.ts';

const check: CommandDefinition = {
  summary: 'check this machine and the stack on it, and name the remedy of what is wrong',
  example: 'doctor',
  run: async ({ options, stack }) => {
    const local = orNull(stack);
    const dataFolder = local?.dataFolder ?? options['dataFolder'] ?? '.rapporteur';
    const admin = orNull(() => readAdminFile(dataFolder));
    const findings = await examine({ machine: thisMachine, dataFolder, stack: local, admin, chromium: findChromium() });
    const failed = findings.some(({ state }) => state === 'failed');
    return { text: findings.map(lineOf).join('\n'), data: { findings }, failed };
  },
};

function orNull<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

const marks = { ok: 'ok  ', skipped: '-   ', failed: 'FAIL' } as const;

function lineOf({ check: name, state, found, action }: Finding): string {
  return `${marks[state]}  ${name.padEnd(14)}  ${found}${action === '' ? '' : `\n      ${action}`}`;
}

export const doctor: CommandGroup = {
  noun: 'doctor',
  summary: 'check this machine and the stack on it',
  commands: { '': check },
};
