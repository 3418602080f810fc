import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { BatchProvider } from '../batch-provider.ts';
import { SpeechToTextFailure } from '../failure.ts';
import { interpolateWords } from '../interpolate-words.ts';
import { languagesOf } from '../transcript.ts';
import type { Transcript, TranscriptUtterance } from '../transcript.ts';

const longestText = 20_000;

/** One line of the artifact `captions`, JSON Lines. Times are seconds of the recording. */
export const captionLine = z.object({
  text: z.string().max(longestText),
  /** As the platform names it; null where it does not. */
  language: z.string().nullable(),
  speaker: z.string(),
  /** As in the bot's participants; null for an unknown speaker. */
  speaker_id: z.int().nullable(),
  /** The participants with that name, where the speaker is one of several. */
  speaker_candidates: z.array(z.int()).optional(),
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  /** The platform marked the utterance as final. */
  is_final: z.boolean(),
});
export type CaptionLine = z.infer<typeof captionLine>;

/**
 * The meeting's own captions, as the bot read them: the artifact `captions` is submitted, and nothing leaves the
 * deployment.
 */
export function createMeetingCaptions(): BatchProvider {
  return {
    findsJobs: false,
    reportsEnd: false,
    upload: async () => null,
    submit: async ({ audio }) => ({
      kind: 'transcript',
      jobId: null,
      transcript: transcriptOf(await buffer((await audio.open()).stream)),
    }),
    find: async () => null,
    read: async () => {
      throw new SpeechToTextFailure('lost', 'Captions are read at once.');
    },
    readCallback: () => null,
    remove: async () => undefined,
  };
}

/** An unreadable line does not affect the others. */
function transcriptOf(bytes: Buffer): Transcript {
  const lines = bytes.toString('utf8').split('\n').flatMap(readLine);
  const utterances = lines.map(utteranceOf);
  return {
    durationMs: null,
    billedMs: 0,
    languages: languagesOf(utterances),
    utterances,
    raw: { captions: lines },
  };
}

function readLine(written: string): CaptionLine[] {
  try {
    const read = captionLine.safeParse(JSON.parse(written));
    return read.success ? [read.data] : [];
  } catch {
    return [];
  }
}

function utteranceOf(line: CaptionLine): TranscriptUtterance {
  const { text, language, speaker, speaker_id: id, speaker_candidates: candidates, start, end } = line;
  const startMs = Math.round(start * 1_000);
  const endMs = Math.max(startMs, Math.round(end * 1_000));
  return {
    text,
    startMs,
    endMs,
    confidence: null,
    language,
    channel: 0,
    speaker,
    participant: { id, name: speaker, ...(candidates === undefined ? {} : { candidates }) },
    words: interpolateWords(text, { startMs, endMs }),
  };
}
