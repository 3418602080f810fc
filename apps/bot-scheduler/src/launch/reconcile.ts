import { isFinal } from '@rapporteur/bot-lifecycle';
import type { Database } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { findLeasesFor } from '../leases/leases.store.ts';
import type { RecordingWindow } from '../leases/recording-window.ts';
import { lockBot } from '../lifecycle/bots.store.ts';
import { moveBot } from '../lifecycle/move-bot.ts';
import type { EventSink } from '../lifecycle/move-bot.ts';
import { declareDead } from '../recovery/declare-dead.ts';
import type { SchedulerCounters } from '../metrics.ts';
import type { LeaseRow } from '../schema/rows.ts';
import { claimRuns, unclaimRun } from './claim-runs.store.ts';
import type { ClaimedRun } from './claim-runs.store.ts';
import { LaunchPostponed } from './launcher.ts';
import type { BotLauncher, ObservedRun } from './launcher.ts';
import { planRuns } from './plan-runs.ts';
import type { RunAction, RunTiming } from './plan-runs.ts';
import { writeRunEnds } from './run-ends.store.ts';
import type { RunEnd } from './run-ends.store.ts';

export interface ReconcileParts {
  readonly database: Database;
  readonly events: EventSink & { ring(): void };
  readonly launcher: BotLauncher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: Pick<SchedulerCounters, 'launches' | 'deaths'>;
  /** In which renewals could be recorded: silence before it proves nothing. */
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
}

/** One look at everything: what is wanted, what is there, and what to do about the difference. */
export interface Reconciler {
  /** Runs one round. Rejects when the database is away; the next round does what this one left. */
  round(): Promise<void>;
  /** Nothing is launched any more once this resolves; runs that are there are still looked after. */
  stopLaunching(): Promise<void>;
  /** Waits for stops that are under way. */
  settle(): Promise<void>;
}

export function createReconciler(parts: ReconcileParts): Reconciler {
  const { settings } = parts;
  const stops = trackStops(parts);
  const ownLaunches = new Set<string>();
  const recorded = new Set<string>();
  let launching = true;
  let underWay: Promise<void> = Promise.resolve();
  return {
    stopLaunching: async () => {
      launching = false;
      await underWay.catch(() => undefined);
    },
    settle: stops.settle,
    round: async () => {
      const seen = await look(parts);
      await recordEnds(parts, recorded, seen.runs);
      await lookAfterRuns(parts, stops, seen, {
        ...settings,
        hearingSinceMs: parts.window.beganMs(),
        isOwnLaunch: (name) => ownLaunches.has(name),
      });
      keepWaiting(ownLaunches, seen.leases);
      await tellDelays(parts);
      if (launching) underWay = launchDue(parts, ownLaunches);
      await underWay;
    },
  };
}

interface Stops {
  /** Ends a run beside the rounds, which must not wait for its patience. */
  begin(name: string, graceMs: number): void;
  settle(): Promise<void>;
}

function trackStops({ launcher, logger }: ReconcileParts): Stops {
  const underWay = new Map<string, Promise<void>>();
  return {
    begin: (name, graceMs) => {
      if (underWay.has(name)) return;
      const stop = launcher
        .stop(name, { graceMs })
        .catch((error: unknown) =>
          logger.error({ err: error, run: name }, 'A run that is no longer needed could not be ended; trying again.'),
        )
        .finally(() => underWay.delete(name));
      underWay.set(name, stop);
    },
    settle: async () => {
      await Promise.all(underWay.values());
    },
  };
}

/** What is there, and what is wanted; both may be older than now by the time that they took. */
interface Seen {
  readonly runs: readonly ObservedRun[];
  readonly leases: readonly LeaseRow[];
}

async function look({ launcher, database, clock, settings }: ReconcileParts): Promise<Seen> {
  const runs = await launcher.observe();
  const names = runs.map((run) => run.name);
  const silentSince = new Date(clock.now() - settings.leaseLostAfterMs);
  return { runs, leases: await findLeasesFor(database, names, silentSince) };
}

/** Forgets own launches that came to something. */
function keepWaiting(ownLaunches: Set<string>, leases: readonly LeaseRow[]): void {
  const waiting = new Set(leases.filter(({ state }) => state === 'launching').map((lease) => lease.run_name));
  for (const name of ownLaunches) if (!waiting.has(name)) ownLaunches.delete(name);
}

const endsAtOnce = 200;

/** Every end is written with its evidence before anything is done about it: a stop or the cluster may remove what shows it. */
async function recordEnds(parts: ReconcileParts, recorded: Set<string>, runs: readonly ObservedRun[]): Promise<void> {
  const ended = runs.filter(({ state }) => state === 'exited');
  const names = new Set(ended.map(({ name }) => name));
  for (const name of recorded) if (!names.has(name)) recorded.delete(name);
  const fresh = ended.filter(({ name }) => !recorded.has(name));
  for (let start = 0; start < fresh.length; start += endsAtOnce) {
    const batch = fresh.slice(start, start + endsAtOnce);
    await alone(parts, { runs: batch.map(({ name }) => name) }, async () => {
      await writeRunEnds(
        parts.database,
        await Promise.all(batch.map((run) => endOf(parts, run))),
        new Date(parts.clock.now()),
      );
      for (const { name } of batch) recorded.add(name);
    });
  }
}

