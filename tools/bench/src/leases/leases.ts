import { setTimeout as sleep } from 'node:timers/promises';
import { Operator, startServiceStack } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { leaseReply, runnerSubjects } from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { treeCpuMsOf } from '../measure/cpu.ts';
import { environmentOf } from '../measure/environment.ts';
import { machine } from '../measure/figures.ts';

const renewEveryMs = 3_000;
const ticksPerInterval = 30;
const warmUpMs = 10_000;
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * The cost for two schedulers when so many runners renew their leases every 3 s: CPU, commits, and the latency of a
 * runner's response. A runner is one lease row, and sends the real one's requests over the bus.
 */
export async function measureLeases(options: {
  readonly bots: number;
  readonly seconds: number;
  readonly say: (text: string) => void;
}): Promise<void> {
  const { bots, seconds, say } = options;
  say(machine());
  const stack = await startServiceStack({ gateways: 1, say });
  const operator = await Operator.open(stack);
  await stack.startCopy('bot-scheduler');
  const bus = await connectAsScheduler(stack);
  try {
    const botIds = await writeLeases(operator, stack.gatewayUrls[0] ?? '', bots);
    const idle = await costOf(stack, operator, () => sleep(seconds * 1_000));
    say(describe(`idle, ${seconds} s`, idle));
    const runners = new Runners(bus, botIds);
    await runners.renewFor(warmUpMs);
    runners.forget();
    const busy = await costOf(stack, operator, () => runners.renewFor(seconds * 1_000));
    say(describe(`${bots} runners, ${seconds} s`, busy));
    say(`because of the renewals: ${(busy.commitsPerSecond - idle.commitsPerSecond).toFixed(1)} commits/s`);
    say(runners.describe());
    const [lost] = await operator.query<{ count: string }>(`select count(*) from bots.leases where state <> 'held'`);
    say(`leases that are not held any more: ${lost?.count}`);
    say(machine());
  } finally {
    await bus.close();
    await operator.close();
    await stack.stop();
  }
}

/** One connection with the services' own permissions represents all runners, or a service that publishes. */
export function connectAsScheduler(stack: ServiceStack): Promise<Bus> {
  const environment = environmentOf(stack.pids().get('bot-scheduler') ?? 0);
  const credentials = environment.get('RAPPORTEUR_BUS_CREDENTIALS');
  const url = environment.get('RAPPORTEUR_BUS_URL') ?? '';
  return connectBus({ url, name: 'bench', logger, ...(credentials === undefined ? {} : { credentials }) });
}

/** Recording bots, each with a held lease; no scheduler has their process. */
export async function writeLeases(operator: Operator, gatewayUrl: string, bots: number): Promise<string[]> {
  await operator.addPlan({ name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 });
  const team = await operator.addTeam('bench', { plan: 'bench-wide', tokens: 3_600_000_000 });
  const response = await fetch(`${gatewayUrl}/v2/bots`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-api-key': team.keys.full },
    body: JSON.stringify({ bot_name: 'Bench', meeting_url: 'https://meet.google.com/abc-defg-hij' }),
  });
  if (response.status !== 201) throw new Error(`The bot was refused with ${response.status}.`);
  const first = ((await response.json()) as { data: { bot_id: string } }).data.bot_id;
  await operator.query(`update bots.bots set wants_run = null where id = $1`, [first]);
  const values = { phase: `'recording'`, status: `'in_call_recording'`, attempt: '1', team_number: '1000 + n' };
  await operator.repeatRow('bots', first, { count: bots, values });
  await operator.query(
    `insert into bots.leases (bot_id, attempt, fencing, mode, run_name, state, created_at, renewed_at, applied_sequence)
     select id, 1, 1, 'attend', 'bot-' || id || '-1', 'held', now(), now(), 1 from bots.bots where phase = 'recording'`,
  );
  const rows = await operator.query<{ bot_id: string }>('select bot_id from bots.leases');
  return rows.map(({ bot_id: botId }) => botId);
}

