import { findLeasesFor, findLeavingLaunches } from '../lifecycle/leases.store.ts';
import type { RecordingWindow } from '../lifecycle/recording-window.ts';
import { lockBot } from '../lifecycle/bots.store.ts';
import { displaceRun } from '../lifecycle/displace-run.ts';
import { leaveUnlaunched } from '../lifecycle/request-leave.ts';
import type { SchedulerCounters } from '../metrics.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import type { Context } from '../schema/context.ts';
import { markFailed } from './mark-failed.ts';
import { claimRuns, extendTickets, unclaimRun, writeRunEnds } from './runs.store.ts';
import type { ClaimedRun, RunEnd } from './runs.store.ts';
import { isSuspended, LaunchPostponed, needsCorrection } from './launcher.ts';
import type { BotLauncher, ObservedRun, StartObstacle } from './launcher.ts';
import { LogLimit } from './log-limit.ts';
import { reportDelays } from './report-delays.ts';
import { findLateRuns, planRuns } from './plan-runs.ts';
import type { RunAction, RunTiming } from './plan-runs.ts';

export interface ReconcileDependencies extends Pick<
  Context,
  'database' | 'events' | 'notifyRunner' | 'clock' | 'logger'
> {
  readonly launcher: BotLauncher;
  /** Called when a bot ended because its run failed. */
  readonly onEnded: () => void;
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
  readonly lateForMs: number;
  readonly cpuWaitMs: number;
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

export function createReconciler(given: ReconcileDependencies): Reconciler {
  const { settings, clock } = given;
  const dependencies: Reconciling = { ...given, limit: new LogLimit(() => clock.monotonic()) };
  const failures = trackFailures(dependencies);
  const stops = trackStops(dependencies, failures);
  const acting = { stops, refusals: trackRefusals(dependencies), failures, launchedAtMs: -Infinity };
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
      const seen = await poll(dependencies).catch(async (error: unknown) => {
        // Why they wait is known also while runs cannot be listed.
        await alone(dependencies, {}, () => reportDelays(dependencies));
        throw error;
      });
      acting.refusals.clear(seen.runs);
      dependencies.launcher.setLateRuns(findLateRuns(seen.leases, seen.runs, settings, clock.now()));
      await recordEnds(dependencies, recorded, seen.runs);
      await superviseRuns(dependencies, acting, seen, {
        ...settings,
        recordsRenewalsSinceMs: dependencies.window.beganMs(),
        isOwnLaunch: (name) => ownLaunches.has(name),
      });
      keepWaiting(ownLaunches, seen.leases);
      await alone(dependencies, {}, () => superviseSuspended(dependencies, stops, seen.runs));
      await alone(dependencies, {}, () => reportDelays(dependencies));
      if (!launching) return false;
      inProgress = launchDue(dependencies, acting, ownLaunches);
      return inProgress;
    },
  };
}

/** State that outlives a round. */
interface Acting {
  readonly stops: Stops;
  readonly refusals: Refusals;
  readonly failures: Failures;
  /** The time of the newest launch, monotonic. */
  launchedAtMs: number;
}

interface Reconciling extends ReconcileDependencies {
  readonly limit: LogLimit;
}

/** Bots whose runs are refused, as observed by this replica. */
interface Refusals {
  /** Notes that a run of this bot is refused. Returns for how many ms its runs have been. */
  note(botId: string): number;
  /** The bot whose runs were not refused for the longest time first: the cluster may accept one and refuse another. */
  bots(): string[];
  /** Drops bots with a running run. */
  clear(runs: readonly ObservedRun[]): void;
}

/** A bot with refused runs is retried at shorter intervals than this, unless hundreds wait. */
const forgetRefusalMs = 1_800_000;

function trackRefusals({ clock }: ReconcileDependencies): Refusals {
  const refused = new Map<string, { readonly sinceMs: number; readonly seenAtMs: number }>();
  return {
    bots: () => [...refused.keys()],
    clear: (runs) => {
      if (refused.size > 0) for (const { botId, state } of runs) if (state === 'running') refused.delete(botId);
    },
    note: (botId) => {
      const now = clock.monotonic();
      for (const [id, { seenAtMs }] of refused) if (now - seenAtMs > forgetRefusalMs) refused.delete(id);
      const sinceMs = refused.get(botId)?.sinceMs ?? now;
      refused.delete(botId);
      refused.set(botId, { sinceMs, seenAtMs: now });
      return now - sinceMs;
    },
  };
}

interface Stops {
  /** Ends a run in the background: its grace period must not delay the rounds. */
  begin(name: string, graceMs: number): void;
  settle(): Promise<void>;
}

/** Steps of the launcher that failed; each is paused before it is tried again. */
interface Failures {
  note(step: string): void;
  isPaused(step: string): boolean;
}

const failedStepPauseMs = 5_000;

