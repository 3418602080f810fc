import { useQuery } from '@tanstack/react-query';
import type { FleetReport } from '@rapporteur/contracts';
import { basePath, pageFetch } from '../api/client.ts';
import { adviceFor, endSentence } from '../bots/advice.ts';
import { CodeName } from '../elements/code-name.tsx';
import { durationOf } from '../elements/duration.ts';
import { Notice } from '../elements/notice.tsx';
import { Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { platformNames } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';

const refreshMs = 10_000;

export interface ShownFleet extends FleetReport {
  readonly grafanaUrl: string | null;
}

async function readFleet(signal: AbortSignal): Promise<ShownFleet> {
  const response = await pageFetch(`${basePath}/operator/fleet`, { signal });
  const reply = (await response.json()) as { data?: ShownFleet; message?: string };
  if (!response.ok || reply.data === undefined)
    throw new Error(reply.message ?? `The console answered ${response.status}.`);
  return reply.data;
}

/** The bots of all teams, for operators. */
export function Fleet() {
  const fleet = useQuery({
    queryKey: ['fleet'],
    queryFn: ({ signal }) => readFleet(signal),
    refetchInterval: refreshMs,
  });
  return (
    <Page title="Fleet">
      <QueryResult query={fleet}>{(data) => <FleetFacts fleet={data} />}</QueryResult>
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

const nameOf = (platform: string): string => (platformNames as Readonly<Record<string, string>>)[platform] ?? platform;

function Phases({ phases }: { readonly phases: FleetReport['phases'] }) {
  if (phases.length === 0)
    return <EmptyState title="No bot is in progress">Bots of all teams are counted here.</EmptyState>;
  return (
    <section aria-labelledby="phases">
      <h2 id="phases">Bots in progress</h2>
      <Table
        head={['Phase', 'Platform', 'Bots']}
        rows={phases.map(({ phase, platform, bots }) => [phase.replaceAll('_', ' '), nameOf(platform), `${bots}`])}
      />
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
          head={['Platform', 'Ended', 'Failed', 'Share']}
          rows={platforms.map(({ platform, ended, failed }) => [
            nameOf(platform),
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
            <p className="breaks">{adviceFor(code) ?? endSentence(code)}</p>
            <p className="hint breaks">
              The last one <Time at={example.endedAt} />: bot <code>{example.botId}</code> of team{' '}
              <code>{example.teamId}</code>
              {example.message !== null && <>. {example.message}</>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Table({ head, rows }: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }) {
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell, index) =>
                index === 0 ? (
                  <th key={index} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={index}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
