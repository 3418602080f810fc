import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Operator, startServiceStack } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { botStatusChanged } from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { startReceiver } from '@rapporteur/testbed/receiver';
import { cpuMsOf, treeCpuMsOf } from '../measure/cpu.ts';
import { environmentOf } from '../measure/environment.ts';
import { machine, reported, spreadOf } from '../measure/figures.ts';
import type { BareRequests } from './bare-sender.ts';

export interface DeliveriesOptions {
  /** Events per leg; each is one delivery. */
  readonly events: number;
  readonly rounds: number;
  readonly say: (text: string) => void;
}

const goal = 0.25;
/** Each team has one endpoint: the service limits concurrent attempts to one endpoint. */
const teams = 10;
/** The service's own default. */
const atOnce = 50;
/** Warm-up events: a service that runs for days is fully compiled, as the reference soon is. */
const warmUp = 4_000;
const legMs = 120_000;
/** Checkpoints and the WAL writer run a little later. */
const settleMs = 500;
/** The reference is so fast that a leg of the same length would be a few clock ticks. */
const referenceTimes = 10;
const programs = ['delivery', 'nats'] as const;
/** Other services' connections to PostgreSQL have no part in a delivery. */
const counted: ReadonlySet<string> = new Set([...programs, 'postgres: delivery', 'postgres: own processes']);

interface Bench {
  readonly stack: ServiceStack;
  readonly operator: Operator;
  readonly bus: Bus;
  readonly receiver: WebhookReceiver;
  readonly teamIds: readonly string[];
}

/** CPU in ms per delivery, by process. */
type Leg = Readonly<Record<string, number>>;

/**
 * CPU of delivery, its PostgreSQL and NATS from an event on the bus to a settled delivery with its attempt row, over bare
 * keep-alive POST requests with the same body. Throws when a message is lost, sent twice or not settled.
 */
export async function measureDeliveries({ events, rounds, say }: DeliveriesOptions): Promise<void> {
  say(machine());
  const stack = await startServiceStack({ gateways: 1, say });
  const operator = await Operator.open(stack);
  const bus = await connectAsScheduler(stack);
  const receiver = await startWebhookReceiver();
  const reference = fork(join(import.meta.dirname, 'bare-sender.ts'));
  try {
    const bench = { stack, operator, bus, receiver, teamIds: await addReceivers(stack, operator, receiver.url) };
    const bareLeg = (): Promise<number> => bareMs(reference, receiver, events * referenceTimes);
    await legOf(bench, warmUp);
    await bareLeg();
    const legs: Leg[] = [];
    const bares: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bares.push(await bareLeg());
      legs.push(await legOf(bench, events));
    }
    report({ legs, bares, say });
    say(machine());
  } finally {
    reference.disconnect();
    await receiver.close();
    await bus.close();
    await operator.close();
    await stack.stop();
  }
}

async function addReceivers(stack: ServiceStack, operator: Operator, url: string): Promise<string[]> {
  await operator.addPlan({ name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 });
  const ids: string[] = [];
  for (let number = 1; number <= teams; number += 1) {
    const team = await operator.addTeam(`bench ${number}`, { plan: 'bench-wide', tokens: 3_600_000 });
    const response = await fetch(`${stack.gatewayUrls[0] ?? ''}/v2/webhooks/endpoints`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': team.keys.full },
      body: JSON.stringify({ url, events: ['bot.status_change'] }),
      signal: AbortSignal.timeout(10_000),
    });
    if (response.status !== 201) throw new Error(`The endpoint was refused: ${await response.text()}`);
    ids.push(team.id);
  }
  return ids;
}

async function legOf(bench: Bench, events: number): Promise<Leg> {
  const { stack, operator, receiver } = bench;
  receiver.received.clear();
  const before = await serviceCpuOf({ stack, operator, programs });
  await publishAll(bench, events);
  const deadline = performance.now() + legMs;
  while (receiver.received.size < events) {
    if (performance.now() > deadline) throw new Error(`${receiver.received.size} of ${events} messages were received.`);
    await sleep(20);
  }
  await sleep(settleMs);
  const after = await serviceCpuOf({ stack, operator, programs });
  await verify(bench);
  return Object.fromEntries(
    Object.keys(after)
      .filter((part) => counted.has(part))
      // The counters of an ended backend are lost.
      .map((part) => [part, Math.max(0, (after[part] ?? 0) - (before[part] ?? 0)) / events]),
  );
}

