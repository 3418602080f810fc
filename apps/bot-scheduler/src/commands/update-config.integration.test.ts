import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam } from '../testing/test-scheduler.ts';

let harness: AdmissionHarness;
let teamId: string;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  teamId = await addTeam(harness.database);
});
afterAll(() => harness.close());

const update = (botId: string, extra: unknown, team = teamId) =>
  harness.sendRequest('PATCH', `/internal/v2/bots/${botId}/update-config`, team, { extra });
const extraOf = async (botId: string): Promise<unknown> =>
  (await harness.sendRequest('GET', `/internal/v2/bots/${botId}`, teamId)).body.data['extra'];

describe('update-config', () => {
  test('replaces members of the same name, keeps the others, and null takes all of it away', async () => {
    const botId = createdId(await harness.create(teamId, { extra: { a: 1, b: { c: 2, d: 3 } } }));
    expect((await update(botId, { b: { e: 4 }, f: null })).status).toBe(200);
    expect(await extraOf(botId)).toEqual({ a: 1, b: { e: 4 }, f: null });
    await update(botId, null);
    expect(await extraOf(botId)).toBeNull();
    await update(botId, { g: 5 });
    expect(await extraOf(botId)).toEqual({ g: 5 });
  });

  test('is possible in any status, and lists find what it says now', async () => {
    const botId = createdId(await harness.create(teamId, { extra: { customer: 'before' } }));
    await harness.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    expect((await harness.sendRequest('GET', `/internal/v2/bots/${botId}/status`, teamId)).body.data['status']).toBe(
      'failed',
    );
    await update(botId, { customer: 'after' });
    const find = async (value: string) =>
      (await harness.sendRequest('GET', `/internal/v2/bots?extra=customer:${value}`, teamId)).body.data;
    expect(await find('before')).toEqual([]);
    expect(await find('after')).toMatchObject([{ bot_id: botId }]);
    const sorted = await harness.sendRequest('GET', '/internal/v1/bots-with-metadata?sort_by_extra=customer', teamId);
    const { items } = sorted.body.data as unknown as { items: { bot_id: string }[] };
    expect(items[0]).toMatchObject({ bot_id: botId });
  });

  test('reaches a scheduled bot, before it runs and when it does', async () => {
    const botId = createdId(await harness.schedule(teamId, 600_000, { extra: { a: 1 } }));
    expect((await update(botId, { b: 2 })).status).toBe(200);
    const scheduled = await harness.sendRequest('GET', `/internal/v2/bots/scheduled/${botId}`, teamId);
    expect(scheduled.body.data['extra']).toEqual({ a: 1, b: 2 });
    await harness.clock.advance(590_000);
    await harness.runDue();
    expect(await extraOf(botId)).toEqual({ a: 1, b: 2 });
    await update(botId, { c: 3 });
    expect(await extraOf(botId)).toEqual({ a: 1, b: 2, c: 3 });
  });

  test('refuses more than 16 KiB after the merge, and leaves what was there', async () => {
    const botId = createdId(await harness.create(teamId, { extra: { a: 'x'.repeat(9_000) } }));
    const response = await update(botId, { b: 'x'.repeat(9_000) });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'FST_ERR_VALIDATION', message: expect.stringContaining('16 KiB') });
    expect(Object.keys((await extraOf(botId)) as object)).toEqual(['a']);
    expect((await update(botId, { a: 'x'.repeat(16_000) })).status).toBe(200);
  });

  test("responds for another team's bot as for one that never was", async () => {
    const botId = createdId(await harness.create(teamId));
    const stranger = await addTeam(harness.database);
    const foreign = await update(botId, { a: 1 }, stranger);
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(await update(randomUUID(), { a: 1 }, stranger));
    expect(await extraOf(botId)).toBeNull();
  });

  test.each([{}, { extra: 'text' }, { extra: {}, more: 1 }])('refuses the body %j', async (body) => {
    const botId = createdId(await harness.create(teamId));
    expect((await harness.sendRequest('PATCH', `/internal/v2/bots/${botId}/update-config`, teamId, body)).status).toBe(
      400,
    );
  });
});

describe('leave and retranscribe', () => {
  test('a scheduled bot that is requested to leave is cancelled, once', async () => {
    const botId = createdId(await harness.schedule(teamId, 600_000));
    const leave = () => harness.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    expect((await leave()).body.data).toEqual({ message: 'The scheduled bot was cancelled; it will not join.' });
    const again = await leave();
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ message: expect.stringContaining(`Bot ${botId} is cancelled`) });
  });

  test('a scheduled bot cannot be transcribed again, and neither can one in progress or one without a recording', async () => {
    const sendRequest = (botId: string) =>
      harness.sendRequest('POST', `/internal/v2/bots/${botId}/retranscribe`, teamId, null);
    const scheduled = createdId(await harness.schedule(teamId, 600_000));
    expect(await sendRequest(scheduled)).toMatchObject({ status: 409, body: { code: 'FST_ERR_BOT_STATUS' } });
    const botId = createdId(await harness.create(teamId));
    expect((await sendRequest(botId)).body).toMatchObject({
      message: `Bot ${botId} is queued; it cannot be transcribed again in this state.`,
    });
    await harness.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    expect(await sendRequest(botId)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('no recording') },
    });
    expect((await sendRequest(randomUUID())).status).toBe(404);
  });

  test('a recording cannot be transcribed while there is no transcriber, and the response states it', async () => {
    const botId = createdId(await harness.create(teamId));
    await harness.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    await harness.database.query(`update bots set artifacts = '[{"kind":"audio","key":"a.flac"}]' where id = $1`, [
      botId,
    ]);
    expect(await harness.sendRequest('POST', `/internal/v2/bots/${botId}/retranscribe`, teamId, null)).toMatchObject({
      status: 422,
      body: { code: 'FST_ERR_NOT_CONFIGURED' },
    });
  });
});
