import { numberedMeeting } from '../values/numbered-meeting.ts';
import type { Operator, Team } from '../stack/operator.ts';
import { Sender } from '../run/send.ts';
import type { ServiceResponse } from '../run/request.ts';
import type { ServiceStack } from '../stack/service-stack.ts';

/** One round of one race: the observed result and, when it was not exact, the problem. */
export interface RaceResult {
  readonly race: string;
  readonly seen: string;
  readonly problems: readonly string[];
}

const plans = {
  wide: { name: 'race-wide', requestsPerSecond: 1_000, dailyBotCap: 1_000_000 },
  capped: { name: 'race-capped', requestsPerSecond: 1_000, dailyBotCap: 75 },
  slow: { name: 'race-slow', requestsPerSecond: 20, dailyBotCap: 1_000_000 },
} as const;
const manyTokens = 1_000_000_000;
const reservedPerBot = 1_800;
/** Rows here are temporary: the relay deletes what it published. */
const passing = new Set(['outbox']);

/** Races between requests that reach several gateways at the same moment. */
export class Races {
  readonly #operator: Operator;
  readonly #senders: readonly Sender[];
  #rowsPerBot: Readonly<Record<string, number>> = {};
  #round = 0;

  private constructor(stack: ServiceStack, operator: Operator) {
    this.#operator = operator;
    this.#senders = stack.gatewayUrls.map((url) => new Sender(url));
  }

  static async open(stack: ServiceStack, operator: Operator): Promise<Races> {
    const races = new Races(stack, operator);
    for (const plan of Object.values(plans)) await operator.addPlan(plan);
    await races.#countRowsPerBot();
    return races;
  }

