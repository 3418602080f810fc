import { endReasons, isEndCode } from '@rapporteur/bot-lifecycle';
import { useQuery } from '@tanstack/react-query';
import type { FleetReport } from '@rapporteur/contracts';
import { useState } from 'react';
import { Link } from 'wouter';
import { callOperator } from '../api/client.ts';
import { Bars } from '../elements/bars.tsx';
import { CodeName, platformName } from '../elements/status.tsx';
import { durationOf, Time } from '../elements/time.tsx';
import { Notice, Page, EmptyState, QueryResult } from '../elements/page.tsx';
import { Table } from '../elements/table.tsx';
import { useSession } from '../session/use-session.tsx';
import { PageChecks } from './page-checks.tsx';

const refreshMs = 10_000;

export interface ShownFleet extends FleetReport {
  readonly grafanaUrl: string | null;
}

/** The bots of all teams, for operators. */
export function Fleet() {
  const fleet = useQuery({
    queryKey: ['fleet'],
    queryFn: ({ signal }) => callOperator<ShownFleet>('GET', '/fleet', signal),
    refetchInterval: refreshMs,
  });
  return (
    <Page title="Fleet">
      <QueryResult query={fleet}>{(data) => <FleetFacts fleet={data} />}</QueryResult>
      <PageChecks />
    </Page>
  );
}

export function FleetFacts({ fleet }: { readonly fleet: ShownFleet }) {
  return (
    <>
      <p className="summary">
        <span>
          At <Time at={fleet.at} seconds />
        </span>
        {fleet.grafanaUrl !== null && (
          <a href={fleet.grafanaUrl} target="_blank" rel="noreferrer">
            Dashboards in Grafana
          </a>
        )}
      </p>
      <Capacity capacity={fleet.capacity} />
      <Phases phases={fleet.phases} />
      <OverTime fleet={fleet} />
      <LastDay fleet={fleet} />
      <Failures failures={fleet.failures} />
    </>
  );
}

function Capacity({ capacity }: { readonly capacity: FleetReport['capacity'] }) {
  const { limit, used, queued, oldestQueuedSeconds, pending, expectedPickupSeconds, obstacles } = capacity;
  const facts: readonly (readonly [string, string])[] = [
    ['Slots in use', `${used} of ${limit}`],
    [
      'In the queue',
      oldestQueuedSeconds === null ? `${queued}` : `${queued}, the oldest for ${durationOf(oldestQueuedSeconds)}`,
    ],
    ['Launched, not started', `${pending}`],
    [
      'A new bot starts',
      expectedPickupSeconds === null
        ? 'when another bot ends'
        : expectedPickupSeconds < 1
          ? 'at once'
          : `within ${durationOf(Math.ceil(expectedPickupSeconds))}`,
    ],
  ];
  return (
    <section aria-labelledby="capacity">
      <h2 id="capacity">Capacity</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {obstacles.map(({ cause, message, runs }) => (
        <Notice key={cause} kind="warn" title={`${runs} bots do not start: ${cause}`}>
          {message}
        </Notice>
      ))}
    </section>
  );
}

function Phases({ phases }: { readonly phases: FleetReport['phases'] }) {
  if (phases.length === 0)
    return <EmptyState title="No bot is in progress">Bots of all teams are counted here.</EmptyState>;
  return (
    <section aria-labelledby="phases">
      <h2 id="phases">Bots in progress</h2>
      <Table
        label="Bots by phase"
        head={['Phase', 'Platform', 'Bots']}
        rows={phases.map(({ phase, platform, bots }) => [
          phase.replaceAll('_', ' '),
          platformName(platform),
          `${bots}`,
        ])}
      />
    </section>
  );
}

const periods = [
  ['24 hours', 'hours', 24],
  ['7 days', 'days', 7],
  ['30 days', 'days', 30],
] as const;

/** What happened over time, of the newest bots. */
function OverTime({ fleet }: { readonly fleet: ShownFleet }) {
  const [chosen, setChosen] = useState(0);
  const [, unit, count] = periods[chosen] ?? periods[0];
  const shown = fleet[unit].slice(-count).map(({ at, ...counts }) => ({
    label: unit === 'hours' ? `${at.slice(11, 16)} UTC` : at.slice(0, 10),
    ...counts,
  }));
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <div className="buttons">
        {periods.map(([name], index) => (
          <button key={name} type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
            {name}
          </button>
        ))}
      </div>
      <div className="plots">
        <Bars
          title="Bots that ended"
          bars={shown.map(({ label, ended: value, failed }) => ({ label, value, failed }))}
        />
        <Bars title="Bots that failed" bars={shown.map(({ label, failed }) => ({ label, value: failed, failed }))} />
        <Bars title="Bots in the queue" peak bars={shown.map(({ label, queued: value }) => ({ label, value }))} />
        <Bars title="Slots in use" peak bars={shown.map(({ label, used: value }) => ({ label, value }))} />
      </div>
    </section>
  );
}

function LastDay({ fleet }: { readonly fleet: ShownFleet }) {
  const { platforms, punctuality, newestBots } = fleet;
  const { bots, late, p95Seconds, mostSeconds } = punctuality;
  return (
    <section aria-labelledby="last-day">
      <h2 id="last-day">The last 24 hours</h2>
      <p className="hint">Among the newest {newestBots.toLocaleString('en')} bots.</p>
      <p>
        {bots === 0
          ? 'No scheduled bot was due.'
          : `${bots} scheduled bots joined, ${late} of them more than 10 s late; 95 % within ${durationOf(p95Seconds)}, the latest after ${durationOf(mostSeconds)}.`}
      </p>
      {platforms.length > 0 && (
        <Table
          label="Bots that ended, by platform"
          head={['Platform', 'Ended', 'Failed', 'Share']}
          rows={platforms.map(({ platform, ended, failed }) => [
            platformName(platform),
            `${ended}`,
            `${failed}`,
            `${((failed / ended) * 100).toFixed(1)} %`,
          ])}
        />
      )}
    </section>
  );
}

function Failures({ failures }: { readonly failures: FleetReport['failures'] }) {
  const session = useSession();
  if (failures.length === 0) return <EmptyState title="No bot failed">In the last 24 hours.</EmptyState>;
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Failures by cause</h2>
      <ul className="messages">
        {failures.map(({ code, bots, example }) => (
          <li key={code}>
            <strong>
              {bots} × <CodeName code={code} />
            </strong>
            <p className="breaks">{isEndCode(code) ? endReasons[code].message : code}</p>
            <p className="hint breaks">
              The last one <Time at={example.endedAt} />: bot{' '}
              {example.teamId === session.data?.team_id ? (
                <Link href={`/bots/${example.botId}`}>{example.botName}</Link>
              ) : (
                <span title={example.botId}>{example.botName}</span>
              )}{' '}
              of team <span title={example.teamId}>{example.teamName ?? example.teamId}</span>
              {example.message !== null && <>. {example.message}</>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
