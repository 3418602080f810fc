import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ReserveLoginReply, ReserveLoginRequest } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam, requests } from '../testing/test-scheduler.ts';
import type { LoginClient } from '../service-clients.ts';

const minuteMs = 60_000;
const credentialId = randomUUID();
const inUse: ReserveLoginReply = { outcome: 'unavailable', message: 'All are in use.' };
const reserved: ReserveLoginRequest[] = [];
/** The response of sso-idp; null: it is unavailable. */
let reply: ReserveLoginReply | null;
const logins: LoginClient = {
  reserve: async (request) => {
    reserved.push(request);
    onReserve();
    if (reply === null) throw fail('UNAVAILABLE');
    return await Promise.resolve(reply);
  },
  availability: () => Promise.resolve({ outcome: 'available' }),
  release: () => Promise.resolve({ success: true }),
  signIn: () => Promise.reject(fail('UNAVAILABLE')),
};
let onReserve = (): void => undefined;
let harness: AdmissionHarness;
let reading: ReturnType<typeof requests>;
beforeAll(async () => {
  harness = await openAdmissionHarness(logins);
  reading = requests(harness.database, harness.url);
});
afterAll(() => harness.close());
beforeEach(async () => {
  reply = { outcome: 'reserved', credentialId };
  reserved.length = 0;
  onReserve = () => undefined;
  await harness.clock.advance(25 * 3_600_000);
});

/** A due bot with these login settings. */
async function scheduleDue(teamId: string, meet_config: object | null): Promise<string> {
  const botId = createdId(await harness.schedule(teamId, 5 * minuteMs, { meet_config }));
  await harness.clock.advance(5 * minuteMs - 1_000);
  return botId;
}

describe('a scheduled bot with a stored login', () => {
  test('reserves it under its own id when it is due, and not before', async () => {
    const teamId = await addTeam(harness.database);
    const meet_config = { email_group: 'bots@example.com' };
    const botId = createdId(await harness.schedule(teamId, 5 * minuteMs, { meet_config }));
    const guest = createdId(await harness.schedule(teamId, 5 * minuteMs));
    expect(await harness.runDue()).toMatchObject({ admitted: 0 });
    expect(reserved).toEqual([]);
    await harness.clock.advance(5 * minuteMs - 1_000);
    expect(await harness.runDue()).toMatchObject({ admitted: 2, waiting: 0 });
    expect(reserved).toEqual([
      { botId, teamId, selector: { platform: 'meet', credentialId: null, emailGroup: 'bots@example.com' } },
    ]);
    expect((await reading.bot(botId)).configuration).toMatchObject({ login: { platform: 'meet', credentialId } });
    expect((await reading.bot(guest)).configuration.login ?? null).toBeNull();
  });

  test('fails with MEET_LOGIN_UNAVAILABLE when none is free', async () => {
    const teamId = await addTeam(harness.database);
    const botId = await scheduleDue(teamId, { email_group: '' });
    reply = inUse;
    expect(await harness.runDue()).toMatchObject({ admitted: 0, refused: 1 });
    const bot = await reading.bot(botId);
    expect(bot).toMatchObject({ status: 'failed', end_code: 'MEET_LOGIN_UNAVAILABLE' });
    expect(bot.end_message).toContain('All are in use.');
  });

  test('joins as a guest when none is free and its fallback configures it', async () => {
    const teamId = await addTeam(harness.database);
    const botId = await scheduleDue(teamId, { email_group: '', fallback: 'anonymous' });
    reply = inUse;
    expect(await harness.runDue()).toMatchObject({ admitted: 1, refused: 0 });
    const bot = await reading.bot(botId);
    expect({ status: bot.status, login: bot.configuration.login ?? null }).toEqual({ status: 'queued', login: null });
  });

  /** Many due bots of one team with these login settings. */
  const manyDue = async (count: number): Promise<void> => {
    const teamId = await addTeam(harness.database);
    const template = await scheduleDue(teamId, { credential_id: credentialId });
    await harness.database.query(
      `insert into scheduled_bots (id, team_id, number, created_at, updated_at, join_at, state, bot_name, meeting_url, meeting_platform,
         link, request)
       select gen_random_uuid(), team_id, nextval(pg_get_serial_sequence('bots', 'number')), created_at, updated_at, join_at, state,
         bot_name, meeting_url, meeting_platform, link, request
       from scheduled_bots, generate_series(2, $2) where id = $1`,
      [template, count],
    );
  };
  const forgetDue = () => harness.database.query(`delete from scheduled_bots where spawned_at is null`);

  test('waits in any number without delaying bots of other teams that join later', async () => {
    await manyDue(450);
    const guest = await scheduleDue(await addTeam(harness.database), null);
    reply = null;
    expect(await harness.runDue()).toMatchObject({ admitted: 1, waiting: 450 });
    expect((await reading.bot(guest)).status).toBe('queued');
    expect(reserved).toHaveLength(450);
    await forgetDue();
  });

  test('takes at most some seconds of a round while sso-idp is slow', async () => {
    await manyDue(60);
    reply = null;
    onReserve = () => void harness.clock.advance(1_000);
    expect(await harness.runDue()).toMatchObject({ admitted: 0, waiting: 60 });
    expect(reserved.length).toBeLessThanOrEqual(20);
    await forgetDue();
  });

  test('waits while sso-idp is away, beside one without a login that does not', async () => {
    const teamId = await addTeam(harness.database);
    const guest = createdId(await harness.schedule(teamId, 5 * minuteMs));
    const botId = await scheduleDue(teamId, { credential_id: credentialId });
    reply = null;
    expect(await harness.runDue()).toMatchObject({ admitted: 1, waiting: 1 });
    expect((await reading.bot(guest)).status).toBe('queued');
    expect(await harness.database.query('select 1 from bots where id = $1', [botId])).toEqual([]);
    reply = { outcome: 'reserved', credentialId };
    expect(await harness.runDue()).toMatchObject({ admitted: 1, waiting: 0 });
    expect(await harness.runDue()).toMatchObject({ admitted: 0 });
    expect((await reading.bot(botId)).configuration).toMatchObject({ login: { credentialId } });
  });
});
