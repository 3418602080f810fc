import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';
import { admitRequest } from './rate-limit.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const body = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
let edge: Edge;
let replicas: string[] = [];

beforeAll(async () => {
  edge = await startEdge();
  edge.scheduler.response = { status: 201, body: { success: true, data: { bot_id: botId } } };
  replicas = [await edge.startGateway(), await edge.startGateway()];
});
afterAll(() => edge.stop());

/** Concurrent requests, distributed over the replicas. */
function burst(count: number, key: string) {
  return Promise.all(
    Array.from({ length: count }, (_, at) => send('post', `${replicas[at % replicas.length]}/v2/bots`, { key, body })),
  );
}

/**
 * Expects a burst to be admitted up to the limit and no further; once per second that it takes, which is more than one
 * on a busy machine. @returns its results
 */
async function limited<Result extends { status: number }>(limit: number, sent: Promise<Result[]>): Promise<Result[]> {
  const beganMs = performance.now();
  const results = await sent;
  const seconds = Math.ceil((performance.now() - beganMs) / 1_000);
  const admitted = results.length - statuses(results, 429);
  expect(admitted).toBeGreaterThanOrEqual(limit);
  expect(admitted).toBeLessThanOrEqual(limit * seconds);
  return results;
}

const statuses = (results: { status: number }[], wanted: number) =>
  results.filter(({ status }) => status === wanted).length;

/** Moves the admitted requests out of the window, instead of waiting for a second. */
async function letSecondPass(teamId: string): Promise<void> {
  await edge.database.query(
    `update rate_windows set passed = (select array_agg(stamp - 1000000 order by stamp) from unnest(passed) stamp) where team_id = $1`,
    [teamId],
  );
}

