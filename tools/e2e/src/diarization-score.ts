import type { Room } from './simulator-client.ts';

/** One line of the diarization artifact; seconds from the start of the recording. */
export interface DiarizationLine {
  readonly speaker: string;
  readonly start_time: number;
  readonly end_time: number;
}

export function parseDiarization(text: string): DiarizationLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as DiarizationLine);
}

const stepMs = 20;

/**
 * Share of the speech time in the recording for which the diarization names exactly the participant who spoke.
 * `recordingStartMs` is the epoch time of the recording's second zero.
 */
export function scoreDiarization(
  lines: readonly DiarizationLine[],
  room: Room,
  recording: { readonly startMs: number; readonly durationMs: number },
): number {
  const loopMs = room.loopSeconds * 1000;
  let spoken = 0;
  let right = 0;
  for (let atMs = 0; atMs < recording.durationMs; atMs += stepMs) {
    const loopAtMs = (((recording.startMs + atMs - room.clockZero) % loopMs) + loopMs) % loopMs;
    const truth = room.schedule
      .filter((sentence) => sentence.startMs <= loopAtMs && loopAtMs < sentence.endMs)
      .map(({ name }) => name);
    if (truth.length === 0) continue;
    spoken += 1;
    const said = lines
      .filter((line) => line.start_time * 1000 <= atMs && atMs < line.end_time * 1000)
      .map(({ speaker }) => speaker);
    if (said.length === truth.length && truth.every((name) => said.includes(name))) right += 1;
  }
  return spoken === 0 ? 0 : right / spoken;
}
