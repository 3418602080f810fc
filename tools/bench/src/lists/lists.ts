import { setTimeout as sleep } from 'node:timers/promises';
import { Operator, Sender, startServiceStack } from '@rapporteur/api-fuzz';
import { machine, spreadOf } from '../measure/figures.ts';

export interface ListsOptions {
  readonly bots: number;
  readonly repeats: number;
  readonly say: (text: string) => void;
}

interface Page {
  readonly ids: readonly string[];
  readonly cursor: string | null;
  readonly ms: number;
}

interface Case {
  readonly name: string;
  readonly target: string;
  /** How many times the first page it may cost. */
  readonly goal: number;
}

/** Idle PostgreSQL processes publish their statistics within this time. */
const statisticsMs = 11_000;
/** New connections plan a statement at its first run. */
const warmUps = 5;
const goalsOf = (bots: number) =>
  bots <= 10_000 ? { deep: 1.5, filter: 10, sort: 10 } : { deep: 1.5, filter: 60, sort: 500 };

/** Time and buffers of the lists of both generations, each compared with the first page of its own list. */
export async function measureLists({ bots, repeats, say }: ListsOptions): Promise<void> {
  say(machine());
  const stack = await startServiceStack({ gateways: 1, say });
  const operator = await Operator.open(stack);
  const sender = new Sender(stack.gatewayUrls[0] ?? '');
  try {
    await operator.addPlan({ name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 });
    const team = await operator.addTeam('bench', { plan: 'bench-wide', tokens: 3_600_000_000 });
    const lists = new Lists(sender, operator, team.keys.full);
    const pattern = await operator.createBot(team.keys.full, {
      bot_name: 'Pattern',
      meeting_url: 'https://meet.google.com/abc-defg-hij',
    });
    await lists.end(pattern);
    await generateBots(operator, { pattern, count: bots, say });
    say(`${bots} bots of one team; ${repeats} requests per case`);
    const baseline = await lists.idleBuffers();
    for (const [generation, cases] of [
      ['v2', await casesOfV2(lists, bots, say)],
      ['legacy', await casesOfLegacy(lists, bots, say)],
    ] as const) {
      await report(generation, cases, { lists, baseline, repeats, say });
    }
    say(machine());
  } finally {
    sender.close();
    await operator.close();
    await stack.stop();
  }
}

async function casesOfV2(lists: Lists, bots: number, say: (text: string) => void): Promise<Case[]> {
  const walked = await lists.walk('/v2/bots?limit=250', 250);
  say(`v2 walked to its end: ${walked.seen} bots on ${walked.pages} pages, ${walked.twice} of them twice`);
  const middle = Math.floor(bots / 2);
  const goals = goalsOf(bots);
  return [
    { name: 'first page', target: '/v2/bots?limit=50', goal: 1 },
    {
      name: 'deepest page',
      target: `/v2/bots?limit=50&cursor=${encodeURIComponent(walked.lastCursor)}`,
      goal: goals.deep,
    },
    { name: 'extra, one in 10,000', target: '/v2/bots?limit=50&extra=customer:c-17', goal: goals.filter },
    { name: 'extra, two fields', target: '/v2/bots?limit=50&extra=customer:c-17,region:us', goal: goals.filter },
    { name: 'extra, no match', target: '/v2/bots?limit=50&extra=customer:none', goal: goals.filter },
    { name: 'part of a name, few', target: `/v2/bots?limit=50&bot_name=weekly%20${middle}`, goal: goals.filter },
    { name: 'part of a name, all', target: '/v2/bots?limit=50&bot_name=STOMER', goal: goals.filter },
    { name: 'part of a name, none', target: '/v2/bots?limit=50&bot_name=zzzzzz', goal: goals.filter },
    { name: 'part of a link, few', target: '/v2/bots?limit=50&meeting_url=abc-d', goal: goals.filter },
    { name: 'part of a link, hundreds', target: '/v2/bots?limit=50&meeting_url=bc-d', goal: goals.filter },
    { name: 'part of a link, none', target: '/v2/bots?limit=50&meeting_url=teams.live', goal: goals.filter },
    { name: 'a participant of the call', target: '/v2/bots?limit=50&participant_name=ada%204711', goal: goals.filter },
  ];
}