interface Cost {
  readonly commitsPerSecond: number;
  /** Of one core, by what runs. */
  readonly cores: ReadonlyMap<string, number>;
}

async function costOf(stack: ServiceStack, operator: Operator, work: () => Promise<void>): Promise<Cost> {
  const commits = async (): Promise<number> => {
    const [row] = await operator.query<{ commits: string }>(
      'select xact_commit as commits from pg_stat_database where datname = current_database()',
    );
    return Number(row?.commits);
  };
  const cpu = () =>
    new Map([...stack.pids()].filter(([name]) => involved.test(name)).map(([name, pid]) => [name, treeCpuMsOf(pid)]));
  const [commitsBefore, cpuBefore, beganMs] = [await commits(), cpu(), performance.now()];
  await work();
  const [cpuAfter, tookMs] = [cpu(), performance.now() - beganMs];
  // The statistics of a connection appear a second after their use.
  await sleep(1_500);
  return {
    commitsPerSecond: ((await commits()) - commitsBefore) / (tookMs / 1_000),
    cores: new Map([...cpuAfter].map(([name, ms]) => [name, (ms - (cpuBefore.get(name) ?? 0)) / tookMs])),
  };
}

const involved = /^(bot-scheduler|copy \d+|postgres|nats)$/;

function describe(what: string, { commitsPerSecond, cores }: Cost): string {
  const parts = [...cores].map(([name, share]) => `${name} ${(share * 100).toFixed(1)} %`).join(', ');
  const schedulers = [...cores].filter(([name]) => /^(bot-scheduler|copy \d+)$/.test(name));
  const together = schedulers.reduce((sum, [, share]) => sum + share, 0);
  return `${what}: ${commitsPerSecond.toFixed(1)} commits/s; of one core: ${parts}; both schedulers ${(together * 100).toFixed(1)} %`;
}

class Runners {
  readonly #bus: Bus;
  readonly #botIds: readonly string[];
  #waitsMs: number[] = [];
  #fallbacks = 0;
  #failures = 0;
  #notHeld = 0;

  constructor(bus: Bus, botIds: readonly string[]) {
    this.#bus = bus;
    this.#botIds = botIds;
  }

  forget(): void {
    this.#waitsMs = [];
    this.#fallbacks = 0;
    this.#failures = 0;
    this.#notHeld = 0;
  }

  /** Every runner once per interval, spread over it. */
  async renewFor(ms: number): Promise<void> {
    const perTick = Math.ceil(this.#botIds.length / ticksPerInterval);
    const tickMs = renewEveryMs / ticksPerInterval;
    const under: Promise<void>[] = [];
    const beganMs = performance.now();
    for (let tick = 0; tick * tickMs < ms; tick += 1) {
      const from = (tick % ticksPerInterval) * perTick;
      for (const botId of this.#botIds.slice(from, from + perTick)) under.push(this.#renew(botId));
      await sleep(Math.max(0, beganMs + (tick + 1) * tickMs - performance.now()));
    }
    await Promise.all(under);
  }

  async #renew(botId: string): Promise<void> {
    const request = { botId, attempt: 1, fencing: 1, results: [] };
    const beganMs = performance.now();
    try {
      const reply = await this.#bus
        .request(runnerSubjects.lease(botId), request, { timeoutMs: 1_000 })
        .catch(async () => {
          this.#fallbacks += 1;
          return await this.#bus.request(runnerSubjects.leaseOfAny(botId), request, { timeoutMs: 3_000 });
        });
      this.#waitsMs.push(performance.now() - beganMs);
      if (!leaseReply.parse(reply).held) this.#notHeld += 1;
    } catch {
      this.#failures += 1;
    }
  }

  describe(): string {
    const sorted = this.#waitsMs.toSorted((a, b) => a - b);
    const at = (share: number): string => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`;
    return `${sorted.length} renewals; response after ${at(0.5)} (median), ${at(0.99)} (99 %), ${at(1)} (longest); sent to every instance ${this.#fallbacks}, without any response ${this.#failures}, refused ${this.#notHeld}`;
  }
}
