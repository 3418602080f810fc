import type { LiveVendorFactory, SpokenWords } from './live-vendor.ts';
import { inSeconds, queryOf, sure, textFrame, textOf } from './live-vendor.ts';

function turn({ words, utterance }: SpokenWords, state: { isEnd: boolean; isFormatted: boolean }): string {
  return JSON.stringify({
    type: 'Turn',
    turn_order: utterance - 1,
    end_of_turn: state.isEnd,
    turn_is_formatted: state.isFormatted,
    end_of_turn_confidence: state.isEnd ? 0.9 : 0.1,
    transcript: textOf(words),
    language_code: words[0]?.language ?? 'en',
    words: words.map(({ text, startMs, endMs, speakerNumber }) => ({
      text: state.isFormatted ? text : text.toLowerCase(),
      start: startMs,
      end: endMs,
      confidence: sure,
      word_is_final: state.isEnd,
      speaker: String.fromCharCode(65 + speakerNumber),
    })),
  });
}

export const assemblyaiVendor: LiveVendorFactory = {
  keyOf: (request) => request.headers.authorization ?? '',
  create: (request, now) => ({
    understands: (language) => language === 'en' || !(queryOf(request).get('speech_model') ?? '').endsWith('-english'),
    begin: () => [
      JSON.stringify({ type: 'Begin', id: crypto.randomUUID(), expires_at: Math.ceil(now() / 1_000) + 10_800 }),
    ],
    read: (message, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: message };
      const { type } = textFrame(message);
      if (type === 'Terminate') return { kind: 'finish' };
      return type === 'ForceEndpoint' ? { kind: 'commit' } : null;
    },
    partial: (spoken) => [turn(spoken, { isEnd: false, isFormatted: false })],
    final: (spoken) => [
      turn(spoken, { isEnd: true, isFormatted: false }),
      turn(spoken, { isEnd: true, isFormatted: true }),
    ],
    end: (receivedMs) => [JSON.stringify({ type: 'Termination', audio_duration_seconds: inSeconds(receivedMs) })],
    closesAfterEnd: true,
    idleMs: null,
  }),
};
