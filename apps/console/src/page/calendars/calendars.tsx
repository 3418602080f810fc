import { useQuery } from '@tanstack/react-query';
import { calendarProviders, calendarProviderNames } from '@rapporteur/contracts/calendar-providers';
import { api } from '../api/client.ts';
import { Action, Deletion } from '../elements/action.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';
import { List, Reference, Page, Notice, QueryResult } from '../elements/page.tsx';
import { State, platformNames } from '../elements/status.tsx';
import { Time } from '../elements/time.tsx';
import { ConnectByConsent, ReturnFromProvider } from './connect-by-consent.tsx';

type Calendar = Awaited<ReturnType<typeof api.listCalendars>>['data'][number];
type Event = Awaited<ReturnType<typeof api.listCalendarEvents>>['data'][number];

const daysAhead = 14;

/** Connected calendars, their next meetings, and why each of these has a bot or not. */
export function Calendars() {
  const calendars = useQuery({
    queryKey: ['calendars'],
    queryFn: async ({ signal }) => (await api.listCalendars({ limit: 100 }, { signal })).data,
  });
  const rules = useQuery({ queryKey: ['rule-matches'], queryFn: ({ signal }) => tryRules(signal), staleTime: 30_000 });
  return (
    <Page title="Calendars">
      <ReturnFromProvider />
      <List
        query={calendars}
        empty={[
          'No calendar is connected',
          <>
            Connect one below. Its next meetings then appear here, with the bots that go to them. See{' '}
            <Reference to="calendars">the guide</Reference>.
          </>,
        ]}
      >
        {(list) =>
          list.map((calendar) => (
            <CalendarCard key={calendar.calendar_id} calendar={calendar} rules={rules.data ?? []} />
          ))
        }
      </List>
      <section className="card">
        <h2>Connect</h2>
        <ConnectByConsent />
        <ConnectCalendar />
      </section>
      <CalendarRules />
    </Page>
  );
}

async function tryRules(signal: AbortSignal): Promise<RuleMatches[]> {
  const rules = await api.listCalendarRules({}, { signal });
  return Promise.all(
    rules
      .filter(({ enabled }) => enabled)
      .map(async ({ name, conditions, preferred_platform }) => ({
        rule: name,
        matches: await api.dryRunCalendarRule({ body: { conditions, preferred_platform } }, { signal }),
      })),
  );
}

function CalendarCard({ calendar, rules }: { readonly calendar: Calendar; readonly rules: readonly RuleMatches[] }) {
  const id = { calendar_id: calendar.calendar_id };
  const details = useQuery({
    queryKey: ['calendar', id],
    queryFn: ({ signal }) => api.getCalendar(id, { signal }),
  });
  const events = useQuery({
    queryKey: ['calendar-events', id],
    queryFn: ({ signal }) => {
      const now = Date.now();
      const start_date = new Date(now).toISOString();
      const end_date = new Date(now + daysAhead * 86_400_000).toISOString();
      return api.listCalendarEvents({ ...id, limit: 50, start_date, end_date }, { signal });
    },
  });
  return (
    <section className="card">
      <div className="card-head">
        <h2 className="breaks">{calendar.account_email}</h2>
        <State state={calendar.status} />
        <Action
          label="Synchronize now"
          about={calendar.account_email}
          act={async () => {
            await api.syncCalendar(id);
            return 'The calendar is synchronized.';
          }}
        />
        <Action
          label="Disconnect"
          about={calendar.account_email}
          kind="danger"
          confirm={{
            title: `Disconnect the calendar of ${calendar.account_email}?`,
            text: 'Its meetings are forgotten, and bots that go to them and have not started are cancelled.',
            button: 'Disconnect it',
          }}
          act={async () => {
            await api.deleteCalendar(id);
            return 'The calendar is disconnected.';
          }}
        />
      </div>
      <p className="hint">
        {calendarProviders[calendar.calendar_platform].title}, last synchronized <Time at={calendar.synced_at} />
      </p>
      {details.data?.status_message != null && <Notice kind="warn">{details.data.status_message}</Notice>}
      {details.data !== undefined && <Unreadable notices={unreadableNotices(details.data)} />}
      <QueryResult query={events}>
        {({ data }) =>
          data.length === 0 ? (
            <p>No meetings in the next {daysAhead} days.</p>
          ) : (
            <Meetings events={data} rules={rules} />
          )
        }
      </QueryResult>
    </section>
  );
}

