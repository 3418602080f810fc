import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminApi, Canary, CanaryRun } from '../admin-api.ts';
import { one } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { program } from '../program.ts';
import { StateError, tableOf } from '../sentences.ts';

const pollMs = 1_000;

const list: CommandDefinition = {
  summary: 'the canaries of the deployment with their newest results',
  example: 'canaries list',
  run: async ({ api }) => {
    const canaries = await api.listCanaries();
    if (canaries.length === 0)
      return {
        text: 'There are no canaries. Name standing meetings in RAPPORTEUR_CANARIES of bot-scheduler.',
        data: [],
      };
    const text = tableOf(
      ['NAME', 'PLATFORM', 'LAST', 'OUTCOME', 'STEP', 'MESSAGE', 'NEXT'],
      canaries.map(({ name, platform, runs: [last], next_run_at, running }) => [
        name,
        platform,
        last?.started_at ?? 'never',
        last?.outcome ?? '',
        last?.failed_step ?? '',
        last?.result?.message ?? '',
        running ? 'runs now' : next_run_at,
      ]),
    );
    return { text, data: canaries };
  },
};

/** The first run that started after the request. */
async function ended(api: AdminApi, name: string, before: string | null, signal: AbortSignal): Promise<CanaryRun> {
  for (;;) {
    const canary = (await api.listCanaries()).find((each) => each.name === name);
    if (canary === undefined) throw new StateError(`The canary ${name} is gone from the configuration.`);
    const run = newest(canary);
    if (run !== null && run.bot_id !== before) return run;
    signal.throwIfAborted();
    await sleep(pollMs, undefined, { signal });
  }
}

const newest = ({ runs: [run] }: Canary): CanaryRun | null => run ?? null;

const run: CommandDefinition = {
  summary: 'run a canary now and print what it found, step by step',
  example: 'canaries run meet-daily',
  operands: '[name]',
  run: async ({ api, operands, signal, progress }) => {
    const name = one(operands, `Which canary? ${program} canaries run NAME (see ${program} canaries list).`);
    const known = (await api.listCanaries()).find((each) => each.name === name);
    await api.runCanary(name);
    progress(`The canary ${name} joins its meeting …`, { name, due: true });
    const before = known === undefined ? null : (newest(known)?.bot_id ?? null);
    const data = await ended(api, name, before, signal);
    return { text: describeRun(data), data, failed: data.outcome === 'failed' };
  },
};

function describeRun({ outcome, bot_id, result }: CanaryRun): string {
  const steps = tableOf(
    ['STEP', 'RESULT', 'ELEMENT', 'CANDIDATE', 'MESSAGE'],
    (result?.steps ?? []).map(({ step, result: found, element, candidate, message }) => [
      step,
      found,
      element ?? '',
      candidate === null ? '' : `${candidate.index + 1} of ${candidate.of}`,
      message ?? '',
    ]),
  );
  return `${outcome}: ${result?.message ?? ''}\n\n${steps}\n\nbot ${bot_id}, page pack ${result?.page_pack_version ?? 'unknown'}`;
}

export const canaries: CommandGroup = {
  noun: 'canaries',
  summary: "bots that check the platforms' pages in standing meetings of the operator",
  commands: { list, run },
};
