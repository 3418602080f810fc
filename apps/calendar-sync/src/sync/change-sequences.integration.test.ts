import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest } from '../testing/calendars-under-test.ts';
import { openChannels, playSequences, waitForEqual } from '../testing/change-sequences.ts';

const sequences = 8;
let calendars: CalendarsUnderTest;
beforeAll(async () => {
  // Short, so that changes whose notification is lost are found soon.
  calendars = await startCalendarsUnderTest({ settings: { RAPPORTEUR_SYNC_EVERY_MS: '1000' } });
  await calendars.start();
}, 60_000);
afterAll(() => calendars.stop());

describe('random changes of calendars of both providers, with two instances', () => {
  test('end with the events of the provider and one bot for each that wants one; no calendar is synced twice at once', async () => {
    const teamId = randomUUID();
    const rule = { name: 'All', enabled: true, conditions: {}, bot: { bot_name: 'All' } };
    expect((await calendars.api('POST', '/v2/calendar-rules', rule, teamId)).status).toBe(201);
    const connected = [await calendars.connect('google', { teamId }), await calendars.connect('microsoft', { teamId })];
    for (let seed = 1; seed <= sequences; seed += 1) {
      await playSequences(calendars, connected, seed);
      for (const calendar of connected) await waitForEqual(calendars, calendar);
    }
    await calendars.idle();
    for (const calendar of connected) {
      expect({ id: calendar.rawId, most: calendars.reads.get(calendar.rawId) }).toEqual({
        id: calendar.rawId,
        most: 1,
      });
      // None, where the provider ended it without a word.
      expect(openChannels(calendars, calendar)).toBeLessThanOrEqual(1);
    }
  }, 240_000);
});
