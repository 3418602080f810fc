import { z } from 'zod';
import type { LiveAccess } from '../live-provider.ts';
import { liveSampleRateHz } from '../live-provider.ts';
import type { LiveProtocol, LiveReading } from '../live/live-protocol.ts';
import { utteranceOfWords } from '../live/utterance-of-words.ts';
import { readDocument, refusal } from '../provider-http.ts';
import { orNull, readableOf, text } from '../provider-shapes.ts';
import { sonioxToken, sonioxWords } from './soniox-words.ts';
import type { SonioxToken } from './soniox-words.ts';

const name = 'Soniox';

const response = z.object({
  tokens: readableOf(sonioxToken.and(z.object({ is_final: z.boolean().default(false) }))).default([]),
  finished: z.boolean().default(false),
  error_code: z.number().int().nullish(),
  error_message: orNull(text),
});

/** An utterance without an endpoint ends after this many final tokens. */
const mostTokens = 120;

/** Soniox' real-time API. Final tokens are sent once, the others again with every response. */
export function createSonioxLive({ baseUrl, apiKey, customParams }: LiveAccess): LiveProtocol {
  let utterance = 1;
  let settled: SonioxToken[] = [];
  const spokenBy = (tokens: readonly SonioxToken[], isFinal: boolean): LiveReading[] => {
    const key = String(utterance);
    const spoken = utteranceOfWords(key, isFinal, sonioxWords(tokens));
    const translated = tokens.filter(({ translation_status: status }) => status === 'translation');
    const readings: LiveReading[] = spoken === null ? [] : [{ kind: 'utterance', utterance: spoken }];
    if (translated.length === 0) return readings;
    const translation = translated
      .map((token) => token.text)
      .join('')
      .trim();
    const language = translated[0]?.language ?? 'und';
    return [...readings, { kind: 'translation', translation: { key, language, text: translation, isFinal } }];
  };
  const end = (): LiveReading[] => {
    const readings = spokenBy(settled, true);
    if (readings.length > 0) utterance += 1;
    settled = [];
    return readings;
  };
  const read = (message: unknown): readonly LiveReading[] => {
    const { tokens, finished, error_code, error_message } = readDocument(name, message, response);
    if (error_code !== null && error_code !== undefined) {
      const body = Buffer.from(JSON.stringify({ error_message }));
      return [{ kind: 'failure', failure: refusal(name, { status: error_code, headers: {}, body }) }];
    }
    const readings: LiveReading[] = [];
    for (const { is_final, ...token } of tokens) {
      if (!is_final) continue;
      settled.push(token);
      if (token.text === '<end>' || token.text === '<fin>' || settled.length >= mostTokens) readings.push(...end());
    }
    const open = tokens.filter(({ is_final }) => !is_final);
    if (finished) return [...readings, ...end(), { kind: 'finished' }];
    return open.length === 0 ? readings : [...readings, ...spokenBy([...settled, ...open], false)];
  };
  return {
    name,
    locate: async () => ({ url: `${baseUrl}/transcribe-websocket`, headers: {} }),
    opening: JSON.stringify({
      enable_endpoint_detection: true,
      ...customParams,
      api_key: apiKey ?? '',
      audio_format: 'pcm_s16le',
      sample_rate: liveSampleRateHz,
      num_channels: 1,
    }),
    isReadyAtOnce: true,
    audio: (pcm) => pcm,
    keepAlive: JSON.stringify({ type: 'keepalive' }),
    finish: () => '',
    read,
  };
}