async function endOf({ launcher }: ReconcileParts, run: ObservedRun): Promise<RunEnd> {
  const { name, botId, attempt, exit, exitedAtMs } = run;
  return { botId, attempt, exit, endedAtMs: exitedAtMs, evidence: await launcher.evidence(name) };
}

async function lookAfterRuns(
  parts: ReconcileParts,
  stops: Stops,
  { runs, leases }: Seen,
  timing: RunTiming,
): Promise<void> {
  const { launcher, clock } = parts;
  for (const action of planRuns(leases, runs, timing, clock.now())) {
    const run = action.kind === 'declare-dead' ? action.lease.run_name : action.name;
    await alone(parts, { run }, async () => {
      if (action.kind === 'forget') await launcher.forget(action.name);
      else if (action.kind === 'stop') stops.begin(action.name, action.graceMs);
      else await bury(parts, stops, action);
    });
  }
}

/** What fails for one bot must not keep the round from the others; the next round tries it again. */
async function alone({ logger }: ReconcileParts, fields: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.error({ err: error, ...fields }, 'A step for one bot failed; the next round tries it again.');
  }
}

async function bury(
  parts: ReconcileParts,
  stops: Stops,
  { lease, exit, cause, why }: Extract<RunAction, { kind: 'declare-dead' }>,
): Promise<void> {
  const { bot_id: botId, attempt } = lease;
  const evidence = await parts.launcher.evidence(lease.run_name);
  // An end that was seen is written already; this is for runs that are declared dead without one.
  await writeRunEnds(
    parts.database,
    [{ botId, attempt, exit, endedAtMs: null, evidence }],
    new Date(parts.clock.now()),
  );
  const outcome = await declareDead(
    { ...parts, now: () => parts.clock.now() },
    { botId, attempt, exit, lastHeardAt: lease.renewed_at },
  );
  parts.counters.deaths.inc({ cause, outcome });
  parts.logger.warn({ botId, attempt, exit, outcome }, `A run was declared dead because ${why}.`);
  // Force at once: it is fenced off, so nothing it could still do would count.
  if (outcome !== 'nothing') stops.begin(lease.run_name, 0);
}

/** Says pickup_delayed once for every bot that has waited too long for a runner. */
async function tellDelays(parts: ReconcileParts): Promise<void> {
  const { database, events, clock, settings } = parts;
  const at = new Date(clock.now());
  const before = new Date(at.getTime() - settings.pickupDelayedAfterMs);
  const delayed = await database.query<{ id: string }>(
    `select id from bots where phase = 'queued' and status = 'queued' and due_at < $1
       and (join_at is null or join_at < $1) order by due_at limit 100`,
    [before],
  );
  for (const { id } of delayed) {
    await alone(parts, { botId: id }, () =>
      database.transaction(async (transaction) => {
        const bot = await lockBot(transaction, id);
        if (bot === null || isFinal(bot.phase)) return;
        await moveBot({ transaction, events }, bot, { kind: 'pickup-late' }, { at });
      }),
    );
  }
  if (delayed.length > 0) events.ring();
}

async function launchDue(parts: ReconcileParts, ownLaunches: Set<string>): Promise<void> {
  const { database, settings, clock, logger, launcher } = parts;
  const claimed = await claimRuns(database, {
    limit: settings.maxConcurrentBots,
    slots: Math.min(launcher.launchSlots(), mostLaunchesAtOnce),
    ticketTtlMs: settings.ticketTtlMs + settings.startDeadlineMs,
    at: new Date(clock.now()),
  });
  const launches = claimed.map(async (run) => {
    const { botId, teamId, attempt, mode } = run;
    logger.info({ botId, teamId, attempt, mode, run: run.name }, 'A bot is launched.');
    ownLaunches.add(run.name);
    await launchOne(parts, run);
  });
  const failed = (await Promise.allSettled(launches)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Launches under way at the same time. */
const mostLaunchesAtOnce = 200;

async function launchOne(parts: ReconcileParts, run: ClaimedRun): Promise<void> {
  const { name, botId, attempt, ticket, teamId, mode, platform, recordingMode } = run;
  try {
    await parts.launcher.launch({ name, botId, attempt, ticket, teamId, mode, platform, recordingMode });
    parts.counters.launches.inc({ mode });
  } catch (error) {
    if (error instanceof LaunchPostponed) {
      parts.logger.warn({ err: error, botId, teamId, attempt }, 'A launch was postponed: the bot waits in the queue.');
      await unclaimRun(parts.database, run);
      return;
    }
    parts.logger.error({ err: error, botId, teamId, attempt }, 'A bot could not be launched.');
    await alone(parts, { botId }, async () => {
      await declareDead({ ...parts, now: () => parts.clock.now() }, { botId, attempt, exit: null });
    });
  }
}
