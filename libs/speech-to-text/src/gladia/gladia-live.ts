import { z } from 'zod';
import type { LiveAccess } from '../live-provider.ts';
import { liveSampleRateHz } from '../live-provider.ts';
import type { LiveProtocol, LiveReading } from '../live/live-protocol.ts';
import { createProviderClient, jsonBody, readDocument } from '../provider-http.ts';
import { reportedFailure } from '../provider-reason.ts';
import { identifier, languageCode, seconds, text } from '../provider-shapes.ts';
import { gladiaSpoken, gladiaUtterance } from './gladia.ts';

const name = 'Gladia';

const envelope = z.object({ type: z.string(), data: z.unknown().optional(), error: z.unknown().optional() });
const transcript = z.object({
  id: identifier,
  is_final: z.boolean(),
  utterance: z.object({ ...gladiaUtterance, start: seconds, end: seconds }),
});
const translation = z.object({
  utterance_id: identifier,
  target_language: languageCode,
  translated_utterance: z.object({ text }),
});

/** Gladia's live API, version 2: a request returns the address of the WebSocket. */
export function createGladiaLive(access: LiveAccess): LiveProtocol {
  const { connections: http, apiKey, region, customParams } = access;
  const client = createProviderClient(name, { ...access, http }, { 'x-gladia-key': apiKey ?? '' });
  return {
    name,
    locate: async () => {
      const body = jsonBody({
        ...customParams,
        encoding: 'wav/pcm',
        bit_depth: 16,
        sample_rate: liveSampleRateHz,
        channels: 1,
        messages_config: { receive_partial_transcripts: true, receive_final_transcripts: true },
      });
      const query = region === null ? {} : { region };
      const response = z.object({ url: z.string().regex(/^wss?:\/\//) });
      const { url } = await client.request({ method: 'POST', path: '/v2/live', query, body, response });
      return { url, headers: {} };
    },
    opening: null,
    isReadyAtOnce: true,
    audio: (pcm) => pcm,
    keepAlive: null,
    finish: () => JSON.stringify({ type: 'stop_recording' }),
    read: (message) => readGladia(message),
  };
}

function readGladia(message: unknown): readonly LiveReading[] {
  const { type, data, error } = readDocument(name, message, envelope);
  if (type === 'end_session') return [{ kind: 'finished' }];
  if (type === 'error' || (error !== null && error !== undefined)) {
    return [{ kind: 'failure', failure: reportedFailure(name, { error, data }) }];
  }
  if (type === 'transcript') {
    const { id, is_final, utterance } = readDocument(name, data, transcript);
    const { speaker, channel, language, words, ...rest } = gladiaSpoken(utterance);
    const labelled = words.map((word) => ({ ...word, speaker, channel, language }));
    return [{ kind: 'utterance', utterance: { ...rest, key: id, isFinal: is_final, language, words: labelled } }];
  }
  if (type !== 'translation') return [];
  const { utterance_id: key, target_language, translated_utterance } = readDocument(name, data, translation);
  const language = target_language ?? 'und';
  return [
    { kind: 'translation', translation: { key, language, text: translated_utterance.text.trim(), isFinal: true } },
  ];
}
