import { parseArgs } from 'node:util';
import type { SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import { openMemoryCgroup } from '../measure/cgroup.ts';
import { machine, spreadOf } from '../measure/figures.ts';
import { openStage } from '../recorder/bench-room.ts';
import { positive } from '../recorder/command.ts';
import { judgeFault, planOf } from './judge-fault.ts';
import type { Fault, FaultOutcome, FaultVerdict, Plan } from './judge-fault.ts';
import { injectFault } from './inject-fault.ts';
import type { FaultTarget } from './inject-fault.ts';

export interface Campaign {
  readonly faults: readonly Fault[];
  readonly times: number;
  /** The seed of the first; each after it has the next one. */
  readonly seed: number;
  readonly atOnce: number;
  readonly say: (text: string) => void;
}

/** One bot with its fault, and what came of it. */
export interface Outcome {
  readonly plan: Plan;
  /** Null where it could not be evaluated; its only problem has the reason. */
  readonly outcome: FaultOutcome | null;
  readonly verdict: FaultVerdict;
}

type Say = (text: string) => void;

/** `kills` and its options. @returns false when one of them failed */
export async function killsCommand(parameters: readonly string[], say: Say): Promise<boolean> {
  const values = read(parameters, '50');
  const wanted = values.of.split(',').map((name): Fault => {
    const fault = (['runner', 'chromium', 'memory'] as const).find((known) => known === name);
    if (fault === undefined)
      throw new Error(`Nothing named "${name}" can be killed; there are runner, chromium and memory.`);
    return fault;
  });
  const canLimit = !wanted.includes('memory') || (await limitsMemory());
  if (!canLimit)
    say('Left out: lack of memory. No cgroup with a limit can be made here; it needs root and a writable cgroup.');
  return await runCampaign({
    ...numbersOf(values),
    faults: wanted.filter((fault) => fault !== 'memory' || canLimit),
    say,
  });
}

/** `drains` and its options. @returns false when one of them failed */
export async function drainsCommand(parameters: readonly string[], say: Say): Promise<boolean> {
  return await runCampaign({ ...numbersOf(read(parameters, '100')), faults: ['drain'], say });
}

function read(parameters: readonly string[], times: string) {
  return parseArgs({
    args: [...parameters],
    options: {
      of: { type: 'string', default: 'runner,chromium,memory' },
      times: { type: 'string', default: times },
      'at-once': { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
    },
  }).values;
}

function numbersOf(values: ReturnType<typeof read>): Pick<Campaign, 'times' | 'atOnce' | 'seed'> {
  return {
    times: positive(values.times, '--times'),
    atOnce: positive(values['at-once'], '--at-once'),
    seed: positive(values.seed, '--seed'),
  };
}

async function limitsMemory(): Promise<boolean> {
  const group = await openMemoryCgroup(`rapporteur-bench-try-${process.pid}`);
  await group?.remove();
  return group !== null;
}

/** From one bot to the next, about. */
const eachSeconds = 30;

/** Strikes so many recording bots, each at a sampled time, and reports the outcome. */
export async function runCampaign({ faults, times, seed, atOnce, say }: Campaign): Promise<boolean> {
  const stage = await openStage('kills');
  try {
    say(machine());
    const places = await Promise.all(Array.from({ length: atOnce }, () => stage.meetings()));
    const outcomes: Outcome[] = [];
    const plans = faults.flatMap((fault) => Array.from({ length: times }, (_, index) => planOf(fault, seed + index)));
    say(`${plans.length} recordings, about ${Math.ceil((plans.length * eachSeconds) / atOnce / 60)} minutes in all.`);
    const worker = async (meetings: SimulatedMeetings): Promise<void> => {
      for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
        const outcome = await outcomeOf(plan, { meetings, runner: stage.runner });
        outcomes.push(outcome);
        say(inWords(outcome));
      }
    };
    await Promise.all(places.map(worker));
    for (const line of ['', ...campaignTable(faults, outcomes), '']) say(line);
    const wrong = outcomes.filter(({ verdict }) => verdict.problems.length > 0);
    for (const { plan, verdict } of wrong)
      say(`FAILED ${plan.fault} seed ${plan.seed}: ${verdict.problems.join('; ')}`);
    say(machine());
    return wrong.length === 0;
  } finally {
    await stage.stop();
  }
}

async function outcomeOf(plan: Plan, place: FaultTarget): Promise<Outcome> {
  try {
    const outcome = await injectFault(plan, place);
    return { plan, outcome, verdict: judgeFault(outcome) };
  } catch (error) {
    return { plan, outcome: null, verdict: { lostMs: NaN, awayMs: null, problems: [(error as Error).message] } };
  }
}

function inWords({ plan, outcome, verdict }: Outcome): string {
  const parts = [
    `${plan.fault} seed ${plan.seed}, ${(plan.afterMs / 1_000).toFixed(1)} s into the recording`,
    outcome === null ? null : `${Math.round(verdict.lostMs)} ms lost`,
    verdict.awayMs === null ? null : `${Math.round(verdict.awayMs)} ms away`,
    outcome === null || plan.fault !== 'memory' ? null : outcome.runnerDied ? 'the runner died' : 'the runner lived',
    outcome === null ? null : `ended after ${((outcome.exitedAtMs - outcome.faultAtMs) / 1_000).toFixed(1)} s`,
    ...verdict.problems.map((problem) => `PROBLEM: ${problem}`),
  ];
  return parts.filter((part) => part !== null).join('; ');
}

/** One row for each kind of fault. */
export function campaignTable(faults: readonly Fault[], outcomes: readonly Outcome[]): string[] {
  const spread = (figures: readonly number[]): string => {
    if (figures.length === 0) return '';
    const { median, high } = spreadOf(figures.map((figure) => figure / 1_000));
    return `${median.toFixed(2)} (${high.toFixed(2)})`;
  };
  return [
    '| fault | times | lost before it, s: middle (most) | away, s | until the last run ended, s | files played | as it should |',
    '|---|---|---|---|---|---|---|',
    ...faults.map((fault) => {
      const own = outcomes.filter(({ plan }) => plan.fault === fault);
      const judged = own.flatMap(({ outcome, verdict }) => (outcome === null ? [] : [{ outcome, verdict }]));
      const files = judged.flatMap(({ outcome }) => outcome.files);
      const cells = [
        fault === 'drain' ? 'SIGTERM' : fault === 'memory' ? 'lack of memory' : `SIGKILL of ${fault}`,
        own.length,
        spread(judged.map(({ verdict }) => verdict.lostMs)),
        spread(judged.flatMap(({ verdict }) => (verdict.awayMs === null ? [] : [verdict.awayMs]))),
        spread(judged.map(({ outcome }) => outcome.exitedAtMs - outcome.faultAtMs)),
        `${files.filter(({ errors }) => errors.length === 0).length} of ${files.length}`,
        `${own.filter(({ verdict }) => verdict.problems.length === 0).length} of ${own.length}`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}
