import { seeded } from '@rapporteur/testbed';

/** What a recording bot gets: a signal to its runner or its browser, lack of memory, or SIGTERM. */
export type Fault = 'runner' | 'chromium' | 'memory' | 'drain';

export interface Plan {
  readonly fault: Fault;
  readonly seed: number;
  /** After the recording has begun. */
  readonly afterMs: number;
}

const firstMs = 500;
const lastMs = 22_000;

/** At a sampled moment of over ten fragments, from before the first one is stored; the same for the same seed. */
export function planOf(fault: Fault, seed: number): Plan {
  return { fault, seed, afterMs: Math.round(firstMs + seeded(seed)() * (lastMs - firstMs)) };
}

export interface PlayedFile {
  readonly key: string;
  /** Errors of the decoder; empty: the file plays. */
  readonly errors: readonly string[];
  /** Null for what has no length. */
  readonly lengthMs: number | null;
}

/** The external observations of one recording with a fault. Epoch ms unless stated otherwise. */
export interface FaultOutcome {
  readonly plan: Plan;
  readonly faultAtMs: number;
  /** Time at which the bot reported that it records. */
  readonly recordingSinceMs: number;
  /** The runner itself ended at the fault. */
  readonly runnerDied: boolean;
  /** The exit code of the run that ended last; null after a signal. */
  readonly exitCode: number | null;
  readonly exitedAtMs: number;
  /** What was reported at the end. */
  readonly ends: readonly { readonly code: string; readonly recorded: boolean }[];
  readonly storedMs: number | null;
  readonly files: readonly PlayedFile[];
  /** The recording's time zero, by its own clock; null where nothing is stored. */
  readonly startedAtMs: number | null;
  /**
   * Time, by the simulator's clock, at which the frame at the file's time zero was sent; null before any video is in
   * it.
   */
  readonly contentStartMs: number | null;
  /** Offset of the recording's own time zero from that: the delay from the sender. */
  readonly delayMs: number | null;
  /** The length of the video file. */
  readonly lengthMs: number | null;
  /** Number of permanent shifts between the file's clock and the simulator's. */
  readonly timeJumps: number;
  readonly gaps: readonly { readonly startMs: number; readonly endMs: number; readonly reason: string }[];
}

export interface FaultVerdict {
  /**
   * Sent before the fault and missing in the recording, by the simulator's clock. Of a bot that received SIGTERM,
   * media in transit to it are not counted.
   */
  readonly lostMs: number;
  /** What the bot missed while it rejoined; null where it did not have to. */
  readonly awayMs: number | null;
  readonly problems: readonly string[];
}

/** The open fragment (3.6 s), the batch in transit to it, and the end of the upload of the one before. */
const lostMostMs = 5_000;
const exitMostMs = 25_000;
const lengthOffMostMs = 500;
/** Delivery of the signal, and the length of a frame. */
const drainLostMostMs = 150;

/** Exit code of a runner that SIGTERM ended early and that saved and reported everything. */
const interruptedCode = 143;

/** Pure. */
export function judgeFault(outcome: FaultOutcome): FaultVerdict {
  const { plan, storedMs, lengthMs, runnerDied } = outcome;
  const problems: string[] = [];
  const gap = runnerDied
    ? undefined
    : outcome.gaps.find(({ reason }) => reason === 'page_lost' || reason === 'capture_restarted');
  const inProgressMs = plan.fault === 'drain' ? (outcome.delayMs ?? 0) : 0;
  const lostMs = Math.max(0, lostOf(outcome, gap?.startMs ?? null) - inProgressMs);
  const most = plan.fault === 'drain' ? drainLostMostMs : lostMostMs;
  if (lostMs > most) problems.push(`${Math.round(lostMs)} ms are lost; at most ${Math.round(most)} may be`);
  if (outcome.exitCode !== (plan.fault === 'drain' ? interruptedCode : 0))
    problems.push(`the last run ended with ${outcome.exitCode}`);
  if (storedMs === null && (plan.fault === 'drain' || lostMs > lostMostMs)) problems.push('no recording was stored');
  if (storedMs !== null && lengthMs === null) problems.push('the stored recording has no video');
  for (const { key, errors } of outcome.files)
    for (const error of errors) problems.push(`${key} does not play to its end: ${error}`);
  for (const { key, lengthMs: plays } of outcome.files)
    if (plays !== null && Math.abs(plays - (storedMs ?? 0)) > lengthOffMostMs)
      problems.push(`${key} plays ${Math.round(plays)} ms and is said to be ${Math.round(storedMs ?? 0)} ms long`);
  if (outcome.timeJumps > 0)
    problems.push(`the recording's clock and the room's moved apart ${outcome.timeJumps} times`);
  problems.push(...endProblems(outcome, gap === undefined));
  return { lostMs, awayMs: gap === undefined ? null : gap.endMs - gap.startMs, problems };
}

/** @param gapStartMs media time of the fault, where the recording continued afterwards */
function lostOf(outcome: FaultOutcome, gapStartMs: number | null): number {
  const { contentStartMs, startedAtMs, lengthMs, recordingSinceMs, faultAtMs } = outcome;
  const beganMs = contentStartMs ?? startedAtMs;
  if (beganMs === null || lengthMs === null) return faultAtMs - recordingSinceMs;
  return faultAtMs - (beganMs + (gapStartMs ?? lengthMs));
}

function endProblems({ plan, ends, runnerDied, exitedAtMs, faultAtMs }: FaultOutcome, withoutGap: boolean): string[] {
  const problems: string[] = [];
  if (plan.fault === 'drain') {
    const tookMs = exitedAtMs - faultAtMs;
    if (tookMs > exitMostMs) problems.push(`it took ${Math.round(tookMs)} ms to end; ${exitMostMs} may be`);
    if (ends.length !== 1 || ends[0]?.code !== 'SIGTERM' || !ends[0].recorded)
      problems.push(`its end was reported as ${ends.map(({ code }) => code).join(', ') || 'nothing'}`);
  } else if (plan.fault === 'runner' && ends.length > 0) problems.push('a killed runner reported an end');
  else if (!runnerDied && withoutGap) problems.push('the recording does not say that something is missing');
  return problems;
}
