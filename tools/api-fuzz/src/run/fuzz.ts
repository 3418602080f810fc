import { apiDocuments } from '../document/documents.ts';
import type { ApiDocument } from '../document/document.ts';
import { Operator } from '../stack/operator.ts';
import type { Team } from '../stack/operator.ts';
import { logsOf, residentMibOf } from '../stack/service-stack.ts';
import type { ServiceStack } from '../stack/service-stack.ts';
import { judge } from './judge.ts';
import { Memory } from './memory.ts';
import { Planner } from './plan.ts';
import { Random } from './random.ts';
import { Sender } from './send.ts';
import { Worker } from './worker.ts';
import type { Failure } from './worker.ts';
import type { ServiceResponse, PlannedRequest } from './request.ts';

/** Requests and the statuses of their responses, by operation. */
class Tally {
  readonly #statuses = new Map<string, Map<number, number>>();
  readonly #kinds = new Map<string, number>();
  readonly #durations: number[] = [];
  sent = 0;

  add(request: PlannedRequest, response: ServiceResponse): void {
    this.sent += 1;
    const name = `${request.generation} ${request.operation.id}`;
    const statuses = this.#statuses.get(name) ?? new Map<number, number>();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    this.#statuses.set(name, statuses);
    const { kind } = request.expectation;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#durations.push(response.durationMs);
  }

