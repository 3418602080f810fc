import type { Database } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { findLeasesFor, findLeavingLaunches } from '../leases/leases.store.ts';
import type { RecordingWindow } from '../leases/recording-window.ts';
import type { EventSink } from '../lifecycle/move-bot.ts';
import { lockBot } from '../lifecycle/bots.store.ts';
import { displaceRun } from '../lifecycle/displace-run.ts';
import { leaveUnlaunched } from '../lifecycle/request-leave.ts';
import { markFailed } from '../recovery/mark-failed.ts';
import type { SchedulerCounters } from '../metrics.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import { claimRuns, extendTickets, unclaimRun } from './claim-runs.store.ts';
import type { ClaimedRun } from './claim-runs.store.ts';
import { isSuspended, LaunchPostponed } from './launcher.ts';
import type { BotLauncher, ObservedRun } from './launcher.ts';
import { reportDelays } from './report-delays.ts';
import { planRuns } from './plan-runs.ts';
import type { RunAction, RunTiming } from './plan-runs.ts';
import { writeRunEnds } from './run-ends.store.ts';
import type { RunEnd } from './run-ends.store.ts';

export interface ReconcileDependencies {
  readonly database: Database;
  readonly events: EventSink & { notify(): void };
  readonly launcher: BotLauncher;
  /** Called when a bot ended because its run failed. */
  readonly onEnded: () => void;
  /** Core NATS: has a runner renew its lease now. */
  readonly notifyRunner: (subject: string) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: Pick<SchedulerCounters, 'launches' | 'deaths' | 'postponed' | 'displaced'>;
  /** The window in which renewals could be recorded: missing renewals before it prove nothing. */
  readonly window: Pick<RecordingWindow, 'beganMs'>;
  readonly settings: ReconcileSettings;
}

export interface ReconcileSettings {
  readonly maxConcurrentBots: number;
  readonly ticketTtlMs: number;
  readonly startDeadlineMs: number;
  readonly leaseLostAfterMs: number;
  readonly exitSettleMs: number;
  readonly pickupDelayedAfterMs: number;
  readonly rejoinsAfterFailure: number;
  readonly movesDisplaced: boolean;
}

/** Reconciles desired and observed runs in rounds. */
export interface Reconciler {
  /**
   * Runs one round. Rejects when the database is unavailable; the next round continues.
   * @returns whether more bots may wait for a launch than were launched
   */
  round(): Promise<boolean>;
  /** After this resolves nothing is launched; existing runs are still supervised. */
  stopLaunching(): Promise<void>;
  /** Waits for stops that are in progress. */
  settle(): Promise<void>;
}

export function createReconciler(dependencies: ReconcileDependencies): Reconciler {
  const { settings } = dependencies;
  const stops = trackStops(dependencies);
  const refusedForMs = trackRefusals(dependencies);
  const ownLaunches = new Set<string>();
  const recorded = new Set<string>();
  let launching = true;
  let inProgress: Promise<boolean> = Promise.resolve(false);
  return {
    stopLaunching: async () => {
      launching = false;
      await inProgress.catch(() => false);
    },
    settle: stops.settle,
    round: async () => {
      const seen = await poll(dependencies);
      await recordEnds(dependencies, recorded, seen.runs);
      await superviseRuns(dependencies, { stops, refusedForMs }, seen, {
        ...settings,
        hearingSinceMs: dependencies.window.beganMs(),
        isOwnLaunch: (name) => ownLaunches.has(name),
      });
      keepWaiting(ownLaunches, seen.leases);
      await alone(dependencies, {}, () => superviseSuspended(dependencies, stops, seen.runs));
      await alone(dependencies, {}, () => reportDelays(dependencies));
      if (!launching) return false;
      inProgress = launchDue(dependencies, ownLaunches);
      return inProgress;
    },
  };
}

/** State that outlives a round. */
interface Acting {
  readonly stops: Stops;
  readonly refusedForMs: (botId: string) => number;
}

/** A bot with refused runs is retried at shorter intervals than this. */
const forgetRefusalMs = 120_000;

/** For how many ms the runs of a bot have been refused, as observed by this replica. */
function trackRefusals({ clock }: ReconcileDependencies): Acting['refusedForMs'] {
  const refused = new Map<string, { readonly sinceMs: number; readonly seenAtMs: number }>();
  return (botId) => {
    const now = clock.now();
    for (const [id, { seenAtMs }] of refused) if (now - seenAtMs > forgetRefusalMs) refused.delete(id);
    const sinceMs = refused.get(botId)?.sinceMs ?? now;
    refused.set(botId, { sinceMs, seenAtMs: now });
    return now - sinceMs;
  };
}

interface Stops {
  /** Ends a run in the background: its grace period must not delay the rounds. */
  begin(name: string, graceMs: number): void;
  settle(): Promise<void>;
}

