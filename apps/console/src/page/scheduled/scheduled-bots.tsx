import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Input } from '@rapporteur/sdk';
import { Fragment, useState } from 'react';
import { api, sentenceOf } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Time, localInput } from '../elements/time.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';
import { Page, QueryResult, EmptyState } from '../elements/page.tsx';
import { State, platformNames, stateText } from '../elements/status.tsx';
import {
  ChoiceFilter,
  Filters,
  TextFilter,
  Pager,
  dayStart,
  queryOf,
  useAddress,
  useSettled,
} from '../elements/filters.tsx';
import { Table } from '../elements/table.tsx';
import { For, useMay } from '../session/use-session.tsx';

type ListPage = Awaited<ReturnType<typeof api.listScheduledBots>>;
type ScheduledBot = ListPage['data'][number];

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
        <For role="member">
          <Link href="/send" className="button primary">
            Schedule a bot
          </Link>
        </For>
      }
    >
      <Filters label="Filter scheduled bots">
        <ChoiceFilter address={address} name="status" label="Status" options={statuses} />
        <TextFilter address={address} name="bot_name" label="Bot name" />
        <TextFilter address={address} name="meeting_url" label="Meeting link" />
        <TextFilter address={address} name="scheduled_after" label="Joins from" type="date" />
        <TextFilter address={address} name="scheduled_before" label="Joins until" type="date" />
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
              <Selected key={JSON.stringify(query)} page={page} query={query} />
              <Pager page={page} what="scheduled bots" first="earliest" onMove={(cursor) => change('cursor', cursor)} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

function scheduledQuery(search: URLSearchParams): Input<'listScheduledBots'> {
  const [after, before] = [dayStart(search, 'scheduled_after'), dayStart(search, 'scheduled_before', 1)];
  return {
    limit: 50,
    ...queryOf(search, ['status', 'bot_name', 'meeting_url', 'cursor']),
    ...(after === null ? {} : { scheduled_after: after }),
    ...(before === null ? {} : { scheduled_before: before }),
  } as Input<'listScheduledBots'>;
}

/** Bots that one action cancels at most. */
const mostCancelled = 500;

interface SelectedProps {
  readonly page: ListPage;
  readonly query: Input<'listScheduledBots'>;
}

/** The table with a selection, which is cancelled in one action. */
function Selected({ page: { data: bots, total }, query }: SelectedProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayCancel = useMay('member');
  const open = bots.filter(({ status }) => status === 'scheduled').map(({ bot_id: id }) => id);
  const ids = [...chosen];
  const selectAll = async (): Promise<string> => {
    const found = new Set<string>();
    const { cursor: _page, ...filters } = query;
    for await (const bot of api.all.listScheduledBots({
      ...filters,
      status: 'scheduled',
      limit: 100,
    } as typeof query)) {
      if (found.size >= mostCancelled) break;
      found.add(bot.bot_id);
    }
    setChosen(found);
    return `${found.size} bots are selected.`;
  };
  return (
    <>
      {mayCancel && open.length > 0 && (
        <div className="buttons selection">
          <label>
            <input
              type="checkbox"
              checked={open.every((id) => chosen.has(id))}
              onChange={(event) => setChosen(new Set(event.target.checked ? open : []))}
            />{' '}
            Select the {open.length} of this page
          </label>
          {bots.length < total && <Action label={`Select all, at most ${mostCancelled}`} act={selectAll} />}
          {ids.length > 0 && (
            <Action
              label={`Cancel the ${ids.length} selected`}
              kind="danger"
              confirm={{
                title: `Cancel ${ids.length} bots?`,
                text: 'They do not join their meetings.',
                button: 'Cancel the bots',
              }}
              act={() => cancelAll(ids).finally(() => setChosen(new Set()))}
            />
          )}
        </div>
      )}
      <p className="hint">
        {total === 1 ? '1 bot' : `${total.toLocaleString('en')} bots`}
        {bots.length < total && `, ${bots.length} of them on this page`}.
      </p>
      <BotTable bots={bots} chosen={mayCancel ? chosen : null} onChoose={setChosen} />
    </>
  );
}

/** One after the other: a bot that cannot be cancelled any more does not keep the others. */
async function cancelAll(ids: readonly string[]): Promise<string> {
  let [cancelled, problem] = [0, ''];
  for (const id of ids) {
    try {
      await api.deleteScheduledBot({ bot_id: id });
      cancelled += 1;
    } catch (error) {
      problem = sentenceOf(error);
    }
  }
  if (problem !== '') throw new Error(`${cancelled} of ${ids.length} bots are cancelled. ${problem}`);
  return `${cancelled} bots are cancelled.`;
}