  neverSent(names: readonly string[]): string[] {
    return names.filter((name) => !this.#statuses.has(name));
  }

  lines(): string[] {
    const sorted = this.#durations.toSorted((left, right) => left - right);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
    return [
      ...[...this.#statuses]
        .toSorted(([left], [right]) => left.localeCompare(right))
        .map(
          ([name, statuses]) =>
            `${name.padEnd(34)} ${[...statuses]
              .toSorted(([left], [right]) => left - right)
              .map(([status, count]) => `${status}: ${count}`)
              .join('  ')}`,
        ),
      [...this.#kinds].map(([kind, count]) => `${count} ${kind}`).join(', '),
      `responses: median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(0.999999)} ms`,
    ];
  }
}

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  readonly workers: number;
  /** Only this worker, to reproduce one of its failures. */
  readonly onlyWorker?: number;
}

export interface FuzzReport {
  readonly sent: number;
  readonly failures: readonly Failure[];
  /** Contract violations of the whole run: a process that ended, memory that grew, a secret in a log. */
  readonly problems: readonly string[];
  readonly tally: Tally;
  readonly durationMs: number;
}

const plan = { name: 'fuzz', requestsPerSecond: 1_000, dailyBotCap: 1_000_000 } as const;
const tokens = 3_600_000_000;
/** Maximum growth of a process between the first tenth of a run and its end. */
const mostGrowthMib = 200;
const mostShrunk = 5;

/** Runs all workers against the first gateway, and checks the state after them. */
export async function fuzz(stack: ServiceStack, options: FuzzOptions): Promise<FuzzReport> {
  const startedAt = performance.now();
  const operator = await Operator.open(stack);
  try {
    return await run(options, { stack, operator, startedAt });
  } finally {
    await operator.close();
  }
}

interface Harness {
  readonly stack: ServiceStack;
  readonly operator: Operator;
  readonly startedAt: number;
}

async function run(options: FuzzOptions, { stack, operator, startedAt }: Harness): Promise<FuzzReport> {
  const documents = apiDocuments();
  const sender = new Sender(stack.gatewayUrls[0] ?? '');
  await operator.addPlan(plan);
  const neighbourTeam = await operator.addTeam('neighbour', { plan: plan.name, tokens });
  const neighbour = await furnish(documents, sender, neighbourTeam);
  const before = await snapshot(sender, neighbour, neighbourTeam);
  const pids = stack.pids();
  const tally = new Tally();
  const memory = new MemoryWatch(pids, Math.ceil(options.requests / 10));
  const numbers = Array.from({ length: options.workers }, (_, at) => at);
  const teams = await Promise.all(
    numbers.map((number) => operator.addTeam(`fuzz ${number}`, { plan: plan.name, tokens, formerKeys: true })),
  );
  const workers = numbers
    .filter((number) => options.onlyWorker === undefined || options.onlyWorker === number)
    .map(
      (number) =>
        new Worker({
          documents,
          sender,
          seed: options.seed,
          worker: number,
          workers: options.workers,
          keys: (teams[number] as Team).keys,
          neighbour: neighbour.memory,
          onResponse: (request, response) => {
            tally.add(request, response);
            memory.poll(tally.sent);
          },
        }),
    );
  await Promise.all(workers.map((worker) => worker.run(Math.ceil(options.requests / options.workers))));
  const failures = workers.flatMap((worker) => worker.failures);
  const problems = [
    ...processProblems(pids, stack.pids()),
    ...memory.problems(),
    ...(await neighbourProblems(sender, { neighbour, team: neighbourTeam, before })),
    ...logProblems(stack, [...teams, neighbourTeam]),
  ];
  const small = await withSmallestBodies(failures, documents, sender);
  sender.close();
  return { sent: tally.sent, failures: small, problems, tally, durationMs: performance.now() - startedAt };
}

interface Neighbour {
  readonly memory: Memory;
  readonly paths: readonly string[];
}

/** A team with resources that must be unchanged after the other requests. */
async function furnish(documents: readonly ApiDocument[], sender: Sender, team: Team): Promise<Neighbour> {
  const memory = new Memory();
  const paths: string[] = [];
  const random = new Random(1);
  const planner = new Planner({
    document: documents[0] as ApiDocument,
    random,
    memory,
    neighbour: new Memory(),
    keys: team.keys,
  });
  const bot = { bot_name: 'Neighbour', meeting_url: 'https://meet.google.com/nei-ghbo-urs', extra: { mine: true } };
  const creations: [string, object, string][] = [
    ['createBot', bot, '/v2/bots/'],
    ['createBot', { ...bot, bot_name: 'Second' }, '/v2/bots/'],
    ['scheduleBot', { ...bot, join_at: new Date(Date.now() + 86_400_000).toISOString() }, '/v2/bots/scheduled/'],
    ['createWebhookEndpoint', { url: 'https://neighbour.invalid/hook', enabled: false }, '/v2/webhooks/endpoints/'],
    [
      'createZoomCredential',
      { name: 'Mine', client_id: 'an-app', client_secret: 'its-secret' },
      '/v2/zoom-credentials/',
    ],
  ];
  for (const [id, value, place] of creations) {
    const operation = planner.operation(id);
    if (operation === null) continue;
    const draft = { ...planner.draft(operation), path: {}, query: {}, hasBody: true, value };
    const response = await sender.send(
      planner.write({ ...draft, headers: { 'x-service-api-key': team.keys.full } }, { kind: 'fits', refusal: null }),
    );
    if (response.status !== 201) throw new Error(`${id} for the neighbour got ${response.status}: ${response.text}`);
    memory.noteCreated(operation, response.json);
    memory.noteResponse(operation, response.json);
    const data = (response.json as { data: Record<string, string> }).data;
    paths.push(`${place}${data['bot_id'] ?? data['endpoint_id'] ?? data['credential_id'] ?? ''}`);
  }
  return { memory, paths };
}

async function snapshot(sender: Sender, neighbour: Neighbour, team: Team): Promise<string[]> {
  const found: string[] = [];
  for (const target of neighbour.paths) {
    const headers = { 'x-service-api-key': team.keys.full };
    const response = await sender.send({ method: 'GET', target, headers, body: null });
    // Time passes, and a bot that waits too long for a slot changes its state by itself.
    const changesAlone = /"(?:status|updated_at|happened)":"[^"]*"|,\{"code":"pickup_delayed"[^}]*\}/g;
    found.push(response.text.replaceAll(changesAlone, ''));
  }
  return found;
}

async function neighbourProblems(
  sender: Sender,
  { neighbour, team, before }: { neighbour: Neighbour; team: Team; before: readonly string[] },
): Promise<string[]> {
  const after = await snapshot(sender, neighbour, team);
  return after.flatMap((text, at) =>
    text === before[at]
      ? []
      : [`${neighbour.paths[at] ?? ''} of another team changed from ${before[at] ?? ''} to ${text}`],
  );
}

function processProblems(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  return [...before].flatMap(([name, pid]) =>
    after.get(name) === pid && residentMibOf(pid) > 0 ? [] : [`${name} (process ${pid}) ended during the run`],
  );
}

function logProblems(stack: ServiceStack, teams: readonly Team[]): string[] {
  const secrets = teams.flatMap((team) => Object.values(team.keys)).filter((secret) => secret !== '');
  const problems: string[] = [];
  for (const [name, text] of logsOf(stack.logFolder)) {
    if (secrets.some((secret) => text.includes(secret))) problems.push(`${name} holds an API key`);
    const severe = /^.*"level":(?:"fatal"|60).*$/m.exec(text)?.[0];
    if (severe !== undefined) problems.push(`${name}: ${severe.slice(0, 300)}`);
  }
  return problems;
}

/** Resident memory after the first tenth of a run against its end. */
class MemoryWatch {
  readonly #pids: ReadonlyMap<string, number>;
  readonly #after: number;
  #first: ReadonlyMap<string, number> | null = null;

