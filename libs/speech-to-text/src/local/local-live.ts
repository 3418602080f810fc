import { z } from 'zod';
import type { LiveAccess } from '../live-provider.ts';
import { liveQuery } from '../live/live-protocol.ts';
import type { LiveProtocol, LiveReading } from '../live/live-protocol.ts';
import { utteranceOfWords } from '../live/utterance-of-words.ts';
import { readDocument } from '../provider-http.ts';
import { confidence, languageCode, seconds, text, timedOf } from '../provider-shapes.ts';

const name = 'The local engine';

const segment = z.object({
  id: z.number().int(),
  final: z.boolean(),
  text,
  language: languageCode,
  words: timedOf({ word: text, confidence }, seconds),
});

/** The live protocol of `apps/whisper`: binary audio, JSON segments. */
export function createLocalLive({ baseUrl, apiKey, customParams }: LiveAccess): LiveProtocol {
  return {
    name,
    locate: async () => ({
      url: `${baseUrl}/v1/audio/live?${liveQuery(customParams, {})}`,
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    }),
    opening: null,
    isReadyAtOnce: false,
    audio: (pcm) => pcm,
    keepAlive: null,
    finish: () => JSON.stringify({ type: 'finish' }),
    read: readMessage,
  };
}

function readMessage(message: unknown): readonly LiveReading[] {
  const { type } = readDocument(name, message, z.object({ type: z.string() }));
  if (type === 'ready') return [{ kind: 'ready' }];
  if (type === 'done') return [{ kind: 'finished' }];
  if (type !== 'segment') return [];
  const { id, final, text: said, language, words } = readDocument(name, message, segment);
  const labelled = words.map(({ word, start, end, ...rest }) => ({
    ...rest,
    text: word,
    startMs: start,
    endMs: end,
    speaker: null,
    language,
    channel: 0,
  }));
  const utterance = utteranceOfWords(String(id), final, labelled, said);
  return utterance === null ? [] : [{ kind: 'utterance', utterance }];
}
