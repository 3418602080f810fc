import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { saveTeam } from '../credentials/identity.consumer.ts';
import { openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { createBody } from '../testing/create-body.ts';
import { addTeam, createGatewayClient } from '../testing/test-scheduler.ts';

let harness: AdmissionHarness;
let { clock, database, create, createMany } = {} as AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ clock, database, create, createMany } = harness);
});
afterAll(() => harness.close());
afterEach(() => clock.advance(25 * 3_600_000));

describe('the daily cap', () => {
  test('frees a place 24 hours after each bot, and states when', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 2 });
    await create(teamId);
    await clock.advance(3_600_000);
    await create(teamId);
    const refused = await create(teamId);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'FST_ERR_DAILY_BOT_CAP_REACHED', retryAfter: 23 * 3_600 },
    });
    await clock.advance(23 * 3_600_000);
    expect((await create(teamId)).status).toBe(201);
    expect((await create(teamId)).status).toBe(429);
  });
});

describe('a plan that is changed', () => {
  const plan = (dailyBotCap: number) => ({ name: 'test', dailyBotCap, retentionDays: 3 });
  test('counts from the next bot on, and states rightly when the next place is free', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 3 });
    for (const _hour of [1, 2, 3]) {
      await create(teamId);
      await clock.advance(3_600_000);
    }
    await saveTeam(database, { teamId, version: 2, name: 'Team', plan: plan(2) });
    // Two of the three no longer count only once the second of them is a day old.
    expect(await create(teamId)).toMatchObject({ status: 429, body: { retryAfter: 22 * 3_600 } });
    await clock.advance(22 * 3_600_000 - 1);
    expect((await create(teamId)).status).toBe(429);
    await clock.advance(1);
    expect((await create(teamId)).status).toBe(201);
    await saveTeam(database, { teamId, version: 3, name: 'Team', plan: plan(0) });
    expect((await create(teamId)).status).toBe(429);
    await saveTeam(database, { teamId, version: 4, name: 'Team', plan: plan(9) });
    expect((await create(teamId)).status).toBe(201);
  });
});

describe('a replica whose clock is behind', () => {
  test('cannot lead the daily cap or the order of bots astray', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 2 });
    expect((await create(teamId)).status).toBe(201);
    harness.setBehind(60_000);
    expect((await create(teamId)).status).toBe(201);
    harness.setBehind(0);
    expect((await create(teamId)).status).toBe(429);
    const rows = await database.query<{ ordered: boolean }>(
      `select created_at > lag(created_at) over (order by team_number) is not false as ordered from bots where team_id = $1`,
      [teamId],
    );
    expect(rows).toEqual([{ ordered: true }, { ordered: true }]);
  });
});

describe('the duplicate window', () => {
  test('holds for five minutes, for every form of the link, and only for those who request it', async () => {
    const teamId = await addTeam(database);
    const single = { allow_multiple_bots: false };
    expect((await create(teamId)).status).toBe(201);
    expect(
      (await create(teamId, { ...single, meeting_url: 'https://meet.google.com/ABC-defg-hij?authuser=1' })).status,
    ).toBe(409);
    expect((await create(teamId, { ...single, meeting_url: 'https://meet.google.com/zzz-defg-hij' })).status).toBe(201);
    expect((await create(teamId)).status).toBe(201);
    expect((await create(await addTeam(database), single)).status).toBe(201);
    await clock.advance(5 * 60_000 + 10);
    expect((await create(teamId, single)).status).toBe(201);
  });
});

describe('the legacy duplicate rule', () => {
  const legacy = (deduplication_key: string | null) => ({
    legacy: { webhook_url: null, api_key: null, deduplication_key },
  });
  test('lets one bot in per meeting and key in five minutes, and one without a key only when there is none at all', async () => {
    const teamId = await addTeam(database);
    const attempts: [string | null, number][] = [
      [null, 201],
      [null, 409],
      ['one', 201],
      ['one', 409],
      ['two', 201],
      [null, 409],
    ];
    for (const [key, status] of attempts) expect((await create(teamId, legacy(key))).status).toBe(status);
    expect(
      (await create(teamId, { ...legacy(null), meeting_url: 'https://meet.google.com/zzz-defg-hij' })).status,
    ).toBe(201);
    await clock.advance(5 * 60_000 + 10);
    expect((await create(teamId, legacy(null))).status).toBe(201);
    expect((await create(teamId, legacy('one'))).status).toBe(201);
  });

  test('counts the bots of one API key only, also those that it made by v2', async () => {
    const teamId = await addTeam(database);
    const [one, other] = [randomUUID(), randomUUID()].map((keyId) => createGatewayClient(harness.url, keyId));
    const createBy = async (client = one, over: Record<string, unknown> = legacy(null)) =>
      (await client?.('POST', '/internal/v2/bots', teamId, createBody(over)))?.status;
    expect(await createBy(one, {})).toBe(201);
    expect(await createBy(one)).toBe(409);
    expect(await createBy(other)).toBe(201);
    expect(await createBy(other)).toBe(409);
    expect(await createBy(one, legacy('one'))).toBe(201);
    expect(await createBy(other, legacy('one'))).toBe(201);
    expect(await createBy(one, legacy('one'))).toBe(409);
  });

  test('holds under parallel requests', async () => {
    const teamId = await addTeam(database);
    const responses = await createMany(30, teamId, legacy('one'));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});
