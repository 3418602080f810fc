import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Operator, Sender, startServiceStack } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { cpuMsOf } from '../measure/cpu.ts';
import { machine, spreadOf, reported } from '../measure/figures.ts';
import { serviceCpuOf } from '../measure/service-cpu.ts';
import { Floor } from './floor.ts';
import { sendAll, usualBody } from './load.ts';
import type { Load } from './load.ts';
import { topFunctions } from './profile.ts';

export interface CreateBotOptions {
  readonly requests: number;
  readonly rounds: number;
  readonly profile: boolean;
  readonly say: (text: string) => void;
}

const goal = 5.4;
const programs = ['api-gateway', 'bot-scheduler', 'nats'] as const;
const warmUps = 3;
/** Warm-up requests: a service that runs for days is fully compiled, as the reference soon is. */
const warmAccepted = 4_000;
const settleMs = 500;
/** The reference is so fast that a leg of the same length would be a few clock ticks. */
const referenceTimes = 6;

/** No runner takes these bots; their delay reports would come half a minute later, during another leg. */
const noDelays = { 'bot-scheduler': { PICKUP_DELAYED_AFTER_MS: '3600000' } };

interface Leg {
  /** CPU in ms per request, by process. */
  readonly byProcess: Readonly<Record<string, number>>;
  readonly total: number;
}

/** CPU of POST /v2/bots, PostgreSQL and NATS included, over that of the same Express route which only parses JSON. */
export async function measureCreateBot({ requests, rounds, profile, say }: CreateBotOptions): Promise<void> {
  say(machine());
  const stack = await startServiceStack({ gateways: 1, settings: noDelays, say });
  const operator = await Operator.open(stack);
  const floor = await Floor.open(operator, stack.databaseUrl);
  const reference = fork(join(import.meta.dirname, 'bare-express.ts'));
  try {
    const [port] = (await once(reference, 'message')) as [number];
    const bare = new Sender(`http://127.0.0.1:${port}`);
    const service = new Sender(stack.gatewayUrls[0] ?? '');
    const measured = { stack, operator, sender: service };
    const loads = await loadsOf(operator);
    const [accepted] = loads;
    const bareLeg = async (): Promise<number> => {
      const before = cpuMsOf(reference.pid ?? 0);
      await sendAll(bare, { ...(accepted as Load), name: 'reference' }, requests * referenceTimes);
      return (cpuMsOf(reference.pid ?? 0) - before) / (requests * referenceTimes);
    };
    await sendAll(service, accepted as Load, warmAccepted);
    await floor.leg(accepted as Load, warmAccepted);
    for (let turn = 0; turn < warmUps; turn += 1) {
      await bareLeg();
      for (const load of loads) await legOf(measured, load, Math.ceil(requests / 2));
    }
    const idle = await idleShare(stack, operator);
    say(
      `idle: ${idle.toFixed(1)} ms of CPU per second in all of them; ${requests} requests per leg, ${rounds} rounds ABAB`,
    );
    const legs = new Map<string, Leg[]>();
    const ratios = new Map<string, number[]>();
    const bares: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      floors.push(await floor.leg(accepted as Load, requests * referenceTimes));
      for (const load of loads) {
        const base = await bareLeg();
        bares.push(base);
        const leg = await legOf(measured, load, requests);
        legs.set(load.name, [...(legs.get(load.name) ?? []), leg]);
        ratios.set(load.name, [...(ratios.get(load.name) ?? []), leg.total / base]);
      }
    }
    report({ legs, ratios, bares, floors, say });
    if (profile) for (const line of await topFunctions(stack, accepted as Load, requests * 2)) say(line);
    say(machine());
  } finally {
    reference.disconnect();
    floor.close();
    await operator.close();
    await stack.stop();
  }
}