/** Bots' changes of status, to all teams in turn. */
async function publishAll({ bus, teamIds }: Bench, events: number): Promise<void> {
  let left = events;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await bus.publish(botStatusChanged.type, eventFor(teamIds[left % teamIds.length] ?? ''));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function eventFor(teamId: string) {
  const at = new Date().toISOString();
  const event = 'bot.status_change';
  const data = {
    botId: randomUUID(),
    teamId,
    sequence: 1,
    calendarEventId: null,
    status: { code: 'in_call_recording', created_at: at, start_time: Math.floor(Date.now() / 1_000) },
    extra: { customer_id: 'c-1', region: 'eu', seats: 12 },
    legacy: null,
    order: { event, sequence: 1, at, previous: {} },
  };
  return { id: randomUUID(), type: botStatusChanged.type, occurredAt: at, data };
}

/** Every message once at the receiver, and as a success with one attempt in the database. */
async function verify({ operator, receiver }: Bench): Promise<void> {
  const twice = [...receiver.received.values()].filter((times) => times > 1).length;
  const [rows] = await operator.query<{ settled: string }>(
    `select count(*) as settled from delivery.deliveries join delivery.attempts as a using (delivery_id)
      where message_id = any($1) and state = 'succeeded' and a.outcome = 'succeeded' and status_code = 204`,
    [[...receiver.received.keys()]],
  );
  const settled = Number(rows?.settled);
  if (twice > 0 || settled !== receiver.received.size)
    throw new Error(`Of ${receiver.received.size} messages ${settled} are settled, and ${twice} were sent twice.`);
}

async function bareMs(reference: ChildProcess, receiver: WebhookReceiver, count: number): Promise<number> {
  const before = cpuMsOf(reference.pid ?? 0);
  reference.send({ url: receiver.url, body: receiver.lastBody(), count, atOnce } satisfies BareRequests);
  await once(reference, 'message', { signal: AbortSignal.timeout(legMs) });
  return (cpuMsOf(reference.pid ?? 0) - before) / count;
}

interface Results {
  readonly legs: readonly Leg[];
  readonly bares: readonly number[];
  readonly say: (text: string) => void;
}

function report({ legs, bares, say }: Results): void {
  const totals = legs.map((leg) => Object.values(leg).reduce((sum, ms) => sum + ms, 0));
  const ratios = totals.map((total, round) => (bares[round] ?? 0) / total);
  const perCpuSecond = (figures: readonly number[]): string =>
    reported(
      figures.map((ms) => 1_000 / ms),
      0,
    );
  say(`reference, bare keep-alive POST requests: ${perCpuSecond(bares)} per CPU-second`);
  say(`deliveries: ${perCpuSecond(totals)} per CPU-second, ${reported(totals)} ms each`);
  for (const part of counted) say(`  ${part.padEnd(24)} ${reported(legs.map((leg) => leg[part] ?? 0))} ms`);
  const { median } = spreadOf(ratios);
  say(`ratio ${reported(ratios, 3)}; goal >= ${goal}: ${median >= goal ? 'met' : 'MISSED'}`);
}

/** A customer's receiver. */
interface WebhookReceiver {
  readonly url: string;
  /** Requests by message id. */
  readonly received: Map<string, number>;
  /** Body of the last request. */
  lastBody(): string;
  close(): Promise<void>;
}

async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received = new Map<string, number>();
  let last = '';
  const { url, calls, close } = await startReceiver(({ headers, body }, response) => {
    const id = String(headers['webhook-id'] ?? '');
    received.set(id, (received.get(id) ?? 0) + 1);
    last = String(body);
    calls.length = 0;
    response.writeHead(204).end();
  });
  return { url: `${url}/hook`, received, lastBody: () => last, close };
}

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A connection with the permissions of bot-scheduler. */
function connectAsScheduler(stack: ServiceStack): Promise<Bus> {
  const environment = environmentOf(stack.pids().get('bot-scheduler') ?? 0);
  const credentials = environment.get('RAPPORTEUR_BUS_CREDENTIALS');
  const url = environment.get('RAPPORTEUR_BUS_URL') ?? '';
  return connectBus({ url, name: 'bench', logger, ...(credentials === undefined ? {} : { credentials }) });
}

interface CountedServices {
  readonly stack: ServiceStack;
  readonly operator: Operator;
  readonly programs: readonly string[];
}

/** CPU so far, in ms, of the programs, and of PostgreSQL's processes by service: `postgres: delivery`. */
async function serviceCpuOf({ stack, operator, programs }: CountedServices): Promise<Record<string, number>> {
  const pids = stack.pids();
  const cpu: Record<string, number> = Object.fromEntries(
    programs.map((name) => [name, treeCpuMsOf(pids.get(name) ?? 0)]),
  );
  const backends = await operator.query<{ pid: number; name: string }>(
    `select pid, case when application_name = '' then 'own processes' else application_name end as name
       from pg_stat_activity where pid <> pg_backend_pid() and backend_type is not null`,
  );
  for (const { pid, name } of backends) {
    const part = `postgres: ${name}`;
    cpu[part] = (cpu[part] ?? 0) + cpuMsOf(pid);
  }
  return cpu;
}
