import type { Database, Executor } from '@rapporteur/database';
import { openOutbound } from '@rapporteur/outbound-http';
import type { Service, Metrics } from '@rapporteur/service-runtime';
import type { PrepareDependencies } from '../admission/prepare-bot.ts';
import type { SchedulerConfig } from '../config.ts';
import type { SchedulerCounters } from '../metrics.ts';
import { addNotice, sendNotices } from '../page-packs/operator-notices.ts';
import { pageElementsOf } from '../page-packs/page-pack-reader.ts';
import type { CanaryRunRow } from '../schema/entities.ts';
import type { Context } from '../schema/context.ts';
import { forgetCanaryRuns, saveCanaries, findNewestRuns } from './canaries.store.ts';
import { evidenceKeptDays, forgetCanaryData, runCanaries } from './run-canaries.ts';
import type { CanaryDependencies } from './run-canaries.ts';
import type { Canary } from './read-canaries.ts';

export interface CanaryServiceDependencies
  extends
    Pick<CanaryDependencies, 'database' | 'events' | 'leave' | 'notifyRuns'>,
    Pick<Context, 'service' | 'config' | 'counters'> {
  readonly canaries: readonly Canary[];
  readonly preparing: PrepareDependencies;
}

const roundMs = 1_000;
const noticeMs = 5_000;

/** Runs the configured canaries until the service stops, and sends notices to the operator's address. */
export async function startCanaries(dependencies: CanaryServiceDependencies): Promise<void> {
  const { service, config, database, counters, canaries, events } = dependencies;
  const { clock, logger } = service;
  const now = () => clock.now();
  await saveCanaries(database, canaries, new Date(now()));
  collectCanaryGauges(service.metrics, database, counters);
  const running: CanaryDependencies = {
    ...dependencies,
    stayMs: config.canaryStayMs,
    elementsOf: pageElementsOf,
    onEnded: async (transaction, run) => {
      const { canary, platform, botId, outcome, failedStep, result } = run;
      if (config.canaryWebhook === undefined || outcome === 'passed') return;
      const element = failedElementOf({ failed_step: failedStep, result });
      const data = { canary, platform, bot_id: botId, outcome, failed_step: failedStep, element, ...result };
      await addNotice(transaction, { event: 'canary.ended', data }, new Date(now()));
    },
    onCounted: ({ platform, outcome }) => counters.canaryRuns.inc({ platform, outcome }),
    now,
    logger,
  };
  service.repeat({ what: 'Running canaries', everyMs: roundMs, work: () => runCanaries(running) });
  service.repeat({
    what: 'Forgetting canaries',
    everyMs: config.dataMaintenanceMs,
    work: async () => {
      await forgetCanaryData({ database, events, now }, evidenceKeptDays * 86_400_000);
      await database.transaction(forgetCanaryRuns);
    },
  });
  startNotices({ service, config, database });
}

function startNotices({
  service,
  config,
  database,
}: {
  readonly service: Service;
  readonly config: SchedulerConfig;
  readonly database: Database;
}): void {
  const { canaryWebhook: url, canaryWebhookSecret: secret } = config;
  if (url === undefined) return;
  if (secret === undefined)
    throw new Error('RAPPORTEUR_CANARY_WEBHOOK needs RAPPORTEUR_CANARY_WEBHOOK_SECRET, which signs its requests.');
  const http = openOutbound(service, { ...config, caFile: undefined });
  const { clock, logger } = service;
  const sending = { database, http, url, secret, now: () => clock.now(), logger };
  service.repeat({ what: 'Sending notices to the operator', everyMs: noticeMs, work: () => sendNotices(sending) });
}

const runsCounted = 10;

/** Reads the gauges of canaries from the database when they are scraped. */
function collectCanaryGauges(
  metrics: Metrics,
  database: Executor,
  { canaryFailures, canaryLate }: Pick<SchedulerCounters, 'canaryFailures' | 'canaryLate'>,
): void {
  metrics.collect('canaries', [canaryFailures, canaryLate], async () => {
    const runs = (await findNewestRuns(database, runsCounted)).filter(
      ({ outcome }) => (outcome ?? 'skipped') !== 'skipped',
    );
    canaryFailures.reset();
    canaryLate.reset();
    for (const own of Map.groupBy(runs, ({ canary }) => canary).values()) {
      const [newest] = own;
      if (newest === undefined) continue;
      const { canary, platform, outcome, failed_step: step } = newest;
      canaryLate.set({ canary, platform }, outcome === 'warning' ? 1 : 0);
      if (step === null) continue;
      canaryFailures.set({ canary, platform, step, element: failedElementOf(newest) ?? 'none' }, failuresInARow(own));
    }
  });
}

/** How many of the runs, the newest first, failed at the step of the newest. */
export function failuresInARow(runs: readonly Pick<CanaryRunRow, 'failed_step'>[]): number {
  const step = runs[0]?.failed_step ?? null;
  if (step === null) return 0;
  const other = runs.findIndex(({ failed_step }) => failed_step !== step);
  return other === -1 ? runs.length : other;
}

/** The element of the page pack that decided the failed step. */
function failedElementOf({ failed_step, result }: Pick<CanaryRunRow, 'failed_step' | 'result'>): string | null {
  return result?.steps.find(({ step }) => step === failed_step)?.element ?? null;
}
