import { z } from 'zod';

/** A speaker's turn, from the platform: a line of the diarization artifact. */
export interface SpeakerTurn {
  /** The name, which several participants may have. */
  readonly speaker: string;
  /** Id in the bot's participants; null: unknown, or one of `candidates`; absent: the line names no participant. */
  readonly speakerId?: number | null | undefined;
  readonly candidates?: readonly number[] | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

const line = z.object({
  speaker: z.string(),
  speaker_id: z.int().nullable().optional(),
  speaker_candidates: z.array(z.int()).optional(),
  start_time: z.number(),
  end_time: z.number(),
});

/** Reads the diarization artifact (JSON Lines, seconds); invalid lines are skipped. */
export function readTimeline(text: string): SpeakerTurn[] {
  return text.split('\n').flatMap((written) => {
    if (written.trim() === '') return [];
    const read = line.safeParse(parseOrNull(written));
    if (!read.success) return [];
    const { speaker, speaker_id: speakerId, speaker_candidates: candidates, start_time, end_time } = read.data;
    const [startMs, endMs] = [Math.round(start_time * 1_000), Math.round(end_time * 1_000)];
    return [{ speaker, speakerId, candidates, startMs, endMs }];
  });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