  close(): void {
    for (const sender of this.#senders) sender.close();
  }

  /** 100 concurrent requests for one meeting with allow_multiple_bots false: exactly one succeeds. */
  async oneBotPerMeeting(): Promise<RaceResult> {
    const team = await this.#team('wide', manyTokens);
    const url = this.#meeting();
    const body = { meeting_url: url, allow_multiple_bots: false };
    return this.#race('one bot per meeting', team, {
      count: 100,
      accepted: 1,
      refusal: 409,
      code: 'FST_ERR_BOT_ALREADY_EXISTS',
      body,
    });
  }

  /** 200 concurrent requests with a daily cap of 75: exactly 75 succeed. */
  async dailyCap(): Promise<RaceResult> {
    const team = await this.#team('capped', manyTokens);
    return this.#race('daily cap', team, {
      count: 200,
      accepted: 75,
      refusal: 429,
      code: 'FST_ERR_DAILY_BOT_CAP_REACHED',
      body: {},
    });
  }

  /** 60 concurrent requests with tokens for 20: exactly 20 succeed, and the balance is never negative. */
  async tokens(): Promise<RaceResult> {
    const team = await this.#team('wide', 20 * reservedPerBot);
    return this.#race('tokens', team, {
      count: 60,
      accepted: 20,
      refusal: 402,
      code: 'FST_ERR_INSUFFICIENT_TOKENS',
      body: {},
    });
  }

  /** A burst over the rate limit: exactly the limit within a second; other teams and GET go through. */
  async rateLimit(): Promise<RaceResult> {
    const limit = plans.slow.requestsPerSecond;
    const [team, bystander] = [await this.#team('slow', 1), await this.#team('slow', 1)];
    const target = '/v2/bots/3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11/leave';
    const startedAt = performance.now();
    const [burst, others, reads] = await Promise.all([
      this.#atOnce(200, () => ({ method: 'POST', target, key: team.keys.full })),
      this.#atOnce(limit, () => ({ method: 'POST', target, key: bystander.keys.full })),
      this.#atOnce(60, () => ({ method: 'GET', target: target.replace('/leave', ''), key: team.keys.full })),
    ]);
    const seconds = (performance.now() - startedAt) / 1_000;
    const admitted = burst.filter(({ status }) => status === 404).length;
    const refused = burst.filter(({ status }) => status === 429);
    const most = limit * (Math.floor(seconds) + 1);
    const problems = [
      ...(admitted < limit || admitted > most
        ? [`${admitted} of 200 passed within ${seconds.toFixed(2)} s, the limit is ${limit} a second`]
        : []),
      ...(admitted + refused.length === 200 ? [] : [`statuses beside 404 and 429: ${statusesOf(burst)}`]),
      ...(others.every(({ status }) => status === 404)
        ? []
        : [`a team within its limit was refused: ${statusesOf(others)}`]),
      ...(reads.every(({ status }) => status === 404) ? [] : [`GET was limited: ${statusesOf(reads)}`]),
      ...refused.flatMap((response) => retryProblems(response)).slice(0, 3),
    ];
    return { race: 'rate limit', seen: `${admitted} admitted of 200 in ${seconds.toFixed(2)} s`, problems };
  }

  /** A revoked key: no request that starts a second later is accepted, at any gateway. */
  async revokedKey(): Promise<RaceResult> {
    const team = await this.#team('wide', 1);
    const sendRequest = (sender: Sender) =>
      sender.send({
        method: 'GET',
        target: '/v2/webhooks/event-types',
        headers: { 'x-service-api-key': team.keys.full },
        body: null,
      });
    await Promise.all(this.#senders.map(sendRequest));
    await this.#operator.revokeKeys(team.id);
    const revokedAt = performance.now();
    let lastAdmittedMs = 0;
    for (let startedMs = 0; startedMs < 1_500; startedMs = performance.now() - revokedAt) {
      const responses = await Promise.all(this.#senders.map(sendRequest));
      if (responses.some(({ status }) => status === 200)) lastAdmittedMs = startedMs;
    }
    const problems =
      lastAdmittedMs <= 1_000 ? [] : [`a key still worked ${Math.round(lastAdmittedMs)} ms after it was revoked`];
    return { race: 'revoked key', seen: `last admitted ${Math.round(lastAdmittedMs)} ms after`, problems };
  }

  async #race(
    race: string,
    team: Team,
    expected: { count: number; accepted: number; refusal: number; code: string; body: object },
  ): Promise<RaceResult> {
    const before = await this.#operator.rowsOf(team.id);
    const responses = await this.#atOnce(expected.count, () => ({
      method: 'POST',
      target: '/v2/bots',
      key: team.keys.full,
      body: { bot_name: 'Racer', meeting_url: this.#meeting(), ...expected.body },
    }));
    const accepted = responses.filter(({ status }) => status === 201).length;
    const refused = responses.filter(
      ({ status, json }) => status === expected.refusal && (json as { code?: string }).code === expected.code,
    ).length;
    const problems = [
      ...(accepted === expected.accepted
        ? []
        : [`${accepted} accepted in place of ${expected.accepted}: ${statusesOf(responses)}`]),
      ...(accepted + refused === expected.count
        ? []
        : [`responses beside 201 and ${expected.code}: ${statusesOf(responses)}`]),
      ...this.#rowProblems(before, await this.#operator.rowsOf(team.id), accepted),
      ...this.#tokenProblems(await this.#operator.tokensOf(team.id), accepted),
    ];
    return { race, seen: `${accepted} accepted of ${expected.count}`, problems };
  }

  #rowProblems(before: Record<string, number>, after: Record<string, number>, accepted: number): string[] {
    return Object.entries(after).flatMap(([table, rows]) => {
      const wanted = (before[table] ?? 0) + accepted * (this.#rowsPerBot[table] ?? 0);
      return rows === wanted || passing.has(table)
        ? []
        : [`table ${table} has ${rows} rows, ${accepted} bots make ${wanted}`];
    });
  }

  #tokenProblems({ balance, reserved }: { balance: number; reserved: number }, accepted: number): string[] {
    const exact = reserved === accepted * reservedPerBot;
    return balance >= 0 && reserved <= balance && exact
      ? []
      : [`${reserved} of ${balance} tokens are reserved for ${accepted} bots`];
  }

  /** Rows per accepted bot in each table, measured with one bot. */
  async #countRowsPerBot(): Promise<void> {
    const team = await this.#team('wide', manyTokens);
    const before = await this.#operator.rowsOf(team.id);
    const [response] = await this.#atOnce(1, () => ({
      method: 'POST',
      target: '/v2/bots',
      key: team.keys.full,
      body: { bot_name: 'Racer', meeting_url: this.#meeting() },
    }));
    if (response?.status !== 201)
      throw new Error(`A bot to count by was refused: ${response?.status} ${response?.text}`);
    const after = await this.#operator.rowsOf(team.id);
    this.#rowsPerBot = Object.fromEntries(
      Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)]),
    );
  }

  #atOnce(
    count: number,
    make: () => { method: string; target: string; key: string; body?: object },
  ): Promise<ServiceResponse[]> {
    return Promise.all(
      Array.from({ length: count }, (_, at) => {
        const { method, target, key, body } = make();
        const sender = this.#senders[at % this.#senders.length] as Sender;
        const headers = {
          'x-service-api-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        };
        return sender.send({
          method,
          target,
          headers,
          body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
        });
      }),
    );
  }

  #team(plan: keyof typeof plans, tokens: number): Promise<Team> {
    this.#round += 1;
    return this.#operator.addTeam(`race ${this.#round}`, { plan: plans[plan].name, tokens });
  }

  #meetings = 0;
  /** Another meeting each time. */
  #meeting(): string {
    this.#meetings += 1;
    return numberedMeeting(this.#meetings);
  }
}

function statusesOf(responses: readonly ServiceResponse[]): string {
  const counts = new Map<number, number>();
  for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

function retryProblems({ json, headers }: ServiceResponse): string[] {
  const { retryAfter } = json as { retryAfter?: number };
  return retryAfter === 1 && headers['retry-after'] === '1' ? [] : [`429 says retryAfter ${String(retryAfter)}`];
}
