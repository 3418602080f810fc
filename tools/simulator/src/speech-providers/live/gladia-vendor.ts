import type { LiveVendor, SpokenWords } from './live-vendor.ts';
import { inSeconds, sure, textFrame, textOf, translated } from './live-vendor.ts';

/** @param languages into which every final utterance is translated */
export function gladiaVendor(languages: readonly string[], sessionId: string, now: () => number): LiveVendor {
  const message = (type: string, data: object): string =>
    JSON.stringify({ session_id: sessionId, created_at: new Date(now()).toISOString(), type, data });
  const utteranceOf = ({ words }: SpokenWords) => ({
    text: textOf(words),
    language: words[0]?.language ?? 'en',
    start: inSeconds(words[0]?.startMs ?? 0),
    end: inSeconds(words.at(-1)?.endMs ?? 0),
    confidence: sure,
    channel: 0,
    words: words.map(({ text, startMs, endMs }) => ({
      word: ` ${text}`,
      start: inSeconds(startMs),
      end: inSeconds(endMs),
      confidence: sure,
    })),
  });
  const transcript = (spoken: SpokenWords, isFinal: boolean): string =>
    message('transcript', { id: `00-${spoken.utterance}`, is_final: isFinal, utterance: utteranceOf(spoken) });
  return {
    begin: () => [message('start_session', {})],
    read: (received, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: received };
      const { type, data } = textFrame(received);
      if (type === 'stop_recording') return { kind: 'finish' };
      const chunk = (data as { chunk?: unknown } | undefined)?.chunk;
      return type === 'audio_chunk' && typeof chunk === 'string'
        ? { kind: 'audio', pcm: Buffer.from(chunk, 'base64') }
        : null;
    },
    partial: (spoken) => [transcript(spoken, false)],
    final: (spoken) => [
      transcript(spoken, true),
      ...languages.map((language) =>
        message('translation', {
          utterance_id: `00-${spoken.utterance}`,
          utterance: utteranceOf(spoken),
          original_language: 'en',
          target_language: language,
          translated_utterance: { ...utteranceOf(spoken), language, text: translated(language, spoken.words) },
        }),
      ),
    ],
    end: () => [message('end_recording', {}), message('end_session', {})],
    closesAfterEnd: true,
    idleMs: null,
  };
}
