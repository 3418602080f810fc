import { eventDraftSchema } from '@rapporteur/simulator';
import type { Provider } from '@rapporteur/simulator';
import { meetLink } from '../values/meanings.ts';
import { dataOf, differs, sendRequest, statusIs } from './story-steps.ts';
import type { Json, Story, StoryDependencies } from './story-steps.ts';

interface Account {
  readonly provider: Provider;
  readonly rawId: string;
  /** A new consent for each request: Microsoft's refresh tokens work once. */
  readonly credentials: () => Readonly<Record<string, string>>;
}

const occurrences = 3;

/** An account of a simulated provider with one calendar and a weekly meeting in it. */
function addAccount({ calendars, random }: StoryDependencies): Account {
  const provider = random.pick(['google', 'microsoft'] as const);
  const email = `fuzz-${random.below(1e9)}-${calendars.store.all().length}@example.com`;
  const { id: rawId } = calendars.store.add({ provider, email });
  const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 19);
  const recurrence = { frequency: 'weekly', count: occurrences };
  const title = random.pick(['Weekly', 'Ρ 🎥 e\u0301', "O'Brien; --"]);
  const draft = eventDraftSchema.parse({ title, start, recurrence, meetingUrl: random.sample(meetLink) });
  calendars.store.create(rawId, draft);
  const credentials = () => {
    const { clientId, clientSecret, refreshToken } = calendars.grants.create(provider, email);
    return { oauth_client_id: clientId, oauth_client_secret: clientSecret, oauth_refresh_token: refreshToken };
  };
  return { provider, rawId, credentials };
}

/** A calendar from its connection to its end, with bots on its events. */
export function* calendarLife(dependencies: StoryDependencies): Story {
  const { planner } = dependencies;
  const { provider, rawId, credentials } = addAccount(dependencies);
  const account = (): Json => ({ calendar_platform: provider, ...credentials() });
  yield* withoutRules(dependencies);
  yield sendRequest(planner, 'setCalendarSettings', { value: { own_domains: ['example.com'] }, check: statusIs(200) });
  yield sendRequest(planner, 'listRawCalendars', { value: account(), check: statusIs(200) });
  const created = yield sendRequest(planner, 'createCalendar', {
    value: { ...account(), raw_calendar_id: rawId },
    check: (response) => statusIs(201)(response) ?? withoutCredentials(response.text),
  });
  const calendarId = dataOf(created)['calendar_id'];
  if (typeof calendarId !== 'string') return;
  const path = { calendar_id: calendarId };
  yield sendRequest(planner, 'createCalendar', {
    value: { ...account(), raw_calendar_id: rawId },
    check: statusIs(409),
  });
  const listed = yield sendRequest(planner, 'listCalendarEvents', {
    path,
    until: (response) => rowsOf(response.json).length === occurrences,
    check: statusIs(200),
  });
  const [event] = rowsOf(listed.json);
  yield sendRequest(planner, 'listCalendarSeries', { path, check: statusIs(200) });
  yield* eventBotLife(dependencies, { path, event: event ?? {} });
  yield sendRequest(planner, 'getCalendar', {
    path,
    check: (response) => statusIs(200)(response) ?? differs('status', dataOf(response)['status'], 'active'),
  });
  yield sendRequest(planner, 'updateCalendar', { path, value: credentials(), check: statusIs(200) });
  for (const id of ['syncCalendar', 'resubscribeCalendar', 'deleteCalendar'])
    yield sendRequest(planner, id, { path, check: statusIs(200) });
  yield sendRequest(planner, 'getCalendar', { path, check: statusIs(404) });
}

/** Earlier rules of this team would create bots for the events of the story. */
function* withoutRules({ planner }: StoryDependencies): Story {
  const listed = yield sendRequest(planner, 'listCalendarRules', { check: statusIs(200) });
  for (const { rule_id: ruleId } of rowsOf(listed.json))
    yield sendRequest(planner, 'deleteCalendarRule', { path: { rule_id: String(ruleId) }, check: statusIs(200) });
}

