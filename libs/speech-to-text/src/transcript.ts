/** All times are whole milliseconds from the beginning of the audio. */
export interface TranscriptWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 1; null where the provider gives none. */
  readonly confidence: number | null;
  /** Its time is an estimate from that of the utterance. */
  readonly interpolated?: true;
}

export interface TranscriptUtterance {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly confidence: number | null;
  readonly language: string | null;
  readonly channel: number;
  /** The provider's own label, unique within one transcript only. */
  readonly speaker: string | null;
  /** The speaker, where the source itself names participants. */
  readonly participant?: {
    readonly id: number | null;
    readonly name: string;
    /** The participants of that name, where the source does not distinguish them. */
    readonly candidates?: readonly number[];
  };
  readonly words: readonly TranscriptWord[];
}

/** The result of one provider for one audio file. */
export interface Transcript {
  readonly durationMs: number | null;
  /** Duration that the provider charges for, as it reports. */
  readonly billedMs: number | null;
  readonly languages: readonly string[];
  readonly utterances: readonly TranscriptUtterance[];
  /** The provider's own document. */
  readonly raw: unknown;
}

/** A word with what utterances are built of. */
export interface LabelledWord extends TranscriptWord {
  readonly speaker: string | null;
  readonly language: string | null;
  readonly channel: number;
}

/** Letters and signs of scripts that are written without a blank between words. Hangul has blanks. */
const unspaced = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u3000-\u303f\u30fc\uff00-\uffef`;
const endsUnspaced = new RegExp(`[${unspaced}]\\p{M}*$`, 'u');
const beginsUnspaced = new RegExp(`^[${unspaced}]`, 'u');

/** True for text of a script that is written without a blank between words. */
export const isUnspaced = (text: string): boolean => beginsUnspaced.test(text);

/** The text of words, joined as their scripts are written. */
export function textOfWords(words: readonly { readonly text: string }[]): string {
  return words.reduce((said, { text }, index) => {
    const last = words[index - 1]?.text ?? '';
    // A word ends with few marks: the rest of a long one is not read.
    const joins = index === 0 || (endsUnspaced.test(last.slice(-8)) && beginsUnspaced.test(text));
    return joins ? said + text : `${said} ${text}`;
  }, '');
}

export const longestPauseMs = 1_500;

/** Groups words of one speaker, until they pause or end a sentence after some seconds. */
export function utterancesOf(words: readonly LabelledWord[]): TranscriptUtterance[] {
  const groups: LabelledWord[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && continues(last, word)) group.push(word);
    else groups.push([word]);
  }
  return groups.map(utteranceOf);
}

function continues(last: LabelledWord, word: LabelledWord): boolean {
  return (
    last.speaker === word.speaker &&
    last.channel === word.channel &&
    last.language === word.language &&
    word.startMs - last.endMs < longestPauseMs &&
    !/[.!?。！？]$/.test(last.text)
  );
}

function utteranceOf(words: readonly LabelledWord[]): TranscriptUtterance {
  const [first] = words;
  return {
    text: textOfWords(words),
    startMs: first?.startMs ?? 0,
    endMs: Math.max(...words.map(({ endMs }) => endMs)),
    confidence: meanConfidence(words),
    language: first?.language ?? null,
    channel: first?.channel ?? 0,
    speaker: first?.speaker ?? null,
    words: words.map(({ speaker: _speaker, language: _language, channel: _channel, ...word }) => word),
  };
}

/** Null when no word has one. */
export function meanConfidence(words: readonly { readonly confidence: number | null }[]): number | null {
  const known = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  if (known.length === 0) return null;
  return Math.round((known.reduce((sum, one) => sum + one, 0) / known.length) * 10_000) / 10_000;
}

/** The languages of utterances, each once, in order of first use. */
export function languagesOf(utterances: readonly { readonly language: string | null }[]): string[] {
  return [...new Set(utterances.flatMap(({ language }) => (language === null ? [] : [language])))];
}

/** The transcript of audio without speech. */
export function emptyTranscript(reason: string): Transcript {
  return { durationMs: null, billedMs: null, languages: [], utterances: [], raw: { no_speech: reason } };
}
