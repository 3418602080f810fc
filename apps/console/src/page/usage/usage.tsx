import { csvOf } from '@rapporteur/contracts/csv';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api } from '../api/client.ts';
import { Action, saveText } from '../elements/action.tsx';
import { Bars } from '../elements/bars.tsx';
import { CodeName } from '../elements/status.tsx';
import { bytesOf, durationOf } from '../elements/time.tsx';
import { Field } from '../elements/form.tsx';
import { Page, EmptyState, QueryResult } from '../elements/page.tsx';
import { Table } from '../elements/table.tsx';

type Day = Awaited<ReturnType<typeof api.listDailyUsage>>[number];
type BotUsage = Awaited<ReturnType<typeof api.listBotUsage>>['data'][number];

/** Rows of one file; a period with more bots is downloaded in shorter periods. */
const mostRows = 50_000;

/** Resource usage of the team's bots, by day, and as CSV by day and by bot. */
export function Usage() {
  const [search, setSearch] = useSearchParams();
  const period = periodOf(search, Date.now());
  const days = useQuery({
    queryKey: ['usage', period],
    queryFn: ({ signal }) => api.listDailyUsage(queryOf(period), { signal }),
    placeholderData: keepPreviousData,
  });
  const change = (name: 'from' | 'to', value: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return (
    <Page title="Usage">
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} label={name === 'from' ? 'First day' : 'Last day'}>
            <input type="date" value={period[name]} onChange={(event) => change(name, event.target.value)} />
          </Field>
        ))}
      </form>
      <div className="buttons">
        {[1, 7, 30].map((count) => (
          <button
            key={count}
            type="button"
            aria-pressed={count === daysOf(period).length}
            onClick={() => setSearch(new URLSearchParams({ from: lastDays(count, Date.now()) }))}
          >
            {count === 1 ? 'Today' : `${count} days`}
          </button>
        ))}
      </div>
      <p className="hint">Bots count on the day on which they ended, in UTC.</p>
      <QueryResult query={days}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No bot ended in these days">
              Choose other days, or <Link href="/send">send a bot</Link>.
            </EmptyState>
          ) : (
            <>
              <Plots days={rows} period={period} />
              <UsageTable days={rows} />
              <Failures period={period} />
              <Downloads days={rows} period={period} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

const plots: readonly (readonly [string, (day: Day) => number, (value: number) => string])[] = [
  ['Bots', ({ bots }) => bots, String],
  ['Recorded', ({ recorded_seconds: seconds }) => seconds, durationOf],
  ['Tokens', ({ tokens }) => tokens, String],
];

function Plots({ days, period }: { readonly days: readonly Day[]; readonly period: Period }) {
  const byDay = new Map(days.map((day) => [day.day, day]));
  return (
    <div className="plots">
      {plots.map(([title, valueOf, text]) => (
        <Bars
          key={title}
          title={title}
          text={text}
          bars={daysOf(period).map((label) => {
            const day = byDay.get(label);
            return { label, value: day === undefined ? 0 : valueOf(day) };
          })}
        />
      ))}
    </div>
  );
}

type Failed = Awaited<ReturnType<typeof api.listBots>>['data'][number];

/** Failed bots that are read, newest first. */
const mostFailed = 1_000;

/** The failed bots of the period by reason, the most frequent reason first. */
export function byReason(bots: readonly Failed[], until: number): (readonly [code: string, bots: readonly Failed[]])[] {
  const ended = bots.filter(({ ended_at: at }) => at !== null && Date.parse(at) < until);
  const groups = Map.groupBy(ended, ({ error_code: code }) => code ?? 'UNKNOWN');
  return [...groups].toSorted(([, one], [, other]) => other.length - one.length);
}

function Failures({ period }: { readonly period: Period }) {
  const { ended_after, ended_before } = queryOf(period);
  const failed = useQuery({
    queryKey: ['failed', period],
    queryFn: async ({ signal }) => {
      const bots: Failed[] = [];
      for await (const bot of api.all.listBots({ status: 'failed', ended_after, limit: 250 }, { signal })) {
        bots.push(bot);
        if (bots.length === mostFailed) break;
      }
      return bots;
    },
  });
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Failures by reason</h2>
      <QueryResult query={failed}>
        {(bots) =>
          bots.length === 0 ? (
            <p>No bot failed.</p>
          ) : (
            <>
              {bots.length === mostFailed && <p className="hint">Of the newest {mostFailed} failed bots.</p>}
              <Table
                label="Reasons of failures"
                head={['Reason', 'Bots', 'The last one']}
                rows={byReason(bots, Date.parse(ended_before)).map(([code, [last, ...others]]) => [
                  <Fragment key={code}>
                    <CodeName code={code} />
                    <span className="hint block breaks">{last?.error_message}</span>
                  </Fragment>,
                  others.length + 1,
                  <Link key="last" href={`/bots/${last?.bot_id}`}>
                    <span className="three-lines">{last?.bot_name}</span>
                  </Link>,
                ])}
              />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

const columns: readonly (readonly [string, (day: Omit<Day, 'day'>) => string, boolean])[] = [
  ['Bots', ({ bots }) => String(bots), false],
  ['Recorded', ({ recorded_seconds: seconds }) => durationOf(seconds), false],
  ['Transcribed', ({ provider_seconds: seconds }) => durationOf(seconds), true],
  ['Stored', ({ stored_bytes: bytes }) => bytesOf(bytes), true],
  ['CPU time', ({ cpu_seconds: seconds }) => durationOf(seconds), true],
  ['Tokens', ({ tokens }) => String(tokens), false],
];

function UsageTable({ days }: { readonly days: readonly Day[] }) {
  const rowOf = (title: string, usage: Omit<Day, 'day'>) => [title, ...columns.map(([, text]) => text(usage))];
  return (
    <Table
      label="Usage by day"
      className="numbers"
      head={['Day', ...columns.map(([title, , isWide]) => (isWide ? ([title, 'wide'] as const) : title))]}
      rows={days.toReversed().map((day) => rowOf(day.day, day))}
      foot={rowOf('Total', totalOf(days))}
    />
  );
}

function totalOf(days: readonly Day[]): Omit<Day, 'day'> {
  const sum = (name: Exclude<keyof Day, 'day'>) => days.reduce((total, day) => total + day[name], 0);
  return {
    bots: sum('bots'),
    recorded_seconds: sum('recorded_seconds'),
    cpu_seconds: sum('cpu_seconds'),
    stored_bytes: sum('stored_bytes'),
    provider_seconds: sum('provider_seconds'),
    tokens: sum('tokens'),
  };
}

function Downloads({ days, period }: { readonly days: readonly Day[]; readonly period: Period }) {
  const save = (what: string, rows: Parameters<typeof csvOf>[0]): string => {
    saveText(`rapporteur-usage-${what}-${period.from}-${period.to}.csv`, 'text/csv', csvOf(rows));
    return `${rows.length} rows are downloaded.`;
  };
  return (
    <div className="buttons">
      <Action
        label="Download the days (CSV)"
        act={() =>
          Promise.resolve(
            save(
              'days',
              days.map((day) => ({ ...day })),
            ),
          )
        }
      />
      <Action
        label="Download the bots (CSV)"
        act={async () => {
          const rows: BotUsage[] = [];
          for await (const row of api.all.listBotUsage({ ...queryOf(period), limit: 100 })) {
            if (rows.length >= mostRows) throw new Error(`More than ${mostRows} bots. Choose fewer days.`);
            rows.push(row);
          }
          return save(
            'bots',
            rows.map((row) => ({ ...row })),
          );
        }}
      />
    </div>
  );
}

const dayMs = 86_400_000;
const usualDays = 31;

/** Days in UTC, both included. */
interface Period {
  readonly from: string;
  readonly to: string;
}

/** The days of the address; default: the last 31. */
export function periodOf(search: URLSearchParams, now: number): Period {
  const to = dayIn(search.get('to')) ?? dayOf(now);
  return { from: dayIn(search.get('from')) ?? dayOf(Date.parse(to) - (usualDays - 1) * dayMs), to };
}

/** For the API: until the beginning of the day after. */
export function queryOf({ from, to }: Period): { ended_after: string; ended_before: string } {
  return { ended_after: `${from}T00:00:00.000Z`, ended_before: new Date(Date.parse(to) + dayMs).toISOString() };
}

/** Each day of the period; of a long one, the last 366. */
export function daysOf({ from, to }: Period): string[] {
  const count = Math.min(366, Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1));
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(to) - (count - 1 - index) * dayMs));
}

/** The first of so many days that end now. */
export function lastDays(count: number, now: number): string {
  return dayOf(now - (count - 1) * dayMs);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function dayIn(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}
