import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Input } from '@rapporteur/sdk';
import { api } from '../api/client.ts';
import { CodeName, Status, isFinal, platformNames, statusText } from '../elements/status.tsx';
import { durationOf, Time } from '../elements/time.tsx';
import {
  ChoiceFilter,
  Filters,
  TextFilter,
  Pager,
  useAddress,
  dayStart,
  queryOf,
  useSettled,
} from '../elements/filters.tsx';
import { Page, EmptyState, QueryResult } from '../elements/page.tsx';
import { Table } from '../elements/table.tsx';
import { For } from '../session/use-session.tsx';
import type { Address } from '../elements/filters.tsx';
import { isLossy } from './explanation.tsx';

const liveMs = 3_000;
const restMs = 15_000;
/** The list is filtered after a pause of this length in typing. */
const settleMs = 200;
const offered = ['queued', 'joining_call', 'in_waiting_room', 'in_call_recording', 'completed', 'failed'];

/** The team's bots, newest first, one page at a time. */
export function BotList() {
  const address = useAddress();
  const { search, change, reset, isFiltered } = address;
  const settled = new URLSearchParams(useSettled(search.toString(), settleMs));
  const query = botQuery(settled);
  const bots = useQuery({
    queryKey: ['bots', query],
    queryFn: ({ signal }) => api.listBots(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => !isFinal(status)) === true ? liveMs : restMs,
  });
  return (
    <Page
      title="Bots"
      actions={
        <For role="member">
          <Link href="/send" className="button primary">
            Send a bot
          </Link>
        </For>
      }
    >
      <BotFilters address={address} />
      <QueryResult query={bots}>
        {(page) =>
          page.data.length === 0 ? (
            <NoBots isFiltered={isFiltered} onReset={reset} />
          ) : (
            <>
              <BotTable bots={page.data} />
              <Pager page={page} what="bots" onMove={(cursor) => change('cursor', cursor)} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

function BotFilters({ address }: { readonly address: Address }) {
  return (
    <Filters label="Filter bots">
      <ChoiceFilter
        address={address}
        name="status"
        label="Status"
        options={offered.map((status) => [status, statusText(status)])}
      />
      <ChoiceFilter
        address={address}
        name="meeting_platform"
        label="Platform"
        options={Object.entries(platformNames)}
      />
      <TextFilter address={address} name="bot_name" label="Bot name" />
      <TextFilter address={address} name="participant_name" label="Participant" />
      <TextFilter address={address} name="meeting_url" label="Meeting link" />
      <TextFilter address={address} name="extra" label="Extra (key:value)" />
      <TextFilter address={address} name="created_after" label="Created from" type="date" />
      <TextFilter address={address} name="created_before" label="Created until" type="date" />
    </Filters>
  );
}

function NoBots({ isFiltered, onReset }: { readonly isFiltered: boolean; readonly onReset: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState title="No bot matches these filters">
        <button type="button" onClick={onReset}>
          Show all bots
        </button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No bots yet">
      Have the link of a meeting at hand and <Link href="/send">send the first bot</Link>. It appears here within a
      second. Bots that join later are under <Link href="/scheduled">Scheduled</Link> until they start.
    </EmptyState>
  );
}

type Bots = Awaited<ReturnType<typeof api.listBots>>['data'];

function BotTable({ bots }: { readonly bots: Bots }) {
  return (
    <Table
      label="Bots"
      head={['Bot', 'Status', ['Platform', 'wide'], ['Duration', 'wide'], ['Created', 'wide']]}
      rows={bots.map((bot) => [
        <Fragment key={bot.bot_id}>
          <Link href={`/bots/${bot.bot_id}`}>
            <span className="three-lines">{bot.bot_name}</span>
          </Link>
          <span className="hint narrow">
            <Time at={bot.created_at} />
          </span>
          <span className="hint block breaks wide">{bot.meeting_url}</span>
        </Fragment>,
        <>
          <Status status={bot.status} />{' '}
          {isLossy(bot.integrity_summary) && <span className="status waiting">Parts missing</span>}
          {bot.error_code !== null && (
            <span className="hint block">
              <CodeName code={bot.error_code} />
            </span>
          )}
        </>,
        platformNames[bot.meeting_platform],
        durationOf(bot.duration),
        <Time at={bot.created_at} />,
      ])}
    />
  );
}

const botsPerPage = 50;

const texts = ['status', 'meeting_platform', 'bot_name', 'participant_name', 'meeting_url', 'extra', 'cursor'] as const;

/** The filters of the address, as parameters of GET /v2/bots; the last day is inclusive. */
export function botQuery(search: URLSearchParams): Input<'listBots'> {
  const [after, before] = [dayStart(search, 'created_after'), dayStart(search, 'created_before', 1)];
  const { extra, ...others } = queryOf(search, texts);
  return {
    limit: botsPerPage,
    ...others,
    // An incomplete value is not a filter yet.
    ...(extra !== undefined && /^[^:,]+:[^,]+(,[^:,]+:[^,]+)*$/.test(extra) ? { extra } : {}),
    ...(after === null ? {} : { created_after: after }),
    ...(before === null || Date.parse(before) > Date.now() ? {} : { created_before: before }),
  } as Input<'listBots'>;
}