async function loadsOf(operator: Operator): Promise<Load[]> {
  const wide = { name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 };
  await operator.addPlan(wide);
  await operator.addPlan({ name: 'bench-capped', requestsPerSecond: 1_000, dailyBotCap: 1 });
  await operator.addPlan({ name: 'bench-slow', requestsPerSecond: 1, dailyBotCap: 10 });
  const team = await operator.addTeam('bench', { plan: wide.name, tokens: 3_600_000_000 });
  const capped = await operator.addTeam('bench capped', { plan: 'bench-capped', tokens: 3_600_000 });
  const url = `https://meet.google.com/zzz-zzzz-zzz`;
  return [
    { name: 'accepted (201)', key: team.keys.full, status: 201, body: usualBody },
    {
      name: 'duplicate (409)',
      key: (await withOneBot(operator, url)) ?? '',
      status: 409,
      body: (number) => ({ ...usualBody(number), meeting_url: url, allow_multiple_bots: false }),
    },
    { name: 'over the cap (429)', key: await atItsCap(operator, capped.keys.full), status: 429, body: usualBody },
    {
      name: 'invalid body (400)',
      key: team.keys.full,
      status: 400,
      body: (number) => ({ ...usualBody(number), recording_mode: 'hologram' }),
    },
    { name: 'unknown key (403)', key: `${team.keys.full.slice(0, -6)}000000`, status: 403, body: usualBody },
  ];
}

async function withOneBot(operator: Operator, url: string): Promise<string> {
  const team = await operator.addTeam('bench duplicates', { plan: 'bench-wide', tokens: 3_600_000_000 });
  await operator.createBot(team.keys.full, { bot_name: 'First', meeting_url: url });
  return team.keys.full;
}

async function atItsCap(operator: Operator, key: string): Promise<string> {
  await operator.createBot(key, { bot_name: 'First', meeting_url: 'https://meet.google.com/zzz-zzzz-zzy' });
  return key;
}

interface Measured {
  readonly stack: ServiceStack;
  readonly operator: Operator;
  readonly sender: Sender;
}

async function legOf({ stack, operator, sender }: Measured, load: Load, requests: number): Promise<Leg> {
  const before = await serviceCpuOf({ stack, operator, programs });
  await sendAll(sender, load, requests);
  // Asynchronous work of a request, its events above all, is part of its cost.
  await sleep(settleMs);
  const after = await serviceCpuOf({ stack, operator, programs });
  const byProcess = Object.fromEntries(
    // The counters of an ended backend are lost.
    Object.keys(after).map((name) => [name, Math.max(0, (after[name] ?? 0) - (before[name] ?? 0)) / requests]),
  );
  return { byProcess, total: Object.values(byProcess).reduce((sum, ms) => sum + ms, 0) };
}

async function idleShare(stack: ServiceStack, operator: Operator): Promise<number> {
  const sum = (cpu: Record<string, number>): number => Object.values(cpu).reduce((total, ms) => total + ms, 0);
  const before = sum(await serviceCpuOf({ stack, operator, programs }));
  await sleep(3_000);
  return (sum(await serviceCpuOf({ stack, operator, programs })) - before) / 3;
}

interface Results {
  readonly legs: ReadonlyMap<string, readonly Leg[]>;
  readonly ratios: ReadonlyMap<string, readonly number[]>;
  readonly bares: readonly number[];
  readonly floors: readonly number[];
  readonly say: (text: string) => void;
}

function report({ legs, ratios, bares, floors, say }: Results): void {
  say(`reference, Express with JSON parsing only: ${reported(bares, 3)} ms of CPU per request`);
  say(
    `floor, the same with a hop and one row written, none of our rules: ${reported(floors, 3)} ms; ratio ${(spreadOf(floors).median / spreadOf(bares).median).toFixed(1)}`,
  );
  const first = spreadOf([...ratios.values()][0] ?? []).median;
  for (const [name, found] of legs) {
    const parts = [...new Set(found.flatMap((leg) => Object.keys(leg.byProcess)))];
    const shares = parts
      .map((part) => [part, spreadOf(found.map((leg) => leg.byProcess[part] ?? 0)).median] as const)
      .filter(([, ms]) => ms >= 0.005)
      .map(([part, ms]) => `${part} ${ms.toFixed(2)}`);
    const ratio = ratios.get(name) ?? [];
    say(
      `${name.padEnd(20)} ${reported(found.map((leg) => leg.total))} ms; ratio ${reported(ratio)}; of accepted ${(spreadOf(ratio).median / first).toFixed(2)}; ${shares.join(', ')}`,
    );
  }
  say(`goal: accepted ≤ ${goal}: ${first <= goal ? 'met' : 'missed'}`);
}
