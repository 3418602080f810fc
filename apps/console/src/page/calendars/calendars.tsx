import { calendarProviders } from '@rapporteur/contracts/calendar-providers';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Reference } from '../elements/reference.tsx';
import { Notice } from '../elements/notice.tsx';
import { Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { platformNames } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';
import { CalendarRules } from './calendar-rules.tsx';
import { ConnectByConsent, ReturnFromProvider } from './connect-by-consent.tsx';
import { ConnectCalendar } from './connect-calendar.tsx';
import { decisionsOf, unreadableNotices } from './decisions.ts';
import type { RuleMatches } from './decisions.ts';

type Calendar = Awaited<ReturnType<typeof api.listCalendars>>['data'][number];
type Event = Awaited<ReturnType<typeof api.listCalendarEvents>>['data'][number];

const daysAhead = 14;

/** Connected calendars, their next meetings, and why each of these has a bot or not. */
export function Calendars() {
  const calendars = useQuery({
    queryKey: ['calendars'],
    queryFn: ({ signal }) => api.listCalendars({ limit: 100 }, { signal }),
  });
  const rules = useQuery({ queryKey: ['rule-matches'], queryFn: ({ signal }) => tryRules(signal), staleTime: 30_000 });
  return (
    <Page title="Calendars">
      <ReturnFromProvider />
      <QueryResult query={calendars}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No calendar is connected">
              Connect one below. Its next meetings then appear here, with the bots that go to them. See{' '}
              <Reference to="calendars">the guide</Reference>.
            </EmptyState>
          ) : (
            data.map((calendar) => (
              <CalendarCard key={calendar.calendar_id} calendar={calendar} rules={rules.data ?? []} />
            ))
          )
        }
      </QueryResult>
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