async function casesOfLegacy(lists: Lists, bots: number, say: (text: string) => void): Promise<Case[]> {
  const list = '/bots/bots_with_metadata?limit=50';
  const walked = await lists.walk(list, 50);
  say(`legacy walked to its end: ${walked.seen} bots on ${walked.pages} pages, ${walked.twice} of them twice`);
  const middle = Math.floor(bots / 2);
  const goals = goalsOf(bots);
  return [
    { name: 'first page', target: list, goal: 1 },
    { name: 'deepest page', target: `${list}&cursor=${encodeURIComponent(walked.lastCursor)}`, goal: goals.deep },
    { name: 'filter_by_extra', target: `${list}&filter_by_extra=customer:c-17`, goal: goals.filter },
    { name: 'part of a name', target: `${list}&bot_name=weekly%20${middle}`, goal: goals.filter },
    { name: 'part of a link', target: `${list}&meeting_url=abc-d`, goal: goals.filter },
    { name: 'sort_by_extra, everybody', target: `${list}&sort_by_extra=rank:asc`, goal: goals.sort },
    { name: 'sort_by_extra, few have it', target: `${list}&sort_by_extra=seen:desc`, goal: goals.sort },
    { name: 'sort_by_extra, no match', target: `${list}&sort_by_extra=nothing`, goal: goals.sort },
    {
      name: 'filter and sort',
      target: `${list}&filter_by_extra=customer:c-17&sort_by_extra=rank:desc`,
      goal: goals.sort,
    },
  ];
}

async function report(
  generation: string,
  cases: readonly Case[],
  { lists, baseline, repeats, say }: { lists: Lists; baseline: number; repeats: number; say: (text: string) => void },
): Promise<void> {
  // Buffers of the warm-up are counted by now, so that no case includes them.
  await sleep(statisticsMs);
  const [firstPage] = cases;
  let firstBuffers = 1;
  for (const one of cases) {
    const before = await lists.buffers();
    for (let turn = 0; turn < warmUps; turn += 1) await lists.read(one.target);
    const { times, ratio, found } = await timesBesideFirst(lists, { first: firstPage ?? one, one, repeats });
    await sleep(statisticsMs);
    const read = (await lists.buffers()) - before - baseline;
    if (one === firstPage) firstBuffers = Math.max(1, read / (warmUps + 2 * repeats));
    const buffers = Math.max(1, (read - repeats * firstBuffers) / (warmUps + repeats));
    const { median, low, high } = spreadOf(times);
    const ratios = [ratio, buffers / firstBuffers];
    const verdict = one === firstPage || Math.max(...ratios) <= one.goal ? 'met' : 'MISSED';
    say(
      `${generation} ${one.name.padEnd(26)} ${median.toFixed(1)} ms (${low.toFixed(1)} to ${high.toFixed(1)}), ${buffers.toFixed(0)} buffers, ${found} found; × ${ratios.map((value) => value.toFixed(2)).join(' time, × ')} buffers; goal ${one.goal}: ${verdict}`,
    );
  }
}

/** Alternating with the first page, so that other load on the machine affects both. */
async function timesBesideFirst(
  lists: Lists,
  { first, one, repeats }: { first: Case; one: Case; repeats: number },
): Promise<{ times: number[]; ratio: number; found: number }> {
  const beside: number[] = [];
  const times: number[] = [];
  let found = 0;
  for (let turn = 0; turn < repeats; turn += 1) {
    beside.push((await lists.read(first.target)).ms);
    const page = await lists.read(one.target);
    times.push(page.ms);
    found = page.ids.length;
  }
  return { times, ratio: spreadOf(times).median / spreadOf(beside).median, found };
}

/** The lists of one team, as a customer reads them. */
class Lists {
  readonly #sender: Sender;
  readonly #operator: Operator;
  readonly #key: string;

  constructor(sender: Sender, operator: Operator, key: string) {
    this.#sender = sender;
    this.#operator = operator;
    this.#key = key;
  }

  async end(botId: string): Promise<void> {
    const response = await this.#send('POST', `/v2/bots/${botId}/leave`);
    if (response.status !== 200) throw new Error(`The bot to copy could not be ended: ${response.text}`);
  }

  async read(target: string): Promise<Page> {
    const response = await this.#send('GET', target);
    if (response.status !== 200)
      throw new Error(`GET ${target} answered ${response.status}: ${response.text.slice(0, 300)}`);
    const body = response.json as Record<string, unknown>;
    const items = (body['data'] ?? body['bots']) as Record<string, string>[];
    const cursor = (body['cursor'] ?? body['next_cursor'] ?? null) as string | null;
    return { ids: items.map((item) => item['bot_id'] ?? item['uuid'] ?? ''), cursor, ms: response.durationMs };
  }

