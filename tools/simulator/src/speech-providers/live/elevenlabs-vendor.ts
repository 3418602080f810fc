import type { LiveVendorFactory } from './live-vendor.ts';
import { inSeconds, textFrame, textOf } from './live-vendor.ts';

export const elevenlabsVendor: LiveVendorFactory = {
  keyOf: (request) => String(request.headers['xi-api-key'] ?? ''),
  create: (request) => ({
    begin: () => [
      JSON.stringify({
        message_type: 'session_started',
        session_id: crypto.randomUUID(),
        config: { url: request.url },
      }),
    ],
    read: (message) => {
      const { message_type, audio_base_64, commit } = textFrame(message);
      if (message_type !== 'input_audio_chunk' || typeof audio_base_64 !== 'string') {
        return { kind: 'refuse', frames: [JSON.stringify({ message_type: 'input_error' })], code: 1_008 };
      }
      // A commit without audio is what this service ends with.
      if (commit === true && audio_base_64 === '') return { kind: 'finish' };
      return { kind: 'audio', pcm: Buffer.from(audio_base_64, 'base64') };
    },
    partial: ({ words }) => [JSON.stringify({ message_type: 'partial_transcript', text: textOf(words) })],
    final: ({ words }) => [
      JSON.stringify({ message_type: 'committed_transcript', text: textOf(words) }),
      JSON.stringify({
        message_type: 'committed_transcript_with_timestamps',
        text: textOf(words),
        language_code: words[0]?.language ?? 'en',
        words: words.flatMap(({ text, startMs, endMs }, index) => {
          const word = { text, start: inSeconds(startMs), end: inSeconds(endMs), type: 'word', logprob: -0.02 };
          const spacing = { text: ' ', start: word.start, end: word.start, type: 'spacing', logprob: 0 };
          return index === 0 ? [word] : [spacing, word];
        }),
      }),
    ],
    end: () => [
      JSON.stringify({ message_type: 'committed_transcript', text: '' }),
      JSON.stringify({
        message_type: 'committed_transcript_with_timestamps',
        text: '',
        language_code: 'en',
        words: [],
      }),
    ],
    closesAfterEnd: false,
    idleMs: null,
  }),
};
