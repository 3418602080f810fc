import { findChromium } from '@rapporteur/local-stack/chromium';
import type { CommandDefinition, CommandGroup, Outcome } from '../command.ts';
import { readAdminFile } from '../admin-address.ts';
import { examine, examineRemote } from '../doctor/checks.ts';
import type { Finding } from '../doctor/checks.ts';
import { thisMachine } from '../doctor/machine.ts';
import { namedDeployment } from '../profiles.ts';
import { isInstalled } from '../program.ts';
import { UsageError } from '../sentences.ts';

const check: CommandDefinition = {
  summary:
    'check the deployment that is named, or this machine and the stack on it, and name the remedy of what is wrong',
  example: 'doctor',
  run: async ({ options, stack, environment, folder, client }) => {
    const named = namedDeployment(options, { environment, folder });
    const local = orNull(stack);
    if (named !== null || (isInstalled && local === null)) {
      const deployment = named && {
        baseUrl: named.baseUrl.replace(/\/$/, ''),
        checkKey: async () => (await client()).listBots({ limit: 1 }),
      };
      return outcomeOf(await examineRemote({ machine: thisMachine, deployment }));
    }
    const dataFolder = local?.dataFolder ?? options['dataFolder'] ?? '.rapporteur';
    const admin = orNull(() => readAdminFile(dataFolder));
    const findings = await examine({ machine: thisMachine, dataFolder, stack: local, admin, chromium: findChromium() });
    return outcomeOf(findings);
  },
};

function outcomeOf(findings: readonly Finding[]): Outcome {
  const failed = findings.some(({ state }) => state === 'failed');
  return { text: findings.map(lineOf).join('\n'), data: { findings }, failed };
}

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
  summary: 'check a deployment, or this machine and the stack on it',
  commands: { '': check },
};