function trackStops({ launcher, logger }: ReconcileDependencies): Stops {
  const inProgress = new Map<string, Promise<void>>();
  return {
    begin: (name, graceMs) => {
      if (inProgress.has(name)) return;
      const stop = launcher
        .stop(name, { graceMs })
        .catch((error: unknown) =>
          logger.error({ err: error, run: name }, 'A run that is no longer needed could not be ended; trying again.'),
        )
        .finally(() => inProgress.delete(name));
      inProgress.set(name, stop);
    },
    settle: async () => {
      await Promise.all(inProgress.values());
    },
  };
}

/** Observed and desired runs; both may be outdated by the time the queries took. */
interface Seen {
  readonly runs: readonly ObservedRun[];
  readonly leases: readonly LeaseRow[];
}

async function poll({ launcher, database, clock, settings }: ReconcileDependencies): Promise<Seen> {
  const runs = await launcher.observe();
  const names = runs.map((run) => run.name);
  const silentSince = new Date(clock.now() - settings.leaseLostAfterMs);
  return { runs, leases: await findLeasesFor(database, names, silentSince) };
}

/** Drops own launches that are no longer launching. */
function keepWaiting(ownLaunches: Set<string>, leases: readonly LeaseRow[]): void {
  const waiting = new Set(leases.filter(({ state }) => state === 'launching').map((lease) => lease.run_name));
  for (const name of ownLaunches) if (!waiting.has(name)) ownLaunches.delete(name);
}

const endsAtOnce = 200;

/** Records every end with its evidence before any action: a stop or the cluster may remove the evidence. */
async function recordEnds(
  dependencies: ReconcileDependencies,
  recorded: Set<string>,
  runs: readonly ObservedRun[],
): Promise<void> {
  const ended = runs.filter(({ state }) => state === 'exited');
  const names = new Set(ended.map(({ name }) => name));
  for (const name of recorded) if (!names.has(name)) recorded.delete(name);
  const fresh = ended.filter(({ name }) => !recorded.has(name));
  for (let start = 0; start < fresh.length; start += endsAtOnce) {
    const batch = fresh.slice(start, start + endsAtOnce);
    await alone(dependencies, { runs: batch.map(({ name }) => name) }, async () => {
      await writeRunEnds(
        dependencies.database,
        await Promise.all(batch.map((run) => endOf(dependencies, run))),
        new Date(dependencies.clock.now()),
      );
      for (const { name } of batch) recorded.add(name);
    });
  }
}

async function endOf({ launcher }: ReconcileDependencies, run: ObservedRun): Promise<RunEnd> {
  const { name, botId, attempt, exit, exitedAtMs } = run;
  return { botId, attempt, exit, endedAtMs: exitedAtMs, evidence: await launcher.evidence(name) };
}

async function superviseRuns(
  dependencies: ReconcileDependencies,
  acting: Acting,
  { runs, leases }: Seen,
  timing: RunTiming,
): Promise<void> {
  const { launcher, clock } = dependencies;
  const settled = new Set<string>();
  for (const action of planRuns(leases, runs, timing, clock.now())) {
    const run = 'lease' in action ? action.lease.run_name : action.name;
    await alone(dependencies, { run }, async () => {
      if (action.kind === 'forget') await launcher.forget(action.name);
      else if (action.kind === 'stop') acting.stops.begin(action.name, action.graceMs);
      else if (action.kind === 'displace') await displace(dependencies, action.lease);
      else if (action.kind === 'withdraw') {
        if (await withdrawRun(dependencies, acting, action)) settled.add(run);
      } else if (!settled.has(run)) await markRunFailed(dependencies, acting.stops, action);
    });
  }
}

/** A failure for one bot does not affect the others; the next round retries it. */
async function alone(
  { logger }: Pick<ReconcileDependencies, 'logger'>,
  fields: object,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.error({ err: error, ...fields }, 'A step for one bot failed; the next round tries it again.');
  }
}

async function displace(dependencies: ReconcileDependencies, lease: LeaseRow): Promise<void> {
  const { bot_id: botId, attempt } = lease;
  const now = () => dependencies.clock.now();
  if ((await displaceRun({ ...dependencies, now }, { botId, attempt })) !== 'displaced') return;
  dependencies.counters.displaced.inc({});
  dependencies.logger.info({ botId, attempt }, 'A bot loses its node; another run takes its place in the meeting.');
}

/**
 * A quota is freed when other bots end: its bots wait without a limit. Any other refusal requires a correction by an
 * operator: after the start deadline it counts as a failed launch.
 *
 * @returns false: the run is unchanged
 */
async function withdrawRun(
  dependencies: ReconcileDependencies,
  acting: Acting,
  { lease, obstacle }: Extract<RunAction, { kind: 'withdraw' }>,
): Promise<boolean> {
  const { launcher, counters, settings } = dependencies;
  const { cause, message } = obstacle;
  const refusedMs = acting.refusedForMs(lease.bot_id);
  if (cause !== 'quota-exceeded' && refusedMs >= settings.startDeadlineMs) {
    const exit = { exitCode: null, signal: null, outOfMemory: false, cause };
    const why = `it did not start (${cause}: ${message})`;
    await markRunFailed(dependencies, acting.stops, { kind: 'mark-failed', lease, exit, cause: 'start_failed', why });
    return true;
  }
  if (!(await launcher.withdraw(lease.run_name))) return false;
  await returnToQueue(dependencies, { botId: lease.bot_id, attempt: lease.attempt, mode: lease.mode });
  counters.postponed.inc({ cause });
  return true;
}

