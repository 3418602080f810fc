import type { SpeakerTurn } from '../platform.ts';
import type { HarnessRoom } from './harness.ts';

const stepMs = 10;

export interface SpeechAccuracy {
  /** Share of the speech time in which exactly those who spoke were named: two, where two spoke. */
  readonly covered: number;
  /** Share of the time with a named speaker in which the names were right. */
  readonly trusted: number;
}

/**
 * Usual delay of audio until the bot receives it: network, jitter buffer, playout. The recording has the same delay, so
 * turns refer to received audio, not to sent audio.
 */
const usualAudioDelayMs = 150;

/** Compares turns with the room's own schedule between two moments, epoch ms. */
export function speechAccuracy(
  room: HarnessRoom,
  turns: readonly SpeakerTurn[],
  span: { readonly fromMs: number; readonly untilMs: number; readonly audioDelayMs?: number | undefined },
): SpeechAccuracy {
  let [spoken, named, right] = [0, 0, 0];
  for (let atMs = span.fromMs; atMs < span.untilMs; atMs += stepMs) {
    const inLoopMs = (atMs - (span.audioDelayMs ?? usualAudioDelayMs) - room.clockZeroMs) % room.loopMs;
    const speaking = room.schedule
      .filter(({ startMs, endMs }) => inLoopMs >= startMs && inLoopMs < endMs)
      .map(({ name }) => name);
    const reported = turns
      .filter(({ startMs, endMs }) => atMs >= startMs && atMs < (endMs ?? Infinity))
      .map((turn) => turn.name);
    if (speaking.length > 0) spoken += 1;
    if (reported.length > 0) named += 1;
    const same = speaking.length === reported.length && speaking.every((name) => reported.includes(name));
    if (speaking.length > 0 && same) right += 1;
  }
  return { covered: spoken === 0 ? 0 : right / spoken, trusted: named === 0 ? 0 : right / named };
}

/** The final version of each turn. */
export function lastWords(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  return [...new Map(turns.map((turn) => [turn.turnId, turn])).values()];
}
