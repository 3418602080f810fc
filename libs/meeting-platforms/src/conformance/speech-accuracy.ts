import type { SpeakerTurn } from '../platform.ts';
import type { HarnessRoom } from './harness.ts';

const stepMs = 10;

/**
 * Share of the speech time between two moments, by the room's own schedule, in which exactly the right person was
 * named. Sound takes `delayMs` from the room to the bot's ear.
 */
export function speechAccuracy(room: HarnessRoom, turns: readonly SpeakerTurn[], span: { fromMs: number; untilMs: number; delayMs?: number }): number {
  let spoken = 0;
  let right = 0;
  for (let atMs = span.fromMs; atMs < span.untilMs; atMs += stepMs) {
    const inLoopMs = (atMs - (span.delayMs ?? 0) - room.clockZeroMs) % room.loopMs;
    const speech = room.schedule.find(({ startMs, endMs }) => inLoopMs >= startMs && inLoopMs < endMs);
    if (speech === undefined) continue;
    spoken += 1;
    const named = turns.filter(({ startMs, endMs }) => atMs >= startMs && atMs < (endMs ?? Infinity));
    if (named.length === 1 && named[0]?.name === speech.name) right += 1;
  }
  return spoken === 0 ? 0 : right / spoken;
}

/** The last word on each turn. */
export function lastWords(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  return [...new Map(turns.map((turn) => [turn.turnId, turn])).values()];
}