  constructor(pids: ReadonlyMap<string, number>, after: number) {
    this.#pids = pids;
    this.#after = after;
  }

  poll(sent: number): void {
    if (this.#first === null && sent >= this.#after) this.#first = this.#now();
  }

  problems(): string[] {
    const first = this.#first ?? new Map<string, number>();
    return [...this.#now()].flatMap(([name, mib]) => {
      const grown = mib - (first.get(name) ?? mib);
      return grown > mostGrowthMib ? [`${name} grew by ${Math.round(grown)} MiB to ${Math.round(mib)} MiB`] : [];
    });
  }

  #now(): Map<string, number> {
    return new Map([...this.#pids].map(([name, pid]) => [name, residentMibOf(pid)]));
  }
}

/** Repeats the first failures with ever smaller bodies, while they fail in the same way. */
async function withSmallestBodies(
  failures: readonly Failure[],
  documents: readonly ApiDocument[],
  sender: Sender,
): Promise<Failure[]> {
  const result: Failure[] = [];
  for (const [at, failure] of failures.entries()) {
    const { request } = failure;
    const document = documents.find(({ name }) => name === request.generation);
    const isShrinkable =
      at < mostShrunk &&
      ['server error', 'undocumented status', 'off schema', 'envelope', 'leak'].includes(failure.kind) &&
      document !== undefined &&
      request.value !== undefined &&
      request.body?.toString('utf8') === JSON.stringify(request.value);
    if (!isShrinkable) {
      result.push(failure);
      continue;
    }
    const written = (value: unknown) => ({ ...request, value, body: Buffer.from(JSON.stringify(value)) });
    const smallest = await shrink(request.value, async (value) => {
      const smaller = { ...written(value), expectation: { kind: 'odd' as const, reason: 'cut down' } };
      const response = await sender.send(smaller).catch(() => null);
      return response !== null && judge(document, smaller, response).some(({ kind }) => kind === failure.kind);
    });
    result.push({ ...failure, request: written(smallest) });
  }
  return result;
}

/** Maximum number of smaller bodies tried. */
const mostTries = 60;

/**
 * The smallest body found for which `stillFails` holds: members and items are removed one at a time, texts are halved.
 */
export async function shrink(value: unknown, stillFails: (smaller: unknown) => Promise<boolean>): Promise<unknown> {
  let best = value;
  let tries = 0;
  for (let improved = true; improved;) {
    improved = false;
    for (const smaller of smallerThan(best)) {
      tries += 1;
      if (tries > mostTries) return best;
      if (!(await stillFails(smaller))) continue;
      best = smaller;
      improved = true;
      break;
    }
  }
  return best;
}

/** Every value with one element removed, the largest cuts first. */
export function smallerThan(value: unknown): unknown[] {
  if (typeof value === 'string') return value.length > 1 ? [value.slice(0, Math.ceil(value.length / 2))] : [];
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return [
      ...items.map((_, at) => items.filter((_item, other) => other !== at)),
      ...items.flatMap((item, at) => smallerThan(item).map((inner) => items.with(at, inner))),
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  return [
    ...entries.map(([name]) => Object.fromEntries(entries.filter(([other]) => other !== name))),
    ...entries.flatMap(([name, inner]) => smallerThan(inner).map((smaller) => ({ ...value, [name]: smaller }))),
  ];
}