function trackFailures({ clock }: ReconcileDependencies): Failures {
  const pausedUntilMs = new Map<string, number>();
  return {
    note: (step) => {
      const now = clock.monotonic();
      for (const [failed, untilMs] of pausedUntilMs) if (untilMs <= now) pausedUntilMs.delete(failed);
      pausedUntilMs.set(step, now + failedStepPauseMs);
    },
    isPaused: (step) => clock.monotonic() < (pausedUntilMs.get(step) ?? 0),
  };
}

function trackStops({ launcher, logger, limit }: Reconciling, failures: Failures): Stops {
  const inProgress = new Map<string, Promise<void>>();
  return {
    begin: (name, graceMs) => {
      if (inProgress.has(name) || failures.isPaused(`stop ${name}`)) return;
      const stop = launcher
        .stop(name, { graceMs })
        .catch((error: unknown) => {
          failures.note(`stop ${name}`);
          const level = limit.takes('stop', error) ? 'error' : 'debug';
          logger[level]({ err: error, run: name }, 'A run that is no longer needed could not be ended; trying again.');
        })
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
  dependencies: Reconciling,
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
  dependencies: Reconciling,
  acting: Acting,
  { runs, leases }: Seen,
  timing: RunTiming,
): Promise<void> {
  const { launcher, clock } = dependencies;
  const settled = new Set<string>();
  for (const action of planRuns(leases, runs, timing, clock.now())) {
    const run = 'lease' in action ? action.lease.run_name : action.name;
    const step = `${action.kind} ${run}`;
    if (acting.failures.isPaused(step)) continue;
    const onFailed = () => acting.failures.note(step);
    await alone({ ...dependencies, onFailed }, { run }, async () => {
      if (action.kind === 'forget') await launcher.forget(action.name);
      else if (action.kind === 'stop') acting.stops.begin(action.name, action.graceMs);
      else if (action.kind === 'displace') await displace(dependencies, action.lease);
      else if (action.kind === 'requeue') await requeue(dependencies, action);
      else if (action.kind === 'withdraw') {
        if (await withdrawRun(dependencies, acting, action)) settled.add(run);
      } else if (!settled.has(run)) {
        const { bot_id: botId, attempt, renewed_at: lastRenewedAt } = action.lease;
        await markRunFailed(dependencies, acting.stops, {
          ...action,
          run: { name: run, botId, attempt },
          lastRenewedAt,
        });
      }
    });
  }
}

/** A failure for one bot does not affect the others; a later round retries it. */
async function alone(
  { logger, limit, onFailed }: Pick<Reconciling, 'logger' | 'limit'> & { readonly onFailed?: () => void },
  fields: object,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    onFailed?.();
    const level = limit.takes('step', error) ? 'error' : 'debug';
    logger[level]({ err: error, ...fields }, 'A step for one bot failed; it is tried again.');
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
 * Its bot is launched again under another name, because the pod of this run may still exist. Lease and ticket are
 * deleted, unless the run has started meanwhile; the next round stops a run without a lease.
 */
async function requeue(
  dependencies: ReconcileDependencies,
  { lease }: Extract<RunAction, { kind: 'requeue' }>,
): Promise<void> {
  const { bot_id: botId, attempt, mode } = lease;
  await returnToQueue(dependencies, { botId, attempt, mode }, attempt);
  dependencies.counters.postponed.inc({ cause: 'cpu-pressure' });
}

/** @returns false: the run is unchanged */
async function withdrawRun(
  dependencies: ReconcileDependencies,
  acting: Acting,
  { lease, obstacle }: Extract<RunAction, { kind: 'withdraw' }>,
): Promise<boolean> {
  const { launcher, counters } = dependencies;
  const { bot_id: botId, attempt, mode, run_name: name } = lease;
  if (isGivenUp(dependencies, acting, botId, obstacle)) {
    await markRunFailed(dependencies, acting.stops, { run: { name, botId, attempt }, ...failureOf(obstacle) });
    return true;
  }
  if (!(await launcher.withdraw(name))) return false;
  await returnToQueue(dependencies, { botId, attempt, mode });
  counters.postponed.inc({ cause: obstacle.cause });
  return true;
}

/**
 * Notes a refusal. A quota is freed when other bots end: its bots wait without a limit. One that requires a correction by
 * an operator counts as a failed launch after the start deadline.
 */
function isGivenUp(
  { settings }: ReconcileDependencies,
  { refusals }: Acting,
  botId: string,
  obstacle: StartObstacle,
): boolean {
  return needsCorrection(obstacle) && refusals.note(botId) >= settings.startDeadlineMs;
}

function failureOf({ cause, message }: StartObstacle) {
  const exit = { exitCode: null, signal: null, outOfMemory: false, cause };
  return { exit, cause: 'start_failed', why: `it did not start (${cause}: ${message})` } as const;
}

/**
 * Reverts a claim. A bot that was requested to leave after it ends instead of waiting for its next launch.
 * @param attempts number of launches of the bot from then on
 */
async function returnToQueue(
  { database, events, clock }: ReconcileDependencies,
  run: Pick<ClaimedRun, 'botId' | 'attempt' | 'mode'>,
  attempts = run.attempt - 1,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await unclaimRun(transaction, run, attempts);
    const bot = await lockBot(transaction, run.botId);
    if (bot?.wants_run !== 'attend' || bot.leave_requested_at === null) return;
    await leaveUnlaunched({ transaction, events, at: new Date(clock.now()) }, bot);
  });
  events.notify();
}

interface RunFailure extends Pick<Extract<RunAction, { kind: 'mark-failed' }>, 'exit' | 'cause' | 'why'> {
  readonly run: Pick<ClaimedRun, 'name' | 'botId' | 'attempt'>;
  /** Absent: it cannot have renewed its lease. */
  readonly lastRenewedAt?: Date | null;
}

async function markRunFailed(
  dependencies: ReconcileDependencies,
  stops: Stops,
  { run: { name, botId, attempt }, lastRenewedAt, exit, cause, why }: RunFailure,
): Promise<void> {
  const evidence = await dependencies.launcher.evidence(name);
  // An observed end is recorded already; this records runs that are marked as failed without one.
  await writeRunEnds(
    dependencies.database,
    [{ botId, attempt, exit, endedAtMs: null, evidence }],
    new Date(dependencies.clock.now()),
  );
  const outcome = await markFailed(
    { ...dependencies, now: () => dependencies.clock.now() },
    { botId, attempt, exit, ...(lastRenewedAt === undefined ? {} : { lastRenewedAt }) },
  );
  if (outcome === 'moved') {
    dependencies.logger.info({ botId, attempt, exit }, 'A run ended; its bot continues with another one.');
    stops.begin(name, 0);
    return;
  }
  dependencies.counters.deaths.inc({ cause, outcome });
  if (outcome === 'ended') dependencies.onEnded();
  dependencies.logger.warn({ botId, attempt, exit, outcome }, `A run was marked as failed because ${why}.`);
  // Without a grace period: the run is fenced, so its writes are refused.
  if (outcome !== 'nothing') stops.begin(name, 0);
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

async function launchDue(dependencies: Reconciling, acting: Acting, ownLaunches: Set<string>): Promise<boolean> {
  const { database, settings, clock, logger, launcher } = dependencies;
  const isPressed = launcher.refusal()?.cause === 'cpu-pressure';
  const slots = Math.min(launcher.launchSlots(), isPressed ? 1 : mostLaunchesAtOnce);
  const now = clock.monotonic();
  const waitedSince = new Date(clock.now() - settings.cpuWaitMs);
  const claimed = await claimRuns(database, {
    limit: settings.maxConcurrentBots,
    slots,
    waitedSince,
    // One after the other, so that each shows what it takes before the next one starts.
    ...(isPressed && { newBotsDueBy: now - acting.launchedAtMs < settings.lateForMs ? new Date(0) : waitedSince }),
    last: acting.refusals.bots(),
    ticketTtlMs: settings.ticketTtlMs + settings.startDeadlineMs,
    at: new Date(clock.now()),
  });
  if (claimed.length > 0) acting.launchedAtMs = now;
  const launches = claimed.map(async (run) => {
    const { botId, teamId, attempt, mode } = run;
    logger.info({ botId, teamId, attempt, mode, run: run.name }, 'A bot is launched.');
    ownLaunches.add(run.name);
    await launchOne(dependencies, acting, run);
  });
  const failed = (await Promise.allSettled(launches)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return claimed.length > 0 && claimed.length === slots;
}

/** Launches in progress at the same time. */
const mostLaunchesAtOnce = 200;

async function launchOne(dependencies: Reconciling, acting: Acting, run: ClaimedRun): Promise<void> {
  const { botId, attempt, teamId, mode } = run;
  const { launcher, counters, logger } = dependencies;
  try {
    await launcher.launch(run);
    counters.launches.inc({ mode });
  } catch (error) {
    const fields = { err: error, botId, teamId, attempt };
    const obstacle = error instanceof LaunchPostponed ? error.obstacle : null;
    if (obstacle !== null && !isGivenUp(dependencies, acting, botId, obstacle)) {
      const level = dependencies.limit.takes(`postponed ${obstacle.cause}`) ? 'warn' : 'debug';
      logger[level](fields, `A launch was postponed (${obstacle.cause}): the bot waits in the queue.`);
      counters.postponed.inc({ cause: obstacle.cause });
      return returnToQueue(dependencies, run);
    }
    counters.launches.inc({ mode });
    logger.error(fields, 'A bot could not be launched.');
    const failure = obstacle === null ? notLaunched : failureOf(obstacle);
    await alone(dependencies, { botId }, () => markRunFailed(dependencies, acting.stops, { run, ...failure }));
  }
}

const notLaunched = { exit: null, cause: 'start_failed', why: 'it could not be launched' } as const;