describe('the rate limit', () => {
  test("admits exactly the plan's number across two replicas, and counts keys of one team together", async () => {
    const teamId = await edge.createTeam('pay_as_you_go');
    const [one, two] = [await edge.createKey(teamId, 'full'), await edge.createKey(teamId, 'sending')];
    const forwardedBefore = edge.scheduler.calls.length;
    const both = Promise.all([burst(10, one), burst(10, two)]);
    const results = await limited(
      5,
      both.then((bursts) => bursts.flat()),
    );
    const letIn = statuses(results, 201);
    const others = results.filter(({ status }) => status !== 201 && status !== 429);
    expect(others.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
    expect(edge.scheduler.calls.length - forwardedBefore).toBe(letIn);
  });

  test('admits exactly the limit in each second of a burst of thousands, and leaves the other team alone', async () => {
    const limit = 50;
    const teamId = await edge.createTeam('self_hosted');
    const key = await edge.createKey(teamId, 'full');
    const otherKey = await edge.createKey(await edge.createTeam('self_hosted'), 'full');
    // The admissions recorded by the database, with the times of its own clock, are the reference.
    await edge.database.query('create table admissions (at bigint not null)');
    await edge.database.query(`create function note_admission() returns trigger language plpgsql as $$ begin
      insert into admissions values (new.passed[cardinality(new.passed)]); return null; end $$`);
    await edge.database.query(`create trigger note_admission after update on rate_windows for each row
      when (new.team_id = '${teamId}') execute function note_admission()`);
    let sent = 0;
    let letIn = 0;
    const hammer = async (replica: string): Promise<void> => {
      while (sent < 3_000) {
        sent += 1;
        const { status } = await send('post', `${replica}/v2/bots`, { key, body });
        if (status === 201) letIn += 1;
      }
    };
    const calm = () => Promise.all(replicas.map((one) => send('post', `${one}/v2/bots`, { key: otherKey, body })));
    const [others] = await Promise.all([
      calm(),
      ...Array.from({ length: 16 }, (_, at) => hammer(replicas[at % replicas.length] ?? '')),
    ]);
    expect(others.map(({ status }) => status)).toEqual([201, 201]);
    const [judged] = await edge.database.query<{ count: number; early: number }>(
      `select count(*)::int as count, count(*) filter (where at - before < 1000000)::int as early
         from (select at, lag(at, ${limit}) over (order by at) as before from admissions) as pairs`,
    );
    expect(judged).toEqual({ count: letIn, early: 0 });
    expect(letIn).toBeGreaterThanOrEqual(2 * limit);
  });

  test.each([1, 64, 65, 1000])('never lets in more than %d, nor fewer of that many at once', async (limit) => {
    const teamId = await edge.createTeam();
    const decisions = [];
    const startedAt = performance.now();
    for (let turn = 0; turn < limit + 10; turn += 1)
      decisions.push(await admitRequest(edge.database, teamId, limit, 'change'));
    const admitted = decisions.filter((decision) => decision.admitted).length;
    expect(admitted).toBeGreaterThanOrEqual(limit);
    if (performance.now() - startedAt < 1_000) expect(admitted).toBe(limit);
    expect(decisions[0]).toEqual({ admitted: true, remaining: limit - 1 });
  });

  test('states how many are left and when to come back', async () => {
    const key = await edge.createKey(await edge.createTeam('pay_as_you_go'), 'full');
    const first = await send('post', `${replicas[0]}/v2/bots`, { key, body });
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': '1',
    });
    const refused = await waitFor(async () => (await burst(6, key)).find(({ status }) => status === 429), {
      what: 'a burst within a second',
    });
    expect(refused.get('retry-after')).toBe('1');
    expect(refused.body).toEqual({
      success: false,
      error: 'Rate Limited',
      code: 'FST_ERR_TOO_MANY_REQUESTS',
      statusCode: 429,
      message: 'Too many requests in this second for this team.',
      details: null,
      retryAfter: 1,
    });
  });

  test('slides: a second later the team may go on, and a refused request has cost nothing', async () => {
    const teamId = await edge.createTeam('pay_as_you_go');
    const key = await edge.createKey(teamId, 'full');
    for (let round = 0; round < 3; round += 1) {
      await limited(5, burst(8, key));
      await letSecondPass(teamId);
    }
  });

  test('survives a clock that was set back', async () => {
    const teamId = await edge.createTeam('pay_as_you_go');
    const key = await edge.createKey(teamId, 'full');
    await burst(5, key);
    await edge.database.query(
      `update rate_windows set passed = (select array_agg(stamp + 3600000000 order by stamp) from unnest(passed) stamp) where team_id = $1`,
      [teamId],
    );
    await limited(5, burst(8, key));
  });

  test('follows a plan that got smaller', async () => {
    const teamId = await edge.createTeam('self_hosted');
    const key = await edge.createKey(teamId, 'full');
    const admitted = await burst(20, key);
    expect(admitted.filter(({ status }) => status !== 201)).toEqual([]);
    await edge.database.query(`update teams set plan = 'pay_as_you_go' where team_id = $1`, [teamId]);
    await letSecondPass(teamId);
    const later = await edge.createKey(teamId, 'full');
    await limited(5, burst(12, later));
  });

  test('leaves other teams and GET requests alone', async () => {
    const teamId = await edge.createTeam('pay_as_you_go');
    const key = await edge.createKey(teamId, 'full');
    await burst(6, key);
    edge.delivery.response = { status: 200, body: { success: true, data: [] } };
    const reads = await Promise.all(
      Array.from({ length: 20 }, () => send('get', `${replicas[0]}/v2/webhooks/endpoints`, { key })),
    );
    expect(statuses(reads, 200)).toBe(20);
    expect(reads[0]?.get('x-ratelimit-limit')).toBeUndefined();
    const otherKey = await edge.createKey(await edge.createTeam('pay_as_you_go'), 'full');
    expect(statuses(await burst(5, otherKey), 201)).toBe(5);
  });

  test('counts reads apart where the operator limits them, for known and unknown paths', async () => {
    const teamId = await edge.createTeam('pay_as_you_go');
    const key = await edge.createKey(teamId, 'full');
    edge.delivery.response = { status: 200, body: { success: true, data: [] } };
    const gateways = [await edge.startGateway({ readsPerSecond: 3 }), await edge.startGateway({ readsPerSecond: 3 })];
    for (const path of ['/v2/webhooks/endpoints', '/v2/nothing-there']) {
      const reads = await limited(
        3,
        Promise.all(Array.from({ length: 12 }, (_, at) => send('get', `${gateways[at % 2]}${path}`, { key }))),
      );
      const refused = reads.find(({ status }) => status === 429);
      expect(refused?.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': '3' });
      expect(refused?.body).toMatchObject({ code: 'FST_ERR_TOO_MANY_REQUESTS', retryAfter: 1 });
      await letSecondPass(teamId);
    }
    await limited(5, burst(8, key));
  });

  test('counts a request that does not fit the contract, but none without a key', async () => {
    const key = await edge.createKey(await edge.createTeam('pay_as_you_go'), 'full');
    const wrong = await limited(
      5,
      Promise.all(Array.from({ length: 8 }, () => send('post', `${replicas[0]}/v2/bots`, { key, body: {} }))),
    );
    expect(statuses(wrong, 400) + statuses(wrong, 429)).toBe(8);
    const strangers = await Promise.all(
      Array.from({ length: 8 }, () => send('post', `${replicas[0]}/v2/bots`, { body })),
    );
    expect(statuses(strangers, 403)).toBe(8);
  });
});
