import type { SimulatedJob } from './provider-jobs.ts';
import type { SpeechTruth, TruthWord } from './speech-truth.ts';

const sure = 0.98;
const languageOf = (word: TruthWord | undefined): string => word?.language ?? 'en';
const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const inSeconds = (ms: number): number => ms / 1_000;

/** Sentences of one speaker, as a provider with diarization cuts them. */
function turnsOf(words: readonly TruthWord[]): TruthWord[][] {
  const turns: TruthWord[][] = [];
  for (const word of words) {
    const last = turns.at(-1)?.at(-1);
    if (last !== undefined && last.speaker === word.speaker && word.startMs - last.endMs < 1_000)
      turns.at(-1)?.push(word);
    else turns.push([word]);
  }
  return turns;
}

/** Providers number speakers in order of first speech. */
export function speakerNumbers({ words }: SpeechTruth): ReadonlyMap<string | null, number> {
  return new Map([...new Set(words.map(({ speaker }) => speaker))].map((speaker, index) => [speaker, index]));
}

const textOf = (words: readonly TruthWord[]): string => words.map(({ text }) => text).join(' ');

export function gladiaDocument({ truth, id }: SimulatedJob) {
  const numbers = speakerNumbers(truth);
  const duration = inSeconds(truth.durationMs);
  return {
    id,
    status: 'done',
    result: {
      metadata: {
        audio_duration: duration,
        number_of_distinct_channels: 1,
        billing_time: duration,
        transcription_time: 0.5,
      },
      transcription: {
        full_transcript: textOf(truth.words),
        languages: [...new Set(truth.words.map(languageOf))],
        utterances: turnsOf(truth.words).map((words) => ({
          text: textOf(words),
          language: languageOf(words[0]),
          start: inSeconds(words[0]?.startMs ?? 0),
          end: inSeconds(words.at(-1)?.endMs ?? 0),
          confidence: sure,
          channel: 0,
          speaker: numbers.get(words[0]?.speaker ?? null) ?? 0,
          words: words.map(({ text, startMs, endMs }) => ({
            word: ` ${text}`,
            start: inSeconds(startMs),
            end: inSeconds(endMs),
            confidence: sure,
          })),
        })),
      },
    },
  };
}

export function deepgramDocument(id: string, truth: SpeechTruth) {
  const numbers = speakerNumbers(truth);
  return {
    metadata: { request_id: id, duration: inSeconds(truth.durationMs), channels: 1 },
    results: {
      channels: [
        {
          detected_language: languageOf(truth.words[0]),
          alternatives: [
            {
              transcript: textOf(truth.words),
              confidence: sure,
              words: truth.words.map(({ text, startMs, endMs, speaker }) => ({
                word: text.toLowerCase(),
                punctuated_word: text,
                start: inSeconds(startMs),
                end: inSeconds(endMs),
                confidence: sure,
                speaker: numbers.get(speaker) ?? 0,
              })),
            },
          ],
        },
      ],
    },
  };
}

export function assemblyaiDocument({ truth, id, upload }: SimulatedJob) {
  const numbers = speakerNumbers(truth);
  const labelOf = (speaker: string | null): string => String.fromCharCode(65 + (numbers.get(speaker) ?? 0));
  const word = ({ text, startMs, endMs, speaker }: TruthWord) => ({
    text,
    start: startMs,
    end: endMs,
    confidence: sure,
    speaker: labelOf(speaker),
  });
  return {
    id,
    status: 'completed',
    audio_url: upload,
    language_code: languageOf(truth.words[0]).replace(/^en$/, 'en_us'),
    audio_duration: Math.ceil(inSeconds(truth.durationMs)),
    text: textOf(truth.words),
    words: truth.words.map(word),
    utterances: turnsOf(truth.words).map((words) => ({
      speaker: labelOf(words[0]?.speaker ?? null),
      text: textOf(words),
      start: words[0]?.startMs ?? 0,
      end: words.at(-1)?.endMs ?? 0,
      confidence: sure,
      words: words.map(word),
    })),
  };
}

export function speechmaticsDocument({ truth, id }: SimulatedJob) {
  const numbers = speakerNumbers(truth);
  return {
    format: '2.9',
    job: { id, duration: inSeconds(truth.durationMs), created_at: new Date(0).toISOString() },
    metadata: { type: 'transcription' },
    results: truth.words.flatMap((word) => {
      const { text, startMs, endMs, speaker } = word;
      const label = speaker === null ? 'UU' : `S${(numbers.get(speaker) ?? 0) + 1}`;
      const [, plain = text, mark] = /^(.*?)([.,!?]*)$/.exec(text) ?? [];
      const times = { start_time: inSeconds(startMs), end_time: inSeconds(endMs) };
      const entry = (type: string, content: string) => ({
        type,
        ...times,
        alternatives: [{ content, confidence: sure, speaker: label, language: languageOf(word) }],
      });
      const punctuation = { ...entry('punctuation', mark ?? ''), attaches_to: 'previous', start_time: times.end_time };
      return [entry('word', plain), ...(mark === undefined || mark === '' ? [] : [punctuation])];
    }),
  };
}

/** Sub-word tokens: long words are split in two. */
export function sonioxTokens(truth: SpeechTruth) {
  const numbers = speakerNumbers(truth);
  return truth.words.flatMap((word) => {
    const { text, startMs, endMs, speaker } = word;
    const middle = text.length > 6 ? 4 : text.length;
    const cut = Math.round(startMs + ((endMs - startMs) * middle) / text.length);
    const token = (part: string, start: number, end: number) => ({
      text: part,
      start_ms: start,
      end_ms: end,
      confidence: sure,
      speaker: String((numbers.get(speaker) ?? 0) + 1),
      language: languageOf(word),
    });
    const first = token(` ${text.slice(0, middle)}`, startMs, cut);
    return middle === text.length ? [first] : [first, token(text.slice(middle), cut, endMs)];
  });
}

export function openaiDocument(truth: SpeechTruth) {
  const times = ({ startMs, endMs }: { startMs: number; endMs: number }) => ({
    start: inSeconds(startMs),
    end: inSeconds(endMs),
  });
  return {
    task: 'transcribe',
    language: languageNames.of(languageOf(truth.words[0]))?.toLowerCase(),
    duration: inSeconds(truth.durationMs),
    text: textOf(truth.words),
    segments: turnsOf(truth.words).map((words, id) => ({
      id,
      text: ` ${textOf(words)}`,
      ...times({ startMs: words[0]?.startMs ?? 0, endMs: words.at(-1)?.endMs ?? 0 }),
    })),
    words: truth.words.map((word) => ({ word: word.text, ...times(word) })),
  };
}