/** Reverts a claim. A bot that was requested to leave after it ends instead of waiting for its next launch. */
async function returnToQueue(
  { database, events, clock }: ReconcileDependencies,
  run: Pick<ClaimedRun, 'botId' | 'attempt' | 'mode'>,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await unclaimRun(transaction, run);
    const bot = await lockBot(transaction, run.botId);
    if (bot?.wants_run !== 'attend' || bot.leave_requested_at === null) return;
    await leaveUnlaunched({ transaction, events, at: new Date(clock.now()) }, bot);
  });
  events.notify();
}

async function markRunFailed(
  dependencies: ReconcileDependencies,
  stops: Stops,
  { lease, exit, cause, why }: Extract<RunAction, { kind: 'mark-failed' }>,
): Promise<void> {
  const { bot_id: botId, attempt } = lease;
  const evidence = await dependencies.launcher.evidence(lease.run_name);
  // An observed end is recorded already; this records runs that are marked as failed without one.
  await writeRunEnds(
    dependencies.database,
    [{ botId, attempt, exit, endedAtMs: null, evidence }],
    new Date(dependencies.clock.now()),
  );
  const outcome = await markFailed(
    { ...dependencies, now: () => dependencies.clock.now() },
    { botId, attempt, exit, lastHeardAt: lease.renewed_at },
  );
  if (outcome === 'moved') {
    dependencies.logger.info({ botId, attempt, exit }, 'A run ended whose bot goes on with another one.');
    stops.begin(lease.run_name, 0);
    return;
  }
  dependencies.counters.deaths.inc({ cause, outcome });
  if (outcome === 'ended') dependencies.onEnded();
  dependencies.logger.warn({ botId, attempt, exit, outcome }, `A run was marked as failed because ${why}.`);
  // Without a grace period: the run is fenced, so its writes are refused.
  if (outcome !== 'nothing') stops.begin(lease.run_name, 0);
}

/**
 * A run that waits in a queue of the cluster redeems its ticket whenever it is admitted. A bot that is requested to leave
 * meanwhile ends at once: no runner receives the request.
 */
async function superviseSuspended(
  dependencies: ReconcileDependencies,
  stops: Stops,
  runs: readonly ObservedRun[],
): Promise<void> {
  const { database, settings, clock } = dependencies;
  const names = runs.filter(({ obstacle }) => isSuspended(obstacle)).map(({ name }) => name);
  const ttlMs = settings.ticketTtlMs + settings.startDeadlineMs;
  if (names.length === 0) return;
  await extendTickets(database, names, { ttlMs, at: new Date(clock.now()) });
  for (const { bot_id: botId, attempt, run_name: name } of await findLeavingLaunches(database, names)) {
    await markFailed({ ...dependencies, now: () => clock.now() }, { botId, attempt, exit: null });
    stops.begin(name, 0);
  }
}

async function launchDue(dependencies: ReconcileDependencies, ownLaunches: Set<string>): Promise<boolean> {
  const { database, settings, clock, logger, launcher } = dependencies;
  const slots = Math.min(launcher.launchSlots(), mostLaunchesAtOnce);
  const claimed = await claimRuns(database, {
    limit: settings.maxConcurrentBots,
    slots,
    ticketTtlMs: settings.ticketTtlMs + settings.startDeadlineMs,
    at: new Date(clock.now()),
  });
  const launches = claimed.map(async (run) => {
    const { botId, teamId, attempt, mode } = run;
    logger.info({ botId, teamId, attempt, mode, run: run.name }, 'A bot is launched.');
    ownLaunches.add(run.name);
    await launchOne(dependencies, run);
  });
  const failed = (await Promise.allSettled(launches)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return claimed.length > 0 && claimed.length === slots;
}

/** Launches in progress at the same time. */
const mostLaunchesAtOnce = 200;

async function launchOne(dependencies: ReconcileDependencies, run: ClaimedRun): Promise<void> {
  const { name, botId, attempt, ticket, teamId, mode, platform, recordingMode } = run;
  try {
    await dependencies.launcher.launch({ name, botId, attempt, ticket, teamId, mode, platform, recordingMode });
    dependencies.counters.launches.inc({ mode });
  } catch (error) {
    if (error instanceof LaunchPostponed) {
      dependencies.logger.warn(
        { err: error, botId, teamId, attempt },
        'A launch was postponed: the bot waits in the queue.',
      );
      dependencies.counters.postponed.inc({ cause: dependencies.launcher.refusal()?.cause ?? 'api-server' });
      await returnToQueue(dependencies, run);
      return;
    }
    dependencies.logger.error({ err: error, botId, teamId, attempt }, 'A bot could not be launched.');
    await alone(dependencies, { botId }, async () => {
      await markFailed({ ...dependencies, now: () => dependencies.clock.now() }, { botId, attempt, exit: null });
    });
  }
}
