import type { LiveVendorFactory, SpokenWords } from './live-vendor.ts';
import { inSeconds, sure, textFrame, textOf } from './live-vendor.ts';

function segment({ utterance, words }: SpokenWords, final: boolean): string[] {
  const timed = words.map(({ text, startMs, endMs }) => ({
    word: text,
    start: inSeconds(startMs),
    end: inSeconds(endMs),
    confidence: sure,
  }));
  return [
    JSON.stringify({
      type: 'segment',
      id: utterance,
      final,
      language: words[0]?.language ?? 'en',
      text: textOf(words),
      words: timed,
    }),
  ];
}

/** The live protocol of `apps/whisper`. */
export const localVendor: LiveVendorFactory = {
  keyOf: (request) => (request.headers.authorization ?? '').replace('Bearer ', '') || null,
  create: () => ({
    begin: () => [JSON.stringify({ type: 'ready' })],
    read: (message, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: message };
      return textFrame(message)['type'] === 'finish' ? { kind: 'finish' } : null;
    },
    partial: (spoken) => segment(spoken, false),
    final: (spoken) => segment(spoken, true),
    end: () => [JSON.stringify({ type: 'done' })],
    closesAfterEnd: true,
    idleMs: null,
  }),
};
