import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest } from '../testing/calendars-under-test.ts';
import { openChannels, playSequences, playWriters, waitForEqual } from '../testing/change-sequences.ts';

const sequences = 8;
let calendars: CalendarsUnderTest;
beforeAll(async () => {
  // Short, so that changes with a lost notification are found soon.
  calendars = await startCalendarsUnderTest({ settings: { RAPPORTEUR_SYNC_EVERY_MS: '1000' } });
  await calendars.start();
}, 60_000);
afterAll(() => calendars.stop());

describe('random changes of calendars of both providers, with two instances', () => {
  test('end with the events of the provider and one bot for each that wants one; no calendar is synced twice at once', async () => {
    const teamId = randomUUID();
    const rule = { name: 'All', enabled: true, conditions: {}, bot: { bot_name: 'All' } };
    const made = await calendars.api('POST', '/v2/calendar-rules', rule, teamId);
    expect(made.status).toBe(201);
    const { rule_id: ruleId } = made.body.data as { rule_id: string };
    const connected = [
      await calendars.connect('google', { teamId }),
      await calendars.connect('microsoft', { teamId }),
      await calendars.connect('google', { teamId, sparse: true }),
      await calendars.connect('microsoft', { teamId, sparse: true }),
    ];
    for (let seed = 1; seed <= sequences; seed += 1) {
      await Promise.all([
        playSequences(calendars, connected, seed),
        playWriters(calendars, { connected, ruleId }, seed),
      ]);
      for (const calendar of connected) await waitForEqual(calendars, calendar);
    }
    await calendars.idle();
    for (const calendar of connected) {
      expect({ id: calendar.rawId, most: calendars.reads.get(calendar.rawId) }).toEqual({
        id: calendar.rawId,
        most: 1,
      });
      // None, where the provider ended it without a notification.
      expect(openChannels(calendars, calendar)).toBeLessThanOrEqual(1);
    }
  }, 240_000);

  test('leave each calendar to one instance when all are due at once: one sync at a time, one channel', async () => {
    const connected = [];
    for (let count = 0; count < 6; count += 1)
      connected.push(await calendars.connect(count % 2 === 0 ? 'google' : 'microsoft'));
    const ids = connected.map(({ calendarId }) => calendarId);
    const { faults, push } = calendars.simulated;
    for (let round = 0; round < 3; round += 1) {
      // Slow enough for the other instance to poll for due calendars meanwhile.
      const late = {
        delayMs: 300,
        unknownForm: false,
        hangUp: false,
        after: 0,
        times: ids.length,
        retryAfterSeconds: 0,
      };
      for (const at of ['list', 'watch'] as const) faults.strike({ ...late, at });
      push.expireAll();
      await calendars.database.query('delete from channels where calendar_id = any($1::uuid[])', [ids]);
      const [now] = await calendars.database.query<{ at: Date }>('select clock_timestamp() as at');
      await calendars.database.query(
        'update connections set next_sync_at = clock_timestamp() where calendar_id = any($1::uuid[])',
        [ids],
      );
      const synced = async (id: string) => (await calendars.connection(id)).synced_at ?? new Date(0);
      for (const id of ids)
        await waitFor(async () => (await synced(id)) > (now?.at ?? new Date()), {
          what: 'the sync',
        });
      await calendars.idle();
      for (const calendar of connected) expect(openChannels(calendars, calendar)).toBe(1);
    }
    faults.heal();
    for (const { rawId } of connected) expect({ rawId, most: calendars.reads.get(rawId) }).toEqual({ rawId, most: 1 });
  }, 240_000);
});
