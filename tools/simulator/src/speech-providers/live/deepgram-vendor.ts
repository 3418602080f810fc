import type { LiveVendorFactory, SpokenWords } from './live-vendor.ts';
import { inSeconds, queryOf, sure, textFrame, textOf } from './live-vendor.ts';

function results({ words }: SpokenWords, isFinal: boolean): string {
  const startMs = words[0]?.startMs ?? 0;
  return JSON.stringify({
    type: 'Results',
    channel_index: [0, 1],
    start: inSeconds(startMs),
    duration: inSeconds((words.at(-1)?.endMs ?? 0) - startMs),
    is_final: isFinal,
    speech_final: isFinal,
    channel: {
      alternatives: [
        {
          transcript: textOf(words),
          confidence: sure,
          words: words.map(({ text, startMs: start, endMs, speakerNumber, language }) => ({
            word: text.toLowerCase(),
            punctuated_word: text,
            start: inSeconds(start),
            end: inSeconds(endMs),
            confidence: sure,
            speaker: speakerNumber,
            ...(language === undefined ? {} : { language }),
          })),
        },
      ],
    },
  });
}

export const deepgramVendor: LiveVendorFactory = {
  keyOf: (request) => (request.headers.authorization ?? '').replace(/^Token /, ''),
  create: (request) => ({
    understands: (language) => ['multi', language].includes(queryOf(request).get('language') ?? 'en'),
    begin: () => [],
    read: (message, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: message };
      const { type } = textFrame(message);
      if (type === 'CloseStream') return { kind: 'finish' };
      return type === 'Finalize' ? { kind: 'commit' } : null;
    },
    partial: (spoken) => [results(spoken, false)],
    final: (spoken) => [results(spoken, true)],
    end: (receivedMs) => [JSON.stringify({ type: 'Metadata', duration: inSeconds(receivedMs), channels: 1 })],
    closesAfterEnd: true,
    idleMs: 10_000,
  }),
};
