import type { Input } from '@rapporteur/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
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
import { Page, EmptyState, QueryResult } from '../elements/page.tsx';
import { State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';

const routes: readonly (readonly [RegExp, string])[] = [
  [/^admin\.POST \/teams$/, 'Create the team'],
  [/^admin\.PATCH \/teams\/:team_id$/, 'Change the team'],
  [/^admin\.POST \/teams\/:team_id\/keys$/, 'Create an API key'],
  [/^admin\.POST \/teams\/:team_id\/tokens$/, 'Grant tokens'],
];

/** Text for an operation of the audit log: `createBot` is `Create bot`. */
export function actionText(action: string): string {
  const route = routes.find(([pattern]) => pattern.test(action));
  if (route !== undefined) return route[1];
  if (!/^[a-z][A-Za-z]*$/.test(action)) return action;
  const words = action.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(' api ', ' API ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const liveMs = 5_000;
const settleMs = 200;

type Entry = Awaited<ReturnType<typeof api.listAuditLog>>['data'][number];

/** Changes and reads of the team's objects with their actors, newest first. */
export function AuditLog() {
  const address = useAddress();
  const { search, change, reset, isFiltered } = address;
  const query = auditQuery(new URLSearchParams(useSettled(search.toString(), settleMs)));
  const entries = useQuery({
    queryKey: ['audit-log', query],
    queryFn: ({ signal }) => api.listAuditLog(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
  });
  const keys = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => api.listApiKeys({}, { signal }) });
  const names = new Map(keys.data?.map(({ key_id: id, name }) => [id, name]));
  return (
    <Page title="Audit log">
      <p className="hint">Changes, and reads of one object, by whom; kept for 13 months.</p>
      <Filters label="Filter the audit log">
        <ChoiceFilter address={address} name="action" label="Action" options={actions} />
        <ChoiceFilter address={address} name="key_id" label="API key" options={[...names]} />
        <TextFilter address={address} name="user" label="User" />
        <TextFilter address={address} name="from" label="From" type="date" />
        <TextFilter address={address} name="until" label="Until" type="date" />
      </Filters>
      <QueryResult query={entries}>
        {(page) =>
          page.data.length === 0 && isFiltered ? (
            <EmptyState title="No entry matches these filters">
              <button type="button" onClick={reset}>
                Show all entries
              </button>
            </EmptyState>
          ) : page.data.length === 0 ? (
            <EmptyState title="No entries yet">
              The next change that a key, a user or an operator makes appears here within a second.
            </EmptyState>
          ) : (
            <>
              <Entries entries={page.data} names={names} />
              <Pager page={page} what="entries" onMove={(next) => change('cursor', next)} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

/** Operations that the log names: every change, and the reads of one object. */
const actions = Object.keys(api)
  .filter((name) => typeof api[name as keyof typeof api] === 'function' && !name.startsWith('list'))
  .map((name) => [name, actionText(name)] as const)
  .toSorted(([, one], [, other]) => (one < other ? -1 : 1));

function auditQuery(search: URLSearchParams): Input<'listAuditLog'> {
  const [after, before] = [dayStart(search, 'from'), dayStart(search, 'until', 1)];
  return {
    limit: 50,
    ...queryOf(search, ['action', 'key_id', 'user', 'cursor']),
    ...(after === null ? {} : { after }),
    ...(before === null ? {} : { before }),
  };
}

/** Names of keys by their id. */
type Names = ReadonlyMap<string, string>;

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly names: Names;
}

function Entries({ entries, names }: EntriesProps) {
  return (
    <Table
      label="Audit log"
      head={['Action', 'Result', ['By', 'wide'], ['At', 'wide']]}
      rows={entries.map((entry) => [
        <Fragment key={entry.entry_id}>
          <span title={entry.action}>{actionText(entry.action)}</span>
          {Object.entries(entry.target).map(([name, value]) => (
            <span key={name} className="hint block breaks">
              <Target name={name} value={value} names={names} />
            </span>
          ))}
          <span className="hint narrow">
            {byWhom(entry, names)}, <Time at={entry.at} seconds />
          </span>
        </Fragment>,
        <>
          <State state={entry.status < 400 ? 'done' : 'refused'} />
          <span className="hint block">{entry.status}</span>
        </>,
        byWhom(entry, names),
        <Time at={entry.at} seconds />,
      ])}
    />
  );
}

const pages: Readonly<Record<string, string>> = {
  bot_id: 'bots',
  endpoint_id: 'webhooks',
};

/** What an entry is about: a link to its page, or the name of a key. */
function Target({ name, value, names }: { readonly name: string; readonly value: string; readonly names: Names }) {
  const [page, known] = [pages[name], name === 'key_id' ? names.get(value) : undefined];
  return (
    <>
      {name.replace(/_id$/, '').replaceAll('_', ' ')}{' '}
      {page === undefined ? (known ?? <code>{value}</code>) : <Link href={`/${page}/${value}`}>{value}</Link>}
    </>
  );
}

function byWhom({ key_id: id, user }: Entry, names: Names): string {
  if (user !== null) return user;
  return id === null ? 'An operator' : (names.get(id) ?? id);
}