interface TableProps {
  readonly bots: readonly ScheduledBot[];
  /** Null: nothing can be selected. */
  readonly chosen: ReadonlySet<string> | null;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

function BotTable({ bots, chosen, onChoose }: TableProps) {
  const choose = (id: string, isChosen: boolean): void =>
    onChoose(isChosen ? new Set(chosen).add(id) : new Set([...(chosen ?? [])].filter((other) => other !== id)));
  return (
    <Table
      label="Scheduled bots"
      head={['Bot', ['Joins at', 'wide'], 'Status', ['Platform', 'wide'], ['Actions', 'unseen']]}
      rows={bots.map((bot) => [
        <Fragment key={bot.bot_id}>
          {chosen !== null && bot.status === 'scheduled' && (
            <input
              type="checkbox"
              aria-label={`Select ${bot.bot_name}`}
              checked={chosen.has(bot.bot_id)}
              onChange={(event) => choose(bot.bot_id, event.target.checked)}
            />
          )}{' '}
          <Link href={`/${/^(completed|failed)$/.test(bot.status) ? 'bots' : 'scheduled'}/${bot.bot_id}`}>
            <span className="three-lines">{bot.bot_name}</span>
          </Link>
          <span className="hint narrow">
            <Time at={bot.join_at} />
          </span>
          <span className="hint block breaks wide">{bot.meeting_url}</span>
        </Fragment>,
        <Time at={bot.join_at} />,
        <State state={bot.status} />,
        platformNames[bot.meeting_platform],
        bot.status === 'scheduled' && <CancelScheduled bot={bot} />,
      ])}
    />
  );
}

type Details = Awaited<ReturnType<typeof api.getScheduledBot>>;

/** A bot that joins later: its settings, and a form to change them. */
export function ScheduledBotPage({ botId }: { readonly botId: string }) {
  const bot = useQuery({
    queryKey: ['scheduled-bot', botId],
    queryFn: ({ signal }) => api.getScheduledBot({ bot_id: botId }, { signal }),
  });
  return (
    <Page
      title={bot.data?.bot_name ?? 'Scheduled bot'}
      actions={bot.data?.status === 'scheduled' && <CancelScheduled bot={bot.data} />}
    >
      <QueryResult query={bot}>
        {(found) => (
          <>
            <Facts bot={found} />
            {found.status === 'scheduled' && <Edit key={found.updated_at} bot={found} />}
          </>
        )}
      </QueryResult>
      <p>
        <Link href="/scheduled" className="button">
          All scheduled bots
        </Link>
      </p>
    </Page>
  );
}

function Facts({ bot }: { readonly bot: Details }) {
  return (
    <>
      <p className="summary">
        <State state={bot.status} />
        <span>{platformNames[bot.meeting_platform]}</span>
        <span>
          Joins <Time at={bot.join_at} />
        </span>
      </p>
      <dl className="facts">
        <dt>Meeting link</dt>
        <dd className="breaks">{bot.meeting_url}</dd>
        <dt>Recording</dt>
        <dd>{bot.recording_mode.replaceAll('_', ' ')}</dd>
        <dt>Transcription</dt>
        <dd>{bot.transcription_config?.provider ?? 'none'}</dd>
        <dt>Message when it joins</dt>
        <dd className="breaks">{bot.entry_message ?? '—'}</dd>
      </dl>
    </>
  );
}

function Edit({ bot }: { readonly bot: Details }) {
  const joinAt = localInput(bot.join_at);
  const send = async (body: BodyOf<'updateScheduledBot'>): Promise<string> => {
    // The input has no seconds: a time that was not changed stays as it is.
    const given = { ...bot, join_at: new Date(joinAt).toISOString() };
    const changed = Object.entries(body).filter(([name, value]) => value !== given[name as keyof Details]);
    if (changed.length === 0) return 'Nothing was changed.';
    await api.updateScheduledBot({ bot_id: bot.bot_id, body: Object.fromEntries(changed) });
    return 'The bot is changed.';
  };
  const fields: Fields<'updateScheduledBot'> = [
    { name: 'meeting_url', label: 'Meeting link', type: 'url', value: bot.meeting_url },
    { name: 'bot_name', label: 'Name of the bot', value: bot.bot_name },
    { name: 'join_at', label: 'Joins at', type: 'datetime-local', value: joinAt },
    {
      name: 'entry_message',
      label: 'Message in the chat when it joins',
      type: 'area',
      empty: null,
      value: bot.entry_message,
    },
  ];
  return <Form title="Change it" button="Save" fields={fields} send={send} keeps />;
}

interface Cancelled {
  readonly bot_id: string;
  readonly bot_name: string;
  readonly meeting_url: string;
  readonly join_at: string;
}

export function CancelScheduled({ bot }: { readonly bot: Cancelled }) {
  return (
    <Action
      label="Cancel"
      about={bot.bot_name}
      kind="danger"
      confirm={{
        title: `Cancel “${bot.bot_name}”?`,
        text: (
          <>
            It does not join {bot.meeting_url} at <Time at={bot.join_at} />.
          </>
        ),
        button: 'Cancel the bot',
      }}
      act={async () => (await api.deleteScheduledBot({ bot_id: bot.bot_id })).message}
    />
  );
}
