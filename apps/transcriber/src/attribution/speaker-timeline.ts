import type { SpeechTurn } from '@rapporteur/speech-to-text';
import { z } from 'zod';

/** A speaker's turn, from the platform: a line of the diarization artifact. */
export type SpeakerTurn = SpeechTurn;

const line = z.object({ speaker: z.string(), start_time: z.number(), end_time: z.number() });

/** Reads the diarization artifact (JSON Lines, seconds); invalid lines are skipped. */
export function readTimeline(text: string): SpeakerTurn[] {
  return text.split('\n').flatMap((written) => {
    if (written.trim() === '') return [];
    const read = line.safeParse(parseOrNull(written));
    if (!read.success) return [];
    const { speaker, start_time, end_time } = read.data;
    return [{ speaker, startMs: Math.round(start_time * 1_000), endMs: Math.round(end_time * 1_000) }];
  });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
