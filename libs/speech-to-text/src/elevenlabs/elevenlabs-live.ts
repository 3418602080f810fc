import { z } from 'zod';
import type { LiveAccess } from '../live-provider.ts';
import { liveSampleRateHz } from '../live-provider.ts';
import { liveQuery } from '../live/live-protocol.ts';
import type { LiveProtocol, LiveReading } from '../live/live-protocol.ts';
import { utteranceOfWords } from '../live/utterance-of-words.ts';
import { readDocument } from '../provider-http.ts';
import { kindOfCode, reportedFailure } from '../provider-reason.ts';
import { languageCode, orNull, seconds, speakerLabel, text, timedOf } from '../provider-shapes.ts';

const name = 'ElevenLabs';
const ownParams = {
  audio_format: `pcm_${liveSampleRateHz}`,
  commit_strategy: 'vad',
  include_timestamps: 'true',
};

const words = timedOf(
  { text, type: z.string().default('word'), speaker_id: speakerLabel, logprob: orNull(z.number().max(0)) },
  seconds,
);
const committed = z.object({ text, language_code: languageCode, words });
const partial = z.object({ text });

/** ElevenLabs' real-time speech to text. Partial transcripts have no times: they begin where the last final ended. */
export function createElevenlabsLive({ baseUrl, apiKey, customParams }: LiveAccess): LiveProtocol {
  let utterance = 1;
  let sentMs = 0;
  let settledMs = 0;
  const audioMessage = (pcm: Buffer, commit: boolean): string =>
    JSON.stringify({
      message_type: 'input_audio_chunk',
      audio_base_64: pcm.toString('base64'),
      commit,
      sample_rate: liveSampleRateHz,
    });
  let isFinishing = false;
  const readCommitted = (message: unknown): LiveReading[] => {
    const { text: whole, words: parts, language_code: language } = readDocument(name, message, committed);
    const said = parts.flatMap(({ type, start, end, speaker_id: speaker, logprob, text: spoken, ...rest }) => {
      const sure = logprob === null ? null : Math.round(Math.exp(logprob) * 10_000) / 10_000;
      const labels = { ...rest, confidence: sure, speaker, language, channel: 0 };
      return type === 'word' ? [{ ...labels, text: spoken.trim(), startMs: start, endMs: end }] : [];
    });
    const spoken = utteranceOfWords(String(utterance), true, said, whole);
    const finished: LiveReading[] = isFinishing ? [{ kind: 'finished' }] : [];
    if (spoken === null) return finished;
    utterance += 1;
    settledMs = spoken.endMs;
    return [{ kind: 'utterance', utterance: spoken }, ...finished];
  };
  const read = (message: unknown): readonly LiveReading[] => {
    const { message_type: type } = readDocument(name, message, z.object({ message_type: z.string() }));
    if (type === 'session_started') return [{ kind: 'ready' }];
    if (type === 'committed_transcript_with_timestamps') return readCommitted(message);
    if (type === 'partial_transcript') {
      const recognized = readDocument(name, message, partial).text.trim();
      const times = { startMs: settledMs, endMs: Math.max(settledMs, sentMs) };
      const rest = { confidence: null, language: null, words: [], key: String(utterance), isFinal: false };
      return recognized === '' ? [] : [{ kind: 'utterance', utterance: { ...rest, ...times, text: recognized } }];
    }
    if (kindOfCode(name, type) === null) return [];
    return [{ kind: 'failure', failure: reportedFailure(name, message, type) }];
  };
  return {
    name,
    locate: async () => ({
      url: `${baseUrl}/v1/speech-to-text/realtime?${liveQuery({ include_language_detection: 'true', ...customParams }, ownParams)}`,
      headers: { 'xi-api-key': apiKey ?? '' },
    }),
    opening: null,
    isReadyAtOnce: false,
    audio: (pcm) => {
      sentMs += (pcm.byteLength * 1_000) / (liveSampleRateHz * 2);
      return audioMessage(pcm, false);
    },
    keepAlive: null,
    finish: () => {
      isFinishing = true;
      return audioMessage(Buffer.alloc(0), true);
    },
    read,
  };
}
