import type { FrameReading } from './decode-video.ts';

export interface RoomClock {
  readonly framesPerSecond: number;
  /** The counter restarts at 0 after so many seconds. */
  readonly loopSeconds: number;
  /** Time in the file after which nothing is sent, and black is expected; omitted: its end. */
  readonly endsAtMs?: number;
}

export interface StepBack {
  readonly atMs: number;
  readonly byFrames: number;
  /** The participants of the frame before and of this one. */
  readonly participants: readonly [number | null, number | null];
}

export interface FrameGap {
  readonly atMs: number;
  readonly lastedMs: number;
}

export interface FrameFacts {
  readonly frames: number;
  /** Frames that show something else than the frame before. */
  readonly uniqueFrames: number;
  /** Frames whose marker has a valid checksum. */
  readonly markedFrames: number;
  /** Where the counter went back, except at a loop's end, and where the next participant's video is a little later. */
  readonly stepsBack: readonly StepBack[];
  readonly counterWraps: number;
  /** Counter values of the room that the recording does not show, between its first and its last. */
  readonly counterSkipped: number;
  /** Number of shifts between the counter and the file's clock: seconds are missing or doubled. */
  readonly timeJumps: readonly { readonly atMs: number; readonly byMs: number }[];
  /**
   * Position in the room's loop, in ms, at the file's time zero, from the first frames' counters. Null without a
   * marker.
   */
  readonly roomAtZeroMs: number | null;
  /** The shown participants with their start times. */
  readonly participants: readonly { readonly atMs: number; readonly participant: number }[];
  readonly flashesMs: readonly number[];
  /** Until the room ends. */
  readonly longestFrameGap: FrameGap;
  /** The longest time without a new frame, until the room ends. */
  readonly longestStill: FrameGap;
  readonly blackSeconds: number;
  readonly frozenSeconds: number;
}

/** Videos of two participants are received with different delays: at most by so many frames here. */
const laterFramesMost = 3;
const stillChange = 0.6;
const blackBrightness = 24;
const jumpMs = 250;
const phasesCompared = 9;

export function judgeFrames(frames: readonly FrameReading[], durationMs: number, room: RoomClock): FrameFacts {
  const untilMs = Math.min(durationMs, room.endsAtMs ?? durationMs);
  const unique = frames.filter((frame, index) => isNew(frame, frames[index - 1]));
  return {
    frames: frames.length,
    uniqueFrames: unique.length,
    markedFrames: frames.filter((frame) => frame.counter !== null).length,
    ...judgeCounter(frames, room),
    roomAtZeroMs: roomAtZero(frames, room),
    participants: shownParticipants(frames),
    flashesMs: frames
      .filter((frame, index) => frame.flash && frames[index - 1]?.flash === false)
      .map((frame) => frame.timeMs),
    longestFrameGap: longestGap(frames, untilMs),
    longestStill: longestGap(unique, untilMs),
    blackSeconds: countSeconds(untilMs, (from, to) => {
      const inside = frames.filter((frame) => frame.timeMs >= from && frame.timeMs < to);
      return inside.length > 0 && inside.every((frame) => frame.brightness < blackBrightness);
    }),
    frozenSeconds: countSeconds(
      untilMs,
      (from, to) => !unique.some((frame) => frame.timeMs >= from && frame.timeMs < to),
    ),
  };
}

function isNew(frame: FrameReading, before: FrameReading | undefined): boolean {
  if (!before) return true;
  if (frame.counter !== null && before.counter !== null) {
    return frame.counter !== before.counter || frame.participant !== before.participant;
  }
  return frame.change > stillChange;
}

type CounterFacts = Pick<FrameFacts, 'stepsBack' | 'counterWraps' | 'counterSkipped' | 'timeJumps'>;

/** The position in the room's loop at the file's time zero: `FrameFacts.roomAtZeroMs`. */
export function roomAtZero(frames: readonly FrameReading[], room: Pick<RoomClock, 'framesPerSecond'>): number | null {
  const phases = frames
    .filter((frame) => frame.counter !== null)
    .slice(0, phasesCompared)
    .map((frame) => ((frame.counter ?? 0) / room.framesPerSecond) * 1_000 - frame.timeMs);
  const phase = median(phases);
  return phase === null ? null : Math.round(phase);
}

function judgeCounter(frames: readonly FrameReading[], room: RoomClock): CounterFacts {
  const loopFrames = room.loopSeconds * room.framesPerSecond;
  const timeJumps: { atMs: number; byMs: number }[] = [];
  const stepsBack: StepBack[] = [];
  let wraps = 0;
  let skipped = 0;
  let turns = 0;
  let last: { counter: number; timeMs: number; participant: number | null } | null = null;
  let phases: number[] = [];
  for (const frame of frames) {
    if (frame.counter === null) continue;
    if (last && frame.counter < last.counter) {
      const ahead = frame.counter + loopFrames - last.counter;
      const passed = ((frame.timeMs - last.timeMs) / 1_000) * room.framesPerSecond;
      if (ahead > 0 && ahead < passed + room.framesPerSecond * 5) {
        wraps += 1;
        turns += 1;
        skipped += Math.max(0, ahead - 1);
      } else {
        const participants = [last.participant, frame.participant] as const;
        const byFrames = last.counter - frame.counter;
        const isSwitch = last.participant !== frame.participant && byFrames <= laterFramesMost;
        if (!isSwitch) stepsBack.push({ atMs: frame.timeMs, byFrames, participants });
      }
    } else if (last) skipped += Math.max(0, frame.counter - last.counter - 1);
    const phase = ((frame.counter + turns * loopFrames) / room.framesPerSecond) * 1_000 - frame.timeMs;
    const usual = median(phases);
    if (usual !== null && Math.abs(phase - usual) > jumpMs) {
      timeJumps.push({ atMs: frame.timeMs, byMs: Math.round(phase - usual) });
      phases = [];
    }
    phases = [...phases.slice(1 - phasesCompared), phase];
    last = { counter: frame.counter, timeMs: frame.timeMs, participant: frame.participant };
  }
  return { stepsBack, counterWraps: wraps, counterSkipped: skipped, timeJumps };
}

function shownParticipants(frames: readonly FrameReading[]): { atMs: number; participant: number }[] {
  const participants: { atMs: number; participant: number }[] = [];
  for (const { participant, timeMs } of frames) {
    if (participant !== null && participants.at(-1)?.participant !== participant)
      participants.push({ atMs: Math.round(timeMs), participant });
  }
  return participants;
}

function longestGap(frames: readonly FrameReading[], untilMs: number): FrameGap {
  const times = [...frames.map(({ timeMs }) => timeMs).filter((timeMs) => timeMs < untilMs), untilMs];
  const gaps = times.slice(1).map((endMs, index) => ({ atMs: times[index] ?? 0, endMs }));
  return gaps.reduce<FrameGap>(
    (longest, { atMs, endMs }) =>
      endMs - atMs > longest.lastedMs ? { atMs: Math.round(atMs), lastedMs: Math.round(endMs - atMs) } : longest,
    { atMs: 0, lastedMs: 0 },
  );
}

function countSeconds(durationMs: number, holds: (fromMs: number, toMs: number) => boolean): number {
  let count = 0;
  for (let from = 0; from + 1_000 <= durationMs; from += 1_000) if (holds(from, from + 1_000)) count += 1;
  return count;
}

export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
