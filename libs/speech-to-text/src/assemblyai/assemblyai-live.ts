import { z } from 'zod';
import type { LiveAccess } from '../live-provider.ts';
import { liveSampleRateHz } from '../live-provider.ts';
import { liveQuery } from '../live/live-protocol.ts';
import type { LiveProtocol, LiveReading } from '../live/live-protocol.ts';
import { utteranceOfWords } from '../live/utterance-of-words.ts';
import { readDocument } from '../provider-http.ts';
import { reportedFailure } from '../provider-reason.ts';
import { languageCode, orNull, speakerLabel, text } from '../provider-shapes.ts';
import { assemblyaiWords } from './assemblyai.ts';

const name = 'AssemblyAI';

const envelope = z.object({ type: z.string().default('Error'), error_code: orNull(z.number()) });
const turn = z.object({
  turn_order: z.int().nonnegative(),
  end_of_turn: z.boolean(),
  turn_is_formatted: z.boolean().default(false),
  transcript: text,
  language_code: languageCode,
  speaker_label: speakerLabel,
  words: assemblyaiWords,
});

/** AssemblyAI's streaming API, version 3. A turn is sent again until it ends, and once more after formatting. */
export function createAssemblyaiLive({ baseUrl, apiKey, customParams }: LiveAccess): LiveProtocol {
  const isFormatted = customParams['format_turns'] !== false;
  const read = (message: unknown): readonly LiveReading[] => {
    const { type, error_code } = readDocument(name, message, envelope);
    if (type === 'Begin') return [{ kind: 'ready' }];
    if (type === 'Termination') return [{ kind: 'finished' }];
    if (type === 'Error') {
      return [{ kind: 'failure', failure: reportedFailure(name, message, error_code) }];
    }
    if (type !== 'Turn') return [];
    const { turn_order, end_of_turn, turn_is_formatted, language_code, ...rest } = readDocument(name, message, turn);
    const words = rest.words.map(({ start, end, speaker, ...one }) => ({
      ...one,
      startMs: start,
      endMs: end,
      speaker: speaker ?? rest.speaker_label,
      language: language_code,
      channel: 0,
    }));
    const isFinal = end_of_turn && (turn_is_formatted || !isFormatted);
    const spoken = utteranceOfWords(String(turn_order), isFinal, words);
    return spoken === null ? [] : [{ kind: 'utterance', utterance: spoken }];
  };
  return {
    name,
    locate: async () => ({
      url: `${baseUrl}/v3/ws?${queryOf(customParams)}`,
      headers: { authorization: apiKey ?? '' },
    }),
    opening: null,
    isReadyAtOnce: false,
    audio: (pcm) => pcm,
    keepAlive: null,
    finish: () => JSON.stringify({ type: 'Terminate' }),
    read,
  };
}

function queryOf(customParams: Readonly<Record<string, unknown>>): string {
  const listed = Object.entries(customParams).map(([key, value]) => [
    key,
    Array.isArray(value) ? JSON.stringify(value) : value,
  ]);
  const given = { format_turns: 'true', ...(Object.fromEntries(listed) as Record<string, unknown>) };
  return liveQuery(given, { sample_rate: String(liveSampleRateHz), encoding: 'pcm_s16le' });
}
