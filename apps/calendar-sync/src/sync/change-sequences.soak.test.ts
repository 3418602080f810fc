import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seeded, serviceProcesses } from '@rapporteur/testbed';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest, ConnectedCalendar } from '../testing/calendars-under-test.ts';
import { playSequences, playWriters, waitForEqual } from '../testing/change-sequences.ts';

// Ten thousand sequences take more than half an hour.
const seed = Number(process.env['SOAK_SEED'] ?? 1);
const sequences = Math.max(1, Math.round(10_000 * Number(process.env['SOAK_SHARE'] ?? 1)));
const atOnce = 40;
/** Share of rounds with a kill; small, because a killed process holds its leases for a minute. */
const shareOfKills = 0.04;
/** Calendars are replaced before their deleted events outnumber the others. */
const roundsPerCalendar = 25;

let calendars: CalendarsUnderTest;
const processes = serviceProcesses(join(import.meta.dirname, '..', 'main.ts'));
const settings = { RAPPORTEUR_SYNC_EVERY_MS: '1000', RAPPORTEUR_CONCURRENCY: '16' };
beforeAll(async () => {
  calendars = await startCalendarsUnderTest({ settings });
}, 60_000);
afterAll(async () => {
  await processes.killAll();
  await calendars.stop();
});

async function connectMany() {
  const teamId = randomUUID();
  const rule = { name: 'All', enabled: true, conditions: {}, bot: { bot_name: 'All' } };
  const made = await calendars.api('POST', '/v2/calendar-rules', rule, teamId);
  expect(made.status).toBe(201);
  const { rule_id: ruleId } = made.body.data as { rule_id: string };
  const connected: ConnectedCalendar[] = [];
  for (let count = 0; count < Math.min(atOnce, sequences); count += 1)
    connected.push(
      await calendars.connect(count % 2 === 0 ? 'google' : 'microsoft', { teamId, sparse: count % 4 >= 2 }),
    );
  return { connected, ruleId };
}

test(
  `${sequences} sequences of changes, with two writers and kills of one of two processes, end with the provider's events and one bot each`,
  async () => {
    const random = seeded(seed);
    const rounds = Math.ceil(sequences / Math.min(atOnce, sequences));
    let connected: ConnectedCalendar[] = [];
    let ruleId = '';
    let process = await processes.start(calendars.environment);
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) {
      if (round % roundsPerCalendar === 0) {
        for (const { calendarId, teamId } of connected)
          await calendars.api('DELETE', `/v2/calendars/${calendarId}`, undefined, teamId);
        ({ connected, ruleId } = await connectMany());
      }
      const isKilled = round === 0 || random() < shareOfKills;
      const roundSeed = seed * 1_000_003 + round;
      const played = Promise.all([
        playSequences(calendars, connected, roundSeed),
        playWriters(calendars, { connected, ruleId }, roundSeed),
      ]);
      if (isKilled) {
        kills += 1;
        await process.end('SIGKILL');
      }
      await played;
      if (isKilled) process = await processes.start(calendars.environment);
      for (const calendar of connected) await waitForEqual(calendars, calendar);
    }
    for (const { rawId } of connected) expect({ rawId, most: calendars.reads.get(rawId) }).toEqual({ rawId, most: 1 });
    console.info(`${rounds * connected.length} sequences equal, ${kills} kills, seed ${seed}`);
  },
  3 * 3_600_000,
);
