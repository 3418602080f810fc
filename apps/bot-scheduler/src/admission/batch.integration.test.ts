import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { noRows, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { createBody } from '../testing/create-body.ts';
import { addTeam } from '../testing/test-scheduler.ts';

let harness: AdmissionHarness;
let { clock, database, countRows, sendRequest } = {} as AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ clock, database, countRows, sendRequest } = harness);
});
afterAll(() => harness.close());
afterEach(() => clock.advance(25 * 3_600_000));

describe('a batch', () => {
  const batch = (teamId: string, items: unknown[]) => sendRequest('POST', '/internal/v2/bots/batch', teamId, { items });
  const item = (index: number, over: Record<string, unknown> = {}) => ({ index, body: createBody(over) });

  test('creates what it can in order, and states for every other item why not', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 3 });
    const single = { allow_multiple_bots: false, extra: { n: 1 } };
    const error = { code: 'VALIDATION_ERROR', message: 'bot_name: must be string.', details: 'bot_name' };
    const { status, body } = await batch(teamId, [
      item(0, { extra: { n: 0 } }),
      item(1, single),
      { index: 2, error },
      item(3, { meeting_url: 'https://example.com/x' }),
      item(4, { transcription_enabled: true }),
      item(5, { meet_config: { fallback: 'fail' } }),
      item(6, { callback_enabled: true }),
      item(7),
      item(8),
      item(9),
    ]);
    expect(status).toBe(201);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(body.data).toEqual([
      { index: 0, bot_id: id, extra: { n: 0 } },
      { index: 7, bot_id: id, extra: null },
      { index: 8, bot_id: id, extra: null },
    ]);
    const errors = body['errors'] as unknown as Record<string, unknown>[];
    expect(errors.map(({ index, code }) => [index, code])).toEqual([
      [1, 'BOT_ALREADY_EXISTS'],
      [2, 'VALIDATION_ERROR'],
      [3, 'INVALID_MEETING_PLATFORM'],
      [4, 'NOT_CONFIGURED'],
      [5, 'MEET_LOGIN_UNAVAILABLE'],
      [6, 'VALIDATION_ERROR'],
      [9, 'DAILY_BOT_CAP_REACHED'],
    ]);
    expect(errors[0]).toEqual({
      index: 1,
      code: 'BOT_ALREADY_EXISTS',
      message: expect.stringContaining('already sent'),
      details: null,
      extra: { n: 1 },
    });
    expect(errors[1]).toEqual({ index: 2, ...error, extra: null });
    expect(await countRows(teamId)).toMatchObject({ bots: 3, history: 3, ledger: 3, events: 3, reserved: 5_400 });
  });

  test('without tokens responds with an error for every item and leaves no rows behind', async () => {
    const teamId = await addTeam(database, { tokens: 0 });
    const { status, body } = await batch(teamId, [item(0), item(1)]);
    expect({ status, data: body.data }).toEqual({ status: 201, data: [] });
    expect(body['errors']).toMatchObject([{ code: 'INSUFFICIENT_TOKENS' }, { code: 'INSUFFICIENT_TOKENS' }]);
    expect(await countRows(teamId)).toMatchObject({ ...noRows, balance: 0 });
  });

  test('of a team that is not known here yet fails as a whole and may be sent again', async () => {
    const { status, body } = await batch(randomUUID(), [item(0), item(1)]);
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'FST_ERR_UNAVAILABLE' });
  });
});
