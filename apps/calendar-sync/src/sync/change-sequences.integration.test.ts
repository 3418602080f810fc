import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest } from '../testing/calendars-under-test.ts';
import { compareBots, compareWithProvider, playSequence } from '../testing/change-sequences.ts';

const sequences = 8;
let calendars: CalendarsUnderTest;
beforeAll(async () => {
  // Short, so that what a lost notification would have told is found soon.
  calendars = await startCalendarsUnderTest({ settings: { RAPPORTEUR_SYNC_EVERY_MS: '1000' } });
  await calendars.start();
}, 60_000);
afterAll(() => calendars.stop());

describe.each(['google', 'microsoft'] as const)(
  'random changes of a calendar of %s, with two instances',
  (provider) => {
    test('end with the events of the provider, and one bot for each that wants one', async () => {
      const teamId = randomUUID();
      const rule = { name: 'All', enabled: true, conditions: {}, bot: { bot_name: 'All' } };
      expect((await calendars.api('POST', '/v2/calendar-rules', rule, teamId)).status).toBe(201);
      const calendar = await calendars.connect(provider, { teamId });
      for (let seed = 1; seed <= sequences; seed += 1) {
        await playSequence(calendars, calendar, seed);
        const isEqual = async () => {
          const { stored, provider: wanted } = await compareWithProvider(calendars, calendar);
          const bots = await compareBots(calendars, calendar);
          return JSON.stringify([stored, bots.scheduled]) === JSON.stringify([wanted, bots.wanted]);
        };
        await waitFor(isEqual, { what: `sequence ${seed} to be repaired`, timeoutMs: 30_000 }).catch(
          async (error: unknown) => {
            const { stored, provider: wanted } = await compareWithProvider(calendars, calendar);
            expect({ seed, stored }).toEqual({ seed, stored: wanted });
            const bots = await compareBots(calendars, calendar);
            expect({ seed, bots: bots.scheduled }).toEqual({ seed, bots: bots.wanted });
            throw error;
          },
        );
      }
    }, 120_000);
  },
);
