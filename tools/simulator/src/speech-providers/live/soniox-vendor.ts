import type { LiveVendorFactory, SpokenWords } from './live-vendor.ts';
import { refusedParameter } from '../vendor-rules.ts';
import { sure, textFrame, translated } from './live-vendor.ts';
import { expiredKey } from '../provider-jobs.ts';

function tokens({ words }: SpokenWords, isFinal: boolean) {
  return words.flatMap(({ text, startMs, endMs, speakerNumber, language }) => {
    const middle = text.length > 6 ? 4 : text.length;
    const cut = Math.round(startMs + ((endMs - startMs) * middle) / text.length);
    const token = (part: string, start_ms: number, end_ms: number) => ({
      text: part,
      start_ms,
      end_ms,
      confidence: sure,
      is_final: isFinal,
      speaker: String(speakerNumber + 1),
      language: language ?? 'en',
    });
    const first = token(` ${text.slice(0, middle)}`, startMs, cut);
    return middle === text.length ? [first] : [first, token(text.slice(middle), cut, endMs)];
  });
}

const response = (list: readonly object[], more: object = {}): string =>
  JSON.stringify({ tokens: list, final_audio_proc_ms: 0, total_audio_proc_ms: 0, ...more });

export const sonioxVendor: LiveVendorFactory = {
  keyOf: () => null,
  create: () => {
    let isConfigured = false;
    let language: string | null = null;
    const configure = (message: Buffer) => {
      const given = textFrame(message);
      const { api_key, audio_format, translation } = given;
      isConfigured = audio_format === 'pcm_s16le' && refusedParameter('soniox', 'live', given) === null;
      language = (translation as { target_language?: string } | undefined)?.target_language ?? null;
      if (typeof api_key === 'string' && api_key !== '' && api_key !== expiredKey && isConfigured) return null;
      const status = isConfigured ? 401 : 400;
      const frames = [JSON.stringify({ error_code: status, error_message: 'The request is refused.' })];
      return { kind: 'refuse', frames, code: 1_000 } as const;
    };
    return {
      begin: () => [],
      read: (message, isBinary) => {
        if (!isConfigured) return configure(message);
        if (message.byteLength === 0) return { kind: 'finish' };
        if (isBinary) return { kind: 'audio', pcm: message };
        return textFrame(message)['type'] === 'finalize' ? { kind: 'commit' } : null;
      },
      partial: (spoken) => [response(tokens(spoken, false))],
      final: (spoken) => {
        const more = { is_final: true, language, translation_status: 'translation', confidence: sure };
        const translation = language === null ? [] : [{ ...more, text: translated(language, spoken.words) }];
        return [response([...tokens(spoken, true), ...translation, { text: '<end>', is_final: true }])];
      },
      end: () => [response([], { finished: true })],
      closesAfterEnd: true,
      idleMs: 20_000,
    };
  },
};
