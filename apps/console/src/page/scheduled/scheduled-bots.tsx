import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Page } from '../elements/page.tsx';
import { Pager } from '../elements/pager.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { platformNames } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';

type ScheduledBot = Awaited<ReturnType<typeof api.listScheduledBots>>['data'][number];

const liveMs = 10_000;

export function ScheduledBots() {
  const [cursor, setCursor] = useState<string | null>(null);
  const query = { limit: 50, ...(cursor === null ? {} : { cursor }) };
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
      <QueryResult query={bots}>
        {(page) =>
          page.data.length === 0 ? (
            <EmptyState title="No scheduled bots">
              <Link href="/send">Schedule a bot</Link> for a meeting later, or connect a{' '}
              <Link href="/calendars">calendar</Link>.
            </EmptyState>
          ) : (
            <>
              <Table bots={page.data} />
              <Pager page={page} what="scheduled bots" onMove={setCursor} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
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
                {bot.status === 'completed' || bot.status === 'failed' ? (
                  <Link href={`/bots/${bot.bot_id}`}>{bot.bot_name}</Link>
                ) : (
                  bot.bot_name
                )}
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
              <td>{bot.status === 'scheduled' && <Cancel bot={bot} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cancel({ bot }: { readonly bot: ScheduledBot }) {
  return (
    <Action
      label="Cancel"
      about={bot.bot_name}
      kind="danger"
      confirm={{
        title: 'Cancel this bot?',
        text: (
          <>
            {bot.bot_name} does not join at <Time at={bot.join_at} />.
          </>
        ),
        button: 'Cancel the bot',
      }}
      act={async () => (await api.deleteScheduledBot({ bot_id: bot.bot_id })).message}
    />
  );
}