function Unreadable({ notices }: { readonly notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <Notice kind="warn">
      <ul className="reasons">
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Meetings({ events, rules }: { readonly events: readonly Event[]; readonly rules: readonly RuleMatches[] }) {
  return (
    <ul className="meetings">
      {events.map((event) => (
        <li key={event.event_id}>
          <div className="message-head">
            <strong>{event.title}</strong>
            <span className={`status ${event.bot_scheduled ? 'good' : 'neutral'}`}>
              {event.bot_scheduled ? 'Gets a bot' : 'No bot'}
            </span>
            <Time at={event.start_time} />
            {event.meeting_platform !== null && <span>{platformNames[event.meeting_platform]}</span>}
          </div>
          <ul className="reasons">
            {decisionsOf(event, rules).map((reason) => (
              <li key={reason} className="hint">
                {reason}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** The matches of one enabled rule's dry run among the events of the next two weeks. */
interface RuleMatches {
  readonly rule: string;
  readonly matches: readonly {
    readonly event_id: string;
    readonly would_get_bot: boolean;
    readonly reasons: readonly string[];
  }[];
}

interface CalendarEvent {
  readonly event_id: string;
  readonly bot_scheduled: boolean;
  readonly meeting_url: string | null;
  readonly notices: readonly { readonly message: string }[];
  readonly status: string;
}

/** Why an event gets a bot, or none: a sentence for each matching rule, or the reason when no rule decides. */
export function decisionsOf(event: CalendarEvent, rules: readonly RuleMatches[]): string[] {
  if (event.status === 'cancelled') return ['The meeting is cancelled.'];
  const notices = event.notices.map(({ message }) => message);
  if (event.meeting_url === null) return notices.length > 0 ? notices : ['There is no meeting link in it.'];
  const said = rules.flatMap(({ rule, matches }) =>
    matches
      .filter(({ event_id: id, would_get_bot: takes }) => id === event.event_id && takes === event.bot_scheduled)
      .map(({ reasons }) => `Rule “${rule}”: ${reasons.join(' ')}`),
  );
  if (said.length > 0) return [...notices, ...said];
  if (event.bot_scheduled) return [...notices, 'A bot was scheduled for it by request.'];
  return [
    ...notices,
    rules.length === 0 ? 'There is no calendar rule, and no bot was scheduled for it.' : 'No rule matches it.',
  ];
}

interface UnreadableEvents {
  readonly unreadable_event_count: number;
  readonly unreadable_events: readonly { readonly provider_event_id: string; readonly reason: string }[];
}

/** Events that have no bot because they could not be read, one sentence for each; empty when all could be. */
export function unreadableNotices({
  unreadable_event_count: count,
  unreadable_events: events,
}: UnreadableEvents): string[] {
  const shown = events.map(
    ({ provider_event_id: id, reason }) => `Event ${id} could not be read and gets no bot: ${reason}.`,
  );
  const more = count - events.length;
  return more > 0 ? [...shown, `${more} more events could not be read.`] : shown;
}

const accountFields: Fields<'createCalendar'> = [
  {
    name: 'calendar_platform',
    label: 'Provider',
    options: calendarProviderNames.map((name) => [name, calendarProviders[name].title]),
  },
  { name: 'oauth_client_id', label: 'OAuth client id', hint: 'Of your own OAuth app.' },
  { name: 'oauth_client_secret', label: 'OAuth client secret', type: 'secret' },
  { name: 'oauth_refresh_token', label: 'Refresh token of the account', type: 'secret' },
  {
    name: 'oauth_tenant_id',
    label: 'Directory (tenant) id',
    hint: 'Microsoft only. Left empty: common.',
    empty: 'absent',
  },
  {
    name: 'raw_calendar_id',
    label: 'Calendar',
    hint: 'primary is the main calendar of the account.',
    value: 'primary',
  },
];

/** Connects a calendar with the OAuth client and refresh token of the customer. */
function ConnectCalendar() {
  return (
    <Form
      title="Connect a calendar with an OAuth app of your own"
      button="Connect it"
      fields={accountFields}
      send={async (body: BodyOf<'createCalendar'>) =>
        `The calendar of ${(await api.createCalendar({ body })).account_email} is connected. Its meetings appear here in a moment.`
      }
    />
  );
}

type Rule = Awaited<ReturnType<typeof api.listCalendarRules>>[number];

/** The rules by which meetings of calendars get bots. Their effect on each meeting is shown with the meeting. */
export function CalendarRules() {
  const rules = useQuery({
    queryKey: ['calendar-rules'],
    queryFn: ({ signal }) => api.listCalendarRules({}, { signal }),
  });
  return (
    <section className="card">
      <h2>Rules</h2>
      <List query={rules} empty={['No rule yet', 'Bots go only to meetings for which you send one.']}>
        {(list) => (
          <ul className="meetings">
            {list.map((rule) => (
              <RuleItem key={rule.rule_id} rule={rule} />
            ))}
          </ul>
        )}
      </List>
      <AddRule />
    </section>
  );
}

function RuleItem({ rule }: { readonly rule: Rule }) {
  const id = { rule_id: rule.rule_id };
  return (
    <li>
      <div className="message-head">
        <strong className="breaks">{rule.name}</strong>
        <State state={rule.enabled ? 'active' : 'by_request'} />
        <Action
          label={rule.enabled ? 'Disable' : 'Enable'}
          about={rule.name}
          act={async () => {
            await api.updateCalendarRule({ ...id, body: { enabled: !rule.enabled } });
            return rule.enabled ? 'It sends no bots now.' : 'It sends bots again.';
          }}
        />
        <Deletion
          role="member"
          what="the rule"
          name={rule.name}
          text="Bots that it scheduled and that have not started are cancelled."
          act={() => api.deleteCalendarRule(id)}
        />
      </div>
      <p className="hint">{conditionText(rule)}</p>
    </li>
  );
}

function conditionText({ conditions }: Rule): string {
  const {
    only_accepted: accepted,
    external_guests: guests,
    title_contains: title,
    organizer_email: organizer,
  } = conditions;
  const parts = [
    accepted === true ? 'the account accepted it' : null,
    guests === true ? 'a guest of another organization attends' : null,
    title == null ? null : `its title contains “${title}”`,
    organizer == null ? null : `${organizer} organizes it`,
    conditions.platforms == null
      ? null
      : `it is on ${conditions.platforms.map((name) => platformNames[name]).join(' or ')}`,
  ].filter((part) => part !== null);
  return parts.length === 0
    ? 'Every meeting gets a bot that is not private or declined.'
    : `A meeting gets a bot when ${parts.join(', and ')}.`;
}

const ruleFields = [
  { name: 'name', label: 'Name' },
  { name: 'bot_name', label: 'Name of its bots', value: 'Rapporteur' },
  { name: 'title_contains', label: 'The title contains', hint: 'Left empty: any title.', empty: 'absent' },
  { name: 'only_accepted', label: 'Only meetings that the account accepted or organizes', type: 'check' },
  { name: 'external_guests', label: 'Only meetings with a guest of another organization', type: 'check' },
  { name: 'try', label: 'Only try it: say how many meetings would get a bot', type: 'check', value: true },
] as const;

interface NewRule extends NonNullable<BodyOf<'createCalendarRule'>['conditions']> {
  readonly name: string;
  readonly bot_name: string;
  readonly try: boolean;
}

function AddRule() {
  const send = async ({ name, bot_name, try: isTrial, ...conditions }: NewRule): Promise<string> => {
    if (isTrial) {
      const matches = await api.dryRunCalendarRule({ body: { conditions, preferred_platform: null } });
      const taken = matches.filter(({ would_get_bot: takes }) => takes).length;
      return `${taken} of ${matches.length} meetings of the next two weeks would get a bot. Nothing was saved.`;
    }
    await api.createCalendarRule({ body: { name, enabled: true, conditions, bot: { bot_name } } });
    return `The rule “${name}” is added.`;
  };
  return <Form title="Add a rule" button="Go on" fields={ruleFields} send={send} keeps />;
}
