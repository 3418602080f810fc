import { z } from 'zod';
import type { LiveAccess } from '../live-provider.ts';
import { liveSampleRateHz } from '../live-provider.ts';
import { liveQuery } from '../live/live-protocol.ts';
import type { LiveProtocol, LiveReading } from '../live/live-protocol.ts';
import { utteranceOfWords } from '../live/utterance-of-words.ts';
import { readDocument } from '../provider-http.ts';
import { reportedFailure } from '../provider-reason.ts';
import { text } from '../provider-shapes.ts';
import { deepgramLabelled, deepgramWords } from './deepgram.ts';

const name = 'Deepgram';
const ownParams = {
  encoding: 'linear16',
  sample_rate: String(liveSampleRateHz),
  channels: '1',
  interim_results: 'true',
};

const results = z.object({
  is_final: z.boolean(),
  channel: z.object({ alternatives: z.array(z.object({ transcript: text, words: deepgramWords })).min(1) }),
});

/** Deepgram's live API, version 1. */
export function createDeepgramLive({ baseUrl, apiKey, customParams }: LiveAccess): LiveProtocol {
  let utterance = 1;
  const read = (message: unknown): readonly LiveReading[] => {
    const { type } = readDocument(name, message, z.object({ type: z.string() }));
    if (type === 'Metadata') return [{ kind: 'finished' }];
    if (type === 'Error') {
      return [{ kind: 'failure', failure: reportedFailure(name, message) }];
    }
    if (type !== 'Results') return [];
    const { is_final, channel } = readDocument(name, message, results);
    const [best] = channel.alternatives;
    const words = (best?.words ?? []).map((word) => deepgramLabelled(word, 0, null));
    const spoken = utteranceOfWords(String(utterance), is_final, words, best?.transcript);
    if (spoken === null) return [];
    if (is_final) utterance += 1;
    return [{ kind: 'utterance', utterance: spoken }];
  };
  return {
    name,
    locate: async () => ({
      url: `${baseUrl}/v1/listen?${liveQuery({ punctuate: 'true', smart_format: 'true', ...customParams }, ownParams)}`,
      headers: { authorization: `Token ${apiKey ?? ''}` },
    }),
    opening: null,
    isReadyAtOnce: true,
    audio: (pcm) => pcm,
    keepAlive: JSON.stringify({ type: 'KeepAlive' }),
    finish: () => JSON.stringify({ type: 'CloseStream' }),
    read,
  };
}
