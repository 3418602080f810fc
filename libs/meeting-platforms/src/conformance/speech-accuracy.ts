import type { SpeakerTurn } from '../platform.ts';
import type { HarnessRoom } from './harness.ts';

const stepMs = 10;

export interface SpeechAccuracy {
  /** Share of the speech time in which exactly the right person was named. */
  readonly heard: number;
  /** Share of the time in which somebody was named that it was whoever spoke. */
  readonly trusted: number;
}

/**
 * How late sound comes to the bot's ear: way, jitter buffer, playing out. The recording is late by the same, so turns
 * belong to what is heard, not to what is sent.
 */
const soundDelayMs = 150;

/** Compares turns with the room's own schedule between two moments, epoch ms. */
export function speechAccuracy(
  room: HarnessRoom,
  turns: readonly SpeakerTurn[],
  span: { readonly fromMs: number; readonly untilMs: number },
): SpeechAccuracy {
  let [spoken, named, right] = [0, 0, 0];
  for (let atMs = span.fromMs; atMs < span.untilMs; atMs += stepMs) {
    const inLoopMs = (atMs - soundDelayMs - room.clockZeroMs) % room.loopMs;
    const speech = room.schedule.find(({ startMs, endMs }) => inLoopMs >= startMs && inLoopMs < endMs);
    const names = turns
      .filter(({ startMs, endMs }) => atMs >= startMs && atMs < (endMs ?? Infinity))
      .map((turn) => turn.name);
    if (speech !== undefined) spoken += 1;
    if (names.length > 0) named += 1;
    if (speech !== undefined && names.length === 1 && names[0] === speech.name) right += 1;
  }
  return { heard: spoken === 0 ? 0 : right / spoken, trusted: named === 0 ? 0 : right / named };
}

/** The last word on each turn. */
export function lastWords(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  return [...new Map(turns.map((turn) => [turn.turnId, turn])).values()];
}