interface CalendarEvent {
  readonly path: Record<string, string>;
  readonly event: Json;
}

function* eventBotLife({ planner }: StoryDependencies, { path, event }: CalendarEvent): Story {
  const target = { series_id: event['series_id'], event_id: event['event_id'], all_occurrences: false };
  const hasBot = (expected: boolean) =>
    sendRequest(planner, 'getCalendarEvent', {
      path: { ...path, event_id: String(event['event_id']) },
      check: (response) =>
        statusIs(200)(response) ?? differs('bot_scheduled', dataOf(response)['bot_scheduled'], expected),
    });
  yield hasBot(false);
  yield sendRequest(planner, 'createCalendarBots', {
    path,
    value: { ...target, bot_name: 'By hand' },
    check: (response) =>
      statusIs(201)(response) ?? differs('errors', (response.json as Json | undefined)?.['errors'], []),
  });
  yield hasBot(true);
  const changed = { ...target, bot_name: 'Renamed' };
  yield sendRequest(planner, 'updateCalendarBots', { path, value: changed, check: statusIs(200) });
  yield sendRequest(planner, 'deleteCalendarBots', { path, value: target, check: statusIs(200) });
  yield hasBot(false);
  yield sendRequest(planner, 'deleteCalendarBots', { path, value: target, check: statusIs(409) });
}

/** The same in the legacy generation, which connects by two paths. */
export function* legacyCalendarLife(dependencies: StoryDependencies): Story {
  const { planner } = dependencies;
  const { provider, rawId, credentials } = addAccount(dependencies);
  const platform = provider === 'google' ? 'Google' : 'Microsoft';
  const account = (): Json => ({ platform, ...credentials() });
  yield sendRequest(planner, 'listProviderCalendars', { value: account(), check: statusIs(200) });
  for (const id of ['addCalendarByFormerPath', 'addCalendar']) {
    const added = yield sendRequest(planner, id, {
      value: { ...account(), raw_calendar_id: rawId },
      check: (response) => statusIs(200)(response) ?? withoutCredentials(response.text),
    });
    const { uuid } = ((added.json as Json | undefined)?.['calendar'] ?? {}) as Json;
    if (typeof uuid !== 'string') return;
    const path = { uuid };
    yield sendRequest(planner, 'readCalendar', { path, check: statusIs(200) });
    if (id === 'addCalendar') yield* legacyEventLife(dependencies, uuid);
    yield sendRequest(planner, 'replaceCalendarCredentials', { path, value: account(), check: statusIs(200) });
    yield sendRequest(planner, 'removeCalendar', { path, check: statusIs(200) });
    yield sendRequest(planner, 'readCalendar', { path, check: statusIs(404) });
  }
}

function* legacyEventLife({ planner }: StoryDependencies, calendarId: string): Story {
  const listed = yield sendRequest(planner, 'listEvents', {
    query: { calendar_id: calendarId },
    until: (response) => rowsOf(response.json).length === occurrences,
    check: statusIs(200),
  });
  const path = { uuid: String(rowsOf(listed.json)[0]?.['uuid']) };
  const bot = { bot_name: 'First generation', extra: { mine: true } };
  yield sendRequest(planner, 'scheduleEventBot', { path, value: bot, check: statusIs(200) });
  yield sendRequest(planner, 'updateEventBot', { path, value: { bot_name: 'Renamed' }, check: statusIs(200) });
  yield sendRequest(planner, 'readEvent', {
    path,
    check: (response) => {
      const shown = ((response.json as Json | undefined)?.['bot_param'] ?? {}) as Json;
      return statusIs(200)(response) ?? differs('bot_name', shown['bot_name'], 'Renamed');
    },
  });
  yield sendRequest(planner, 'cancelEventBot', { path, check: statusIs(200) });
}

function withoutCredentials(text: string): string | null {
  return /simulated-(?:refresh|access|google-secret|microsoft-secret)/.test(text)
    ? 'the response holds a credential'
    : null;
}

function rowsOf(json: unknown): readonly Json[] {
  return ((json as Json | undefined)?.['data'] ?? []) as Json[];
}
