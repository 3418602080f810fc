import { useQuery } from '@tanstack/react-query';
import type { CanaryList, CanaryResult, PagePackView } from '@rapporteur/contracts';
import { callOperator } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { durationOf, Time } from '../elements/time.tsx';
import { Notice, EmptyState, QueryResult } from '../elements/page.tsx';
import { platformName, State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';

const refreshMs = 10_000;

interface Checks extends CanaryList {
  readonly page_packs: PagePackView;
}
type Canary = CanaryList['canaries'][number];

/** What bots know of the platforms' pages, and what canaries found there. */
export function PageChecks() {
  const checks = useQuery({
    queryKey: ['page-checks'],
    queryFn: ({ signal }) => callOperator<Checks>('GET', '/page-checks', signal),
    refetchInterval: refreshMs,
  });
  return <QueryResult query={checks}>{(data) => <PageCheckFacts checks={data} />}</QueryResult>;
}

export function PageCheckFacts({ checks: { page_packs, canaries } }: { readonly checks: Checks }) {
  return (
    <>
      <PagePacks packs={page_packs} />
      <UnrecognisedPages pages={page_packs.unrecognised} />
      <section aria-labelledby="canaries">
        <h2 id="canaries">Canaries</h2>
        {canaries.length === 0 ? (
          <EmptyState title="There are no canaries">
            Name standing meetings in RAPPORTEUR_CANARIES of bot-scheduler.
          </EmptyState>
        ) : (
          <ul className="messages">
            {canaries.map((canary) => (
              <li key={canary.name}>
                <CanaryFacts canary={canary} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function PagePacks({ packs: { platforms, refused } }: { readonly packs: PagePackView }) {
  return (
    <section aria-labelledby="page-packs">
      <h2 id="page-packs">Page packs</h2>
      {refused !== null && (
        <Notice kind="fail" title="The newest reading was refused; the last good page packs stay in use">
          {refused.message} (<Time at={refused.at} />)
        </Notice>
      )}
      <Table
        label="Page packs in use"
        head={['Platform', 'In use', 'Share', 'Before', 'State']}
        rows={platforms.map(({ platform, state, version, share, previous_version }) => [
          platformName(platform),
          <code key="version">{version}</code>,
          share === null ? '–' : `${share} %`,
          previous_version === null ? '–' : <code key="before">{previous_version}</code>,
          <State key="state" state={state} />,
        ])}
      />
      {platforms.map(
        ({ platform, suspended }) =>
          suspended !== null && (
            <Notice key={platform} kind="warn" title={`${platformName(platform)}: ${suspended.version} was taken back`}>
              {suspended.message} (<Time at={suspended.at} />)
            </Notice>
          ),
      )}
    </section>
  );
}

const kinds = {
  waiting: 'Waited there in vain',
  refused: 'Refused in unknown words',
  unusable: 'Could not be operated',
} as const;

function UnrecognisedPages({ pages }: { readonly pages: PagePackView['unrecognised'] }) {
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby="unrecognised-pages">
      <h2 id="unrecognised-pages">Pages that were not recognised</h2>
      <Table
        label="Pages of the last week on which bots ended without knowing them"
        head={[
          'Platform',
          'Bots',
          'What happened',
          'The page says',
          'Since',
          'Last',
          'Kept page',
          'To try in a page pack',
        ]}
        rows={pages.map(({ platform, kind, shape, said, bots, since, last, examples: [example], entry }) => [
          platformName(platform),
          bots,
          kinds[kind],
          said ?? '–',
          <Time key="since" at={since} />,
          <Time key="last" at={last} />,
          <code key="page" className="breaks">
            {example === undefined ? shape : `${shape} ${example.bot_id}/${example.page}`}
          </code>,
          entry === null ? '–' : `${entry.rule}: ${entry.text}`,
        ])}
      />
    </section>
  );
}

function CanaryFacts({ canary }: { readonly canary: Canary }) {
  const { name, platform, interval_seconds, running, next_run_at, runs } = canary;
  const [last] = runs;
  const result = last?.result ?? null;
  return (
    <>
      <div className="summary">
        <strong>{name}</strong>
        <span>{platformName(platform)}</span>
        {last !== undefined && <State state={last.outcome ?? 'pending'} />}
        <Action
          label="Run now"
          about={name}
          role="operator"
          act={async () => {
            await callOperator('POST', `/canaries/${encodeURIComponent(name)}/run`);
            return 'It joins its meeting within seconds.';
          }}
        />
      </div>
      <p className="hint">
        Every {durationOf(interval_seconds)};{' '}
        {running ? (
          'it is in its meeting now'
        ) : (
          <>
            next <Time at={next_run_at} seconds />
          </>
        )}
        .
      </p>
      {last === undefined ? (
        <p>It has not run yet.</p>
      ) : (
        <p className="breaks">
          <Time at={last.started_at} seconds />: {result?.message}
          {last.outcome === 'failed' && (
            <>
              {' '}
              Evidence: bot <code>{last.bot_id}</code>.
            </>
          )}
        </p>
      )}
      {result !== null && <Steps name={name} result={result} />}
    </>
  );
}

interface StepsProps {
  readonly name: string;
  readonly result: CanaryResult;
}

function Steps({ name, result: { steps, page_pack_version } }: StepsProps) {
  const shown = steps.filter((step) => step.result !== 'not-expected');
  return (
    <>
      <Table
        label={`Steps of ${name}`}
        head={['Step', 'Result', 'Element', 'Candidate', 'What was found']}
        rows={shown.map(({ step, result, element, candidate, message }) => [
          step,
          <State key="result" state={result} />,
          element ?? '–',
          candidate === null ? '–' : `${candidate.index + 1} of ${candidate.of}`,
          message ?? '',
        ])}
      />
      <p className="hint">
        Page pack <code>{page_pack_version ?? 'not reported'}</code>.
        {steps.some(({ result }) => result === 'warning') &&
          ' A warning: an element was found by a late candidate, so the page has begun to change.'}
      </p>
    </>
  );
}
