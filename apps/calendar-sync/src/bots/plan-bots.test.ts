import { expect, test } from '@jest/globals';
import type { RuleRow, WantedBotState } from '../schema/entities.ts';
import { planBots } from './plan-bots.ts';
import type { BotPlan, PlanInput } from './plan-bots.ts';
import type { WantingEvent } from './wanted-bot.ts';
import { noConditions } from '../testing/rule-conditions.ts';

const at = (minutes: number): Date => new Date(Date.UTC(2031, 4, 5, 10, minutes));
const room = 'https://zoom.us/j/81234567890';

function event(id: string, [from, to]: readonly [number, number], over: Partial<WantingEvent> = {}): WantingEvent {
  return {
    event_id: id,
    calendar_id: `calendar of ${id}`,
    meeting_key: room,
    title: id,
    start_at: at(from),
    end_at: at(to),
    is_all_day: false,
    status: 'confirmed',
    is_private: false,
    is_organizer: true,
    own_response: null,
    kind: 'meeting',
    meeting_url: `${room}?of=${id}`,
    meeting_platform: 'zoom',
    meeting_links: [],
    notices: [],
    organizer_email: null,
    attendees: null,
    bot_config_id: null,
    bot_excluded: false,
    series_config_id: null,
    series_excluded: false,
    account_email: 'ada@example.com',
    own_domains: null,
    one_bot_per: null,
    ...over,
  };
}

const all: RuleRow = {
  rule_id: 'all',
  team_id: 'team',
  name: 'All',
  enabled: true,
  conditions: noConditions,
  preferred_platform: null,
  bot_config_id: 'of the rule',
  created_at: at(0),
  updated_at: at(0),
};

function plan(events: readonly WantingEvent[], over: Partial<PlanInput> = {}): BotPlan {
  return planBots({ teamId: 'team', events, bots: [], rules: [all], nowMs: at(-60).getTime(), ...over });
}
/** The bots of a plan, as stored. */
function stored({ created }: BotPlan, state: WantedBotState = 'wanted'): PlanInput['bots'] {
  return created.map((bot, index) => ({
    bot_id: `bot ${index}`,
    event_id: bot.eventId,
    scope_id: bot.scopeId,
    meeting_key: bot.meetingKey,
    config_id: bot.configId,
    join_at: bot.joinAt,
    shared_until: bot.sharedUntil,
    meeting_url: bot.meetingUrl,
    state,
  }));
}
const joinsOf = ({ created }: BotPlan) => created.map(({ joinAt }) => joinAt.getUTCMinutes());

test('events of one link and time are one meeting, whatever their calendars', () => {
  const copies = [event('a', [0, 30]), event('b', [0, 30]), event('c', [0, 60])];
  const first = plan(copies);
  expect(first.created).toMatchObject([{ eventId: 'a', scopeId: 'team', configId: 'of the rule' }]);
  expect(plan(copies, { bots: stored(first) })).toEqual({ created: [], changed: [], cancelled: [], over: [] });
  const rest = plan(copies.slice(1), { bots: stored(first) });
  expect(rest).toMatchObject({ created: [], changed: [{ botId: 'bot 0', eventId: 'b' }], cancelled: [] });
  expect(plan([], { bots: stored(first) }).cancelled).toEqual(['bot 0']);
});

test('each calendar has a bot of its own where the team says so, and one for copies within it', () => {
  const own = { one_bot_per: 'calendar' as const };
  const copies = [
    event('a', [0, 30], own),
    event('b', [0, 30], own),
    event('c', [0, 30], { ...own, calendar_id: 'calendar of a' }),
  ];
  expect(plan(copies).created.map(({ eventId, scopeId }) => [eventId, scopeId])).toEqual([
    ['a', 'calendar of a'],
    ['b', 'calendar of b'],
  ]);
});

test('a copy that begins a few minutes later is the same meeting; later or back to back is another one', () => {
  expect(joinsOf(plan([event('a', [0, 30]), event('b', [5, 35])]))).toEqual([0]);
  expect(joinsOf(plan([event('a', [0, 60]), event('b', [30, 60])]))).toEqual([0, 30]);
  expect(joinsOf(plan([event('a', [0, 10]), event('b', [10, 20]), event('c', [20, 30])]))).toEqual([0, 10, 20]);
  expect(joinsOf(plan([event('a', [0, 30]), event('b', [0, 30], { meeting_key: 'another' })]))).toEqual([0, 0]);
});

test('of copies the request for one event decides, then that for its series, then a rule', () => {
  const asked = event('c', [0, 30], { bot_config_id: 'asked' });
  const series = event('b', [0, 30], { series_config_id: 'series' });
  const ruled = event('a', [0, 30]);
  expect(plan([ruled, series, asked]).created).toMatchObject([{ eventId: 'c', configId: 'asked' }]);
  expect(plan([ruled, series]).created).toMatchObject([{ eventId: 'b', configId: 'series' }]);
  const later = plan([ruled, asked], { bots: stored(plan([ruled])) });
  expect(later).toMatchObject({ created: [], changed: [{ botId: 'bot 0', eventId: 'c', configId: 'asked' }] });
});

test('a meeting that has begun gets its bot until its end, and none after that', () => {
  const meeting = [event('a', [0, 30])];
  for (const minute of [1, 6, 29]) expect(plan(meeting, { nowMs: at(minute).getTime() }).created).toHaveLength(1);
  expect(plan(meeting, { nowMs: at(30).getTime() }).created).toEqual([]);
});

test('a running meeting whose bot was there gets a second one by a request only', () => {
  const bots = stored(plan([event('a', [0, 30])]), 'over');
  const nowMs = at(10).getTime();
  expect(plan([event('a', [0, 30])], { bots, nowMs }).created).toEqual([]);
  expect(plan([event('a', [0, 30], { bot_config_id: 'asked' })], { bots, nowMs }).created).toHaveLength(1);
});

test('a series has no bot on an occurrence that is declined; a request for the occurrence has', () => {
  const declined = { own_response: 'declined', series_config_id: 'series' };
  expect(plan([event('a', [0, 30], declined)]).created).toEqual([]);
  expect(plan([event('a', [0, 30], { ...declined, bot_config_id: 'asked' })]).created).toHaveLength(1);
});
