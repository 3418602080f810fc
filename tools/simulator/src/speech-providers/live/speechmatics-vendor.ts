import type { LiveAction, LiveVendorFactory, SpokenWords } from './live-vendor.ts';
import { refusedParameter } from '../vendor-rules.ts';
import { inSeconds, sure, textFrame, textOf, translated } from './live-vendor.ts';

function transcript({ words }: SpokenWords, message: string): string {
  const [startMs, endMs] = [words[0]?.startMs ?? 0, words.at(-1)?.endMs ?? 0];
  return JSON.stringify({
    message,
    format: '2.9',
    metadata: { start_time: inSeconds(startMs), end_time: inSeconds(endMs), transcript: textOf(words) },
    results: words.flatMap(({ text, startMs: from, endMs: until, speakerNumber, language }) => {
      const [, plain = text, mark = ''] = /^(.*?)([.,!?]*)$/.exec(text) ?? [];
      const entry = (type: string, content: string, start: number) => ({
        type,
        start_time: inSeconds(start),
        end_time: inSeconds(until),
        alternatives: [{ content, confidence: sure, speaker: `S${speakerNumber + 1}`, language: language ?? 'en' }],
      });
      return [
        entry('word', plain, from),
        ...(mark === '' ? [] : [{ ...entry('punctuation', mark, until), attaches_to: 'previous' }]),
      ];
    }),
  });
}

const refused = (type: string): LiveAction => ({
  kind: 'refuse',
  frames: [JSON.stringify({ message: 'Error', type, reason: 'A fault of the simulator.' })],
  code: 1_003,
});

export const speechmaticsVendor: LiveVendorFactory = {
  keyOf: (request) => (request.headers.authorization ?? '').replace(/^Bearer /, ''),
  create: () => {
    let frames = -1;
    let languages: readonly string[] = [];
    let spoken: unknown;
    const start = (body: Record<string, unknown>): LiveAction => {
      const config = body['translation_config'] as { target_languages?: string[] } | undefined;
      languages = config?.target_languages ?? [];
      const transcription = (body['transcription_config'] ?? {}) as Record<string, unknown>;
      spoken = transcription['language'];
      const problem = refusedParameter('speechmatics', 'live', transcription);
      if (problem !== null) return refused('invalid_config');
      if (typeof spoken !== 'string' || spoken === 'auto') return refused('invalid_language');
      frames = 0;
      return { kind: 'send', frames: [JSON.stringify({ message: 'RecognitionStarted', id: crypto.randomUUID() })] };
    };
    return {
      understands: (language) => language === spoken,
      begin: () => [],
      read: (message, isBinary) => {
        const body = isBinary ? {} : textFrame(message);
        if (body['message'] === 'StartRecognition') return start(body);
        if (frames < 0) return refused('protocol_error');
        if (isBinary) {
          frames += 1;
          return { kind: 'audio', pcm: message };
        }
        if (body['message'] !== 'EndOfStream') return refused('invalid_message');
        return body['last_seq_no'] === frames ? { kind: 'finish' } : refused('protocol_error');
      },
      partial: (spoken) => [transcript(spoken, 'AddPartialTranscript')],
      final: (spoken) => [
        transcript(spoken, 'AddTranscript'),
        ...languages.map((language) =>
          JSON.stringify({
            message: 'AddTranslation',
            language,
            results: [{ content: translated(language, spoken.words) }],
          }),
        ),
      ],
      end: () => [JSON.stringify({ message: 'EndOfTranscript' })],
      closesAfterEnd: true,
      idleMs: null,
    };
  },
};