  /** Reads all pages; every bot has to occur once. Returns the cursor of the last full page. */
  async walk(
    target: string,
    limit: number,
  ): Promise<{ seen: number; pages: number; twice: number; lastCursor: string }> {
    const seen = new Set<string>();
    let [pages, met, lastCursor] = [0, 0, ''];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await this.read(cursor === '' ? target : `${target}&cursor=${encodeURIComponent(cursor)}`);
      pages += 1;
      met += page.ids.length;
      for (const id of page.ids) seen.add(id);
      if (page.cursor !== null && page.ids.length === limit) lastCursor = cursor === '' ? page.cursor : cursor;
      cursor = page.cursor;
    }
    return { seen: seen.size, pages, twice: met - seen.size, lastCursor };
  }

  /** Pages of 8 KiB of schema `bots` read so far, from memory or disk. */
  async buffers(): Promise<number> {
    const [found] = await this.#operator.query<{ buffers: string }>(
      `select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0)
                  + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0)) as buffers
         from pg_statio_user_tables where schemaname = 'bots' and relname in ('bots', 'bot_access')`,
    );
    return Number(found?.buffers);
  }

  /** The service's own reads during the wait of a case. */
  async idleBuffers(): Promise<number> {
    await sleep(statisticsMs);
    const before = await this.buffers();
    await sleep(statisticsMs);
    return (await this.buffers()) - before;
  }

  #send(method: string, target: string) {
    return this.#sender.send({ method, target, headers: { 'x-service-api-key': this.#key }, body: null });
  }
}

/** Columns as functions of `n`, the number of a bot. One every 30 seconds up to now; they end out of order. */
const columns: Readonly<Record<string, string>> = {
  created_at: `now() - (total - n) * interval '30 seconds'`,
  admitted_at: `now() - (total - n) * interval '30 seconds'`,
  bot_name: `'Customer ' || n * 7919 % 10007 || ' weekly ' || n`,
  meeting_url: `'https://meet.google.com/' || code`,
  canonical_url: `'https://meet.google.com/' || code`,
  join_url: `'https://meet.google.com/' || code`,
  meeting_id: 'code',
  phase: `case when n % 97 = 0 then 'failed' else 'completed' end`,
  status: `case when n % 97 = 0 then 'failed' else 'completed' end`,
  joined_at: `now() - (total - n) * interval '30 seconds'`,
  ended_at: `now() - (total - n) * interval '30 seconds' + random() * interval '1 hour'`,
  duration_ms: '1800000',
  participants: `jsonb_build_array(jsonb_build_object('id', 1, 'name', 'Ada ' || n % 5003))`,
  speakers: `jsonb_build_array(jsonb_build_object('id', 1, 'name', 'Ada ' || n % 5003))`,
  extra: `jsonb_build_object('customer', 'c-' || n * 104729 % 10000, 'region', (array['eu', 'us', 'asia', 'africa'])[1 + n % 4],
            'rank', n * 15485863 % 1000003)
          || case when n % 7 = 0 then '{"seen": true}'::jsonb else '{}'::jsonb end`,
  team_number: 'n + 1',
};
const code = `translate(substr(md5(n::text), 1, 3) || '-' || substr(md5(n::text), 4, 4) || '-' || substr(md5(n::text), 8, 3),
  '0123456789', 'ghijklmnop')`;
const rowsAtOnce = 50_000;

/** Writes so many ended bots of a team, copies of one that was created and ended through the API. */
async function generateBots(
  operator: Operator,
  { pattern, count, say }: { pattern: string; count: number; say: (text: string) => void },
): Promise<void> {
  // Built once over all rows, an inverted index costs a fraction of a million additions to it.
  const inverted = await operator.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where schemaname = 'bots' and indexdef like '% USING gin %'`,
  );
  for (const { name } of inverted) await operator.query(`drop index bots.${name}`);
  for (let from = 0; from < count; from += rowsAtOnce) {
    const values = Object.fromEntries(
      Object.entries(columns).map(([name, sql]) => [
        name,
        sql
          .replaceAll(/\bcode\b/g, code)
          .replaceAll(/\bn\b/g, `(n + ${from})::bigint`)
          .replaceAll('total', String(count + 1)),
      ]),
    );
    await operator.repeatRow('bots', pattern, { count: Math.min(rowsAtOnce, count - from), values });
    say(`${Math.min(count, from + rowsAtOnce)} bots written`);
  }
  for (const { definition } of inverted) await operator.query(definition);
  await operator.query('vacuum analyze bots.bots');
}
