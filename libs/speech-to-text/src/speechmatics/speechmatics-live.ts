import { z } from 'zod';
import type { LiveAccess } from '../live-provider.ts';
import { liveSampleRateHz } from '../live-provider.ts';
import type { LiveProtocol, LiveReading } from '../live/live-protocol.ts';
import { utteranceOfWords } from '../live/utterance-of-words.ts';
import { readDocument } from '../provider-http.ts';
import { reportedFailure } from '../provider-reason.ts';
import { orNull, readableOf, text } from '../provider-shapes.ts';
import { textOfWords } from '../transcript.ts';
import { speechmaticsResult, speechmaticsWords } from './speechmatics-words.ts';

const name = 'Speechmatics';

const transcript = z.object({ results: readableOf(speechmaticsResult) });
const translation = z.object({ language: z.string().max(50), results: readableOf(z.object({ content: text })) });
const failed = z.object({ type: z.string().max(200).default('unknown'), reason: orNull(text) });

/** Speechmatics' real-time API, version 2. */
export function createSpeechmaticsLive({ baseUrl, apiKey, customParams }: LiveAccess): LiveProtocol {
  const { translation_config, ...transcription } = customParams;
  let frames = 0;
  let utterance = 1;
  const read = (message: unknown): readonly LiveReading[] => {
    const { message: kind } = readDocument(name, message, z.object({ message: z.string() }));
    if (kind === 'RecognitionStarted') return [{ kind: 'ready' }];
    if (kind === 'EndOfTranscript') return [{ kind: 'finished' }];
    if (kind === 'Error') {
      const { type, reason } = readDocument(name, message, failed);
      return [{ kind: 'failure', failure: reportedFailure(name, reason, type) }];
    }
    if (kind === 'AddTranscript' || kind === 'AddPartialTranscript') {
      const isFinal = kind === 'AddTranscript';
      const words = speechmaticsWords(readDocument(name, message, transcript).results);
      const spoken = utteranceOfWords(String(utterance), isFinal, words);
      if (spoken === null) return [];
      if (isFinal) utterance += 1;
      return [{ kind: 'utterance', utterance: spoken }];
    }
    if (kind !== 'AddTranslation' && kind !== 'AddPartialTranslation') return [];
    const { language, results } = readDocument(name, message, translation);
    const isFinal = kind === 'AddTranslation';
    const key = String(isFinal ? Math.max(1, utterance - 1) : utterance);
    const translated = textOfWords(results.map(({ content }) => ({ text: content })));
    return [{ kind: 'translation', translation: { key, language, text: translated, isFinal } }];
  };
  return {
    name,
    locate: async () => ({ url: `${baseUrl}/v2`, headers: { authorization: `Bearer ${apiKey ?? ''}` } }),
    opening: JSON.stringify({
      message: 'StartRecognition',
      audio_format: { type: 'raw', encoding: 'pcm_s16le', sample_rate: liveSampleRateHz },
      transcription_config: { max_delay: 2, ...transcription, enable_partials: true },
      ...(translation_config === undefined ? {} : { translation_config }),
    }),
    isReadyAtOnce: false,
    audio: (pcm) => {
      frames += 1;
      return pcm;
    },
    keepAlive: null,
    finish: () => JSON.stringify({ message: 'EndOfStream', last_seq_no: frames }),
    read,
  };
}
