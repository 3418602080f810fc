import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { api } from '../api/client.ts';
import { CodeName } from '../elements/code-name.tsx';
import { durationOf } from '../elements/duration.ts';
import { Field } from '../elements/field.tsx';
import { Page } from '../elements/page.tsx';
import { Pager } from '../elements/pager.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { Status } from '../elements/status.tsx';
import { isFinal, platformNames, statusText } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';
import { useSettled } from '../elements/use-settled.ts';
import { botQuery } from './bot-query.ts';

const liveMs = 3_000;
const restMs = 15_000;
/** A text that is typed is searched for after a pause of this length. */
const settleMs = 200;
const offered = ['queued', 'joining_call', 'in_waiting_room', 'in_call_recording', 'completed', 'failed'];

/** The team's bots, newest first, a page at a time: as fluent with 10,000 as with ten. */
export function BotList() {
  const [search, setSearch] = useSearchParams();
  const settled = new URLSearchParams(search);
  settled.set('bot_name', useSettled(search.get('bot_name') ?? '', settleMs));
  settled.set('participant_name', useSettled(search.get('participant_name') ?? '', settleMs));
  const query = botQuery(settled);
  const bots = useQuery({
    queryKey: ['bots', query],
    queryFn: ({ signal }) => api.listBots(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => !isFinal(status)) === true ? liveMs : restMs,
  });
  const change = (name: string, value: string | null) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (name !== 'cursor') next.delete('cursor');
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  const isFiltered = [...search.keys()].some((name) => name !== 'cursor');
  return (
    <Page
      title="Bots"
      actions={
        <Link href="/send" className="button primary">
          Send a bot
        </Link>
      }
    >
      <Filters search={search} onChange={change} />
      <QueryResult query={bots}>
        {(page) =>
          page.data.length === 0 ? (
            <NoBots isFiltered={isFiltered} onReset={() => setSearch(new URLSearchParams())} />
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

interface FilterProps {
  readonly search: URLSearchParams;
  readonly onChange: (name: string, value: string) => void;
}

function Filters({ search, onChange }: FilterProps) {
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <Field label={label}>
      <select value={search.get(name) ?? ''} onChange={(event) => onChange(name, event.target.value)}>
        <option value="">All</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
  const text = (name: string, label: string, type = 'search') => (
    <Field label={label}>
      <input
        type={type}
        value={search.get(name) ?? ''}
        maxLength={200}
        onChange={(event) => onChange(name, event.target.value)}
      />
    </Field>
  );
  return (
    <form className="filters" role="search" aria-label="Filter bots" onSubmit={(event) => event.preventDefault()}>
      {select(
        'status',
        'Status',
        offered.map((status) => [status, statusText(status)]),
      )}
      {select('meeting_platform', 'Platform', Object.entries(platformNames))}
      {text('bot_name', 'Bot name')}
      {text('participant_name', 'Participant')}
      {text('created_after', 'Created from', 'date')}
    </form>
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
      second.
    </EmptyState>
  );
}

type Bots = Awaited<ReturnType<typeof api.listBots>>['data'];

function BotTable({ bots }: { readonly bots: Bots }) {
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Bot</th>
            <th scope="col">Status</th>
            <th scope="col" className="wide">
              Platform
            </th>
            <th scope="col" className="wide">
              Duration
            </th>
            <th scope="col" className="wide">
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {bots.map((bot) => (
            <tr key={bot.bot_id}>
              <th scope="row">
                <Link href={`/bots/${bot.bot_id}`}>{bot.bot_name}</Link>
                <span className="hint narrow">
                  <Time at={bot.created_at} />
                </span>
              </th>
              <td>
                <Status status={bot.status} />
                {bot.error_code !== null && (
                  <span className="hint block">
                    <CodeName code={bot.error_code} />
                  </span>
                )}
              </td>
              <td className="wide">{platformNames[bot.meeting_platform]}</td>
              <td className="wide">{durationOf(bot.duration)}</td>
              <td className="wide">
                <Time at={bot.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
