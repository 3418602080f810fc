import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calendarChanged, calendarEventsAffected } from '@rapporteur/contracts';
import type { CalendarNotice } from '@rapporteur/contracts';
import { bodyOf, startTeamStage } from '../testing/team-under-test.ts';
import type { TeamStage, TeamUnderTest } from '../testing/team-under-test.ts';

let stage: TeamStage;
let team: TeamUnderTest;
beforeAll(async () => {
  stage = await startTeamStage();
});
beforeEach(async () => {
  team = await stage.next();
});
afterAll(() => stage.stop());

const calendarId = randomUUID();
const at = '2026-11-21T09:00:00.000Z';
const connection = {
  calendar_id: calendarId,
  calendar_platform: 'google',
  account_email: 'ada@example.com',
  status: 'active',
  created_at: at,
} as const;
const instance = {
  event_id: randomUUID(),
  start: at,
  end: '2026-11-21T10:00:00.000Z',
  title: 'Planning',
  status: 'confirmed',
  is_all_day: false,
  is_exception: false,
  bot_scheduled: true,
  meeting_url: 'https://meet.google.com/abc-defg-hij',
  meeting_platform: 'meet',
} as const;
const cancelledHead = { calendar_id: calendarId, event_type: 'one_off', series_id: randomUUID() } as const;
const head = { ...cancelledHead, series_bot_scheduled: false } as const;
const notices: readonly CalendarNotice[] = [
  { event: 'calendar.connection_created', data: connection },
  { event: 'calendar.connection_updated', data: { ...connection, updated_at: at } },
  {
    event: 'calendar.connection_deleted',
    data: { calendar_id: calendarId, calendar_platform: 'google', deleted_at: at },
  },
  {
    event: 'calendar.connection_error',
    data: { ...connection, status: 'revoked', status_message: 'The consent was revoked.', updated_at: at },
  },
  {
    event: 'calendar.events_synced',
    data: {
      calendar_id: calendarId,
      events: [{ event_type: 'one_off', series_id: null, series_bot_scheduled: false, instances: [instance] }],
    },
  },
  { event: 'calendar.event_created', data: { ...head, instances: [instance] } },
  { event: 'calendar.event_updated', data: { ...head, is_exception: true, affected_instances: [instance] } },
  { event: 'calendar.event_cancelled', data: { ...cancelledHead, cancelled_instances: [instance] } },
];

/** The signature of this call that Standard Webhooks requires. */
function signatureOf(secret: string, call: { headers: Record<string, unknown>; body: unknown }): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(call.headers['webhook-id'])}.${String(call.headers['webhook-timestamp'])}.${String(call.body)}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('what happens to a calendar', () => {
  test.each(notices)('arrives signed, with the data of $event', async (notice) => {
    const { secret } = await team.api.endpoint(team.receiver.url, { events: [notice.event] });
    await team.surroundings.notify(calendarChanged, { teamId: team.teamId, calendarId, notice });
    const [call] = await team.calls(1);
    expect(bodyOf(call)).toMatchObject({ id: call?.headers['webhook-id'], event: notice.event, data: notice.data });
    expect(String(call?.headers['webhook-signature']).split(' ')).toContain(
      signatureOf(secret, { headers: call?.headers ?? {}, body: call?.body }),
    );
  });

  test('arrives once, only where it is subscribed to, and at no other team', async () => {
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url, { events: ['calendar.event_created'] });
    const { endpoint_id: deaf } = await team.api.endpoint(`${team.receiver.url}/deaf`, { events: ['bot.completed'] });
    const [, , , , , created, updated] = notices;
    if (created === undefined || updated === undefined) throw new Error('There are no notices.');
    const eventIds = [randomUUID(), randomUUID()] as const;
    const ours = { teamId: team.teamId, calendarId };
    await team.surroundings.notify(calendarChanged, { ...ours, notice: created }, eventIds[0]);
    await team.surroundings.notify(calendarChanged, { ...ours, notice: created }, eventIds[0]);
    await team.surroundings.notify(calendarChanged, { ...ours, teamId: randomUUID(), notice: created });
    await team.surroundings.notify(calendarChanged, { ...ours, notice: created }, eventIds[1]);
    await team.handled(...eventIds);
    expect(await team.settled(id, 2)).toHaveLength(2);
    expect(await team.messagesOf(deaf)).toEqual([]);
    expect(team.receiver.calls).toHaveLength(2);
  });
});

describe('the legacy webhook of a sync', () => {
  const affected = (webhookUrl: string | null) => ({
    teamId: team.teamId,
    calendarId,
    eventIds: [instance.event_id],
    at,
    webhookUrl,
  });
  const expected = {
    event: 'calendar.sync_events',
    data: { calendar_id: calendarId, last_updated_ts: at, affected_event_uuids: [instance.event_id] },
  };

  test("goes to the calendar's own address where it has one", async () => {
    await team.surroundings.notify(calendarEventsAffected, affected(`${team.receiver.url}/own`));
    const [call] = await team.calls(1);
    expect(bodyOf(call)).toEqual(expected);
    expect(call?.path).toMatch(/\/own$/);
  });

  test("goes to the team's legacy endpoints otherwise", async () => {
    await team.api.endpoint(team.receiver.url, { format: 'legacy', events: ['calendar.events_synced'] });
    await team.surroundings.notify(calendarEventsAffected, affected(null));
    expect(bodyOf((await team.calls(1))[0])).toEqual(expected);
  });
});
