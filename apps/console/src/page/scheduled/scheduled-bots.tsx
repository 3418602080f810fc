import type { Input } from '@rapporteur/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { ChoiceFilter, Filters, TextFilter } from '../elements/filters.tsx';
import { Page } from '../elements/page.tsx';
import { Pager } from '../elements/pager.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { platformNames, stateText } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';
import { dayStart, queryOf, useAddress } from '../elements/use-address.ts';
import { useSettled } from '../elements/use-settled.ts';
import { CancelScheduled } from './cancel-scheduled.tsx';

type ScheduledBot = Awaited<ReturnType<typeof api.listScheduledBots>>['data'][number];

const liveMs = 10_000;
const settleMs = 200;
const statuses = ['scheduled', 'completed', 'failed', 'cancelled'].map(
  (status) => [status, stateText(status)] as const,
);

export function ScheduledBots() {
  const address = useAddress();
  const { search, change, reset, isFiltered } = address;
  const query = scheduledQuery(new URLSearchParams(useSettled(search.toString(), settleMs)));
  const bots = useQuery({
    queryKey: ['scheduled', query],
    queryFn: ({ signal }) => api.listScheduledBots(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
  });
  return (
    <Page
      title="Scheduled bots"
      actions={
        <Link href="/send" className="button primary">
          Schedule a bot
        </Link>
      }
    >
      <Filters label="Filter scheduled bots">
        <ChoiceFilter address={address} name="status" label="Status" options={statuses} />
        <TextFilter address={address} name="bot_name" label="Bot name" />
        <TextFilter address={address} name="meeting_url" label="Meeting link" />
        <TextFilter address={address} name="scheduled_after" label="Joins from" type="date" />
      </Filters>
      <QueryResult query={bots}>
        {(page) =>
          page.data.length === 0 && isFiltered ? (
            <EmptyState title="No scheduled bot matches these filters">
              <button type="button" onClick={reset}>
                Show all scheduled bots
              </button>
            </EmptyState>
          ) : page.data.length === 0 ? (
            <EmptyState title="No scheduled bots">
              <Link href="/send">Schedule a bot</Link> for a meeting later, or connect a{' '}
              <Link href="/calendars">calendar</Link>.
            </EmptyState>
          ) : (
            <>
              <Table bots={page.data} />
              <Pager page={page} what="scheduled bots" first="earliest" onMove={(cursor) => change('cursor', cursor)} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

function scheduledQuery(search: URLSearchParams): Input<'listScheduledBots'> {
  const after = dayStart(search, 'scheduled_after');
  return {
    limit: 50,
    ...queryOf(search, ['status', 'bot_name', 'meeting_url', 'cursor']),
    ...(after === null ? {} : { scheduled_after: after }),
  } as Input<'listScheduledBots'>;
}

function Table({ bots }: { readonly bots: readonly ScheduledBot[] }) {
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Bot</th>
            <th scope="col" className="wide">
              Joins at
            </th>
            <th scope="col">Status</th>
            <th scope="col" className="wide">
              Platform
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {bots.map((bot) => (
            <tr key={bot.bot_id}>
              <th scope="row">
                <Link
                  href={
                    bot.status === 'completed' || bot.status === 'failed'
                      ? `/bots/${bot.bot_id}`
                      : `/scheduled/${bot.bot_id}`
                  }
                >
                  {bot.bot_name}
                </Link>
                <span className="hint narrow">
                  <Time at={bot.join_at} />
                </span>
                <span className="hint block breaks wide">{bot.meeting_url}</span>
              </th>
              <td className="wide">
                <Time at={bot.join_at} />
              </td>
              <td>
                <State state={bot.status} />
              </td>
              <td className="wide">{platformNames[bot.meeting_platform]}</td>
              <td>{bot.status === 'scheduled' && <CancelScheduled bot={bot} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
