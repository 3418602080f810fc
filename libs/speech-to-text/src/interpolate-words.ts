import { isUnspaced, textOfWords } from './transcript.ts';
import type { Transcript, TranscriptUtterance, TranscriptWord } from './transcript.ts';

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Distributes the words of a text over its time, in proportion to their characters. Marks them as not measured. */
export function interpolateWords(
  text: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): TranscriptWord[] {
  const words = text.split(/\s+/).flatMap(wordsOfRun);
  const total = words.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  const timeOf = (characters: number): number => Math.round(startMs + ((endMs - startMs) * characters) / (total || 1));
  return words.map((word) => {
    const from = timeOf(before);
    before += word.length;
    return { text: word, startMs: from, endMs: timeOf(before), confidence: null, interpolated: true };
  });
}

const hasLetter = /[\p{L}\p{N}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words between two blanks: in a script without blanks several, each with the punctuation behind it. */
function wordsOfRun(run: string): string[] {
  if (run === '') return [];
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    const last = words.at(-1);
    const begins = isWordLike === true && isUnspaced(segment) && last !== undefined && isUnspaced(last);
    if (last === undefined || (begins && hasLetter.test(last))) words.push(segment);
    else words[words.length - 1] = last + segment;
  }
  return words;
}

/** The utterance of a provider that gives nothing but a text; none without words. */
export function utterancesOfText(
  text: string,
  durationMs: number | null,
  language: string | null = null,
): TranscriptUtterance[] {
  const span = { startMs: 0, endMs: durationMs ?? 0 };
  const words = interpolateWords(text, span);
  const labels = { confidence: null, language, channel: 0, speaker: null };
  return words.length === 0 ? [] : [{ text: text.trim(), ...span, ...labels, words }];
}

/** Speech of all speakers, in order and without overlaps. */
export function speechSpans(turns: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { startMs, endMs } of turns.toSorted((one, other) => one.startMs - other.startMs)) {
    const last = spans.at(-1);
    if (last !== undefined && startMs <= last.endMs)
      spans[spans.length - 1] = { ...last, endMs: Math.max(last.endMs, endMs) };
    else spans.push({ startMs, endMs });
  }
  return spans;
}

/**
 * The transcript of a provider that gives a text without times: its words are spread over the speech in the audio,
 * without a known one over its duration. Another transcript is unchanged.
 */
export function spreadOverSpeech(transcript: Transcript, speech: readonly Span[], durationMs: number): Transcript {
  const [only, ...others] = transcript.utterances;
  const isTextOnly = only?.startMs === 0 && only.words.every(({ interpolated }) => interpolated === true);
  if (only === undefined || others.length > 0 || !isTextOnly) return transcript;
  const spans = speech.length > 0 ? speechSpans(speech) : [{ startMs: 0, endMs: transcript.durationMs ?? durationMs }];
  const spokenMs = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  // On a time line of the speech alone, which is then placed into the audio.
  const words = interpolateWords(only.text, { startMs: 0, endMs: spokenMs });
  let before = 0;
  let next = 0;
  const utterances = spans.flatMap(({ startMs, endMs }, index) => {
    const offsetMs = startMs - before;
    before += endMs - startMs;
    const from = next;
    while (next < words.length && (index === spans.length - 1 || middleOf(words[next]) < before)) next += 1;
    const own = words.slice(from, next).map((word) => ({
      ...word,
      startMs: Math.max(startMs, word.startMs + offsetMs),
      endMs: Math.min(endMs, word.endMs + offsetMs),
    }));
    const text = textOfWords(own);
    return own.length === 0 ? [] : [{ ...only, text, startMs, endMs, words: own }];
  });
  return { ...transcript, utterances };
}

const middleOf = (word: TranscriptWord | undefined): number => ((word?.startMs ?? 0) + (word?.endMs ?? 0)) / 2;

/** Fewer equal utterances in a row are said by participants, too. */
const fewestOfLoop = 3;
const loopToleranceMs = 500;

/** Without the loops of an engine: the same utterance again and again while no participant spoke. */
export function withoutLoops(transcript: Transcript, speech: readonly Span[]): Transcript {
  if (speech.length === 0) return transcript;
  const spans = speechSpans(speech);
  const isSaid = ({ startMs, endMs }: Span): boolean =>
    spans.some((one) => one.startMs - loopToleranceMs < endMs && one.endMs + loopToleranceMs > startMs);
  const loops: TranscriptUtterance[][] = [];
  for (const one of transcript.utterances) {
    const loop = loops.at(-1);
    if (loop?.[0]?.text === one.text && !isSaid(one)) loop.push(one);
    else loops.push([one]);
  }
  const isLoop = (loop: readonly TranscriptUtterance[]): boolean => loop.length >= fewestOfLoop;
  const utterances = loops.flatMap((loop) => (isLoop(loop) ? loop.filter(isSaid) : loop));
  return { ...transcript, utterances };
}

/** The same transcript, of audio that begins later in the recording. */
export function shiftTranscript(transcript: Transcript, byMs: number): Transcript {
  const shifted = <T extends Span>(one: T): T => ({ ...one, startMs: one.startMs + byMs, endMs: one.endMs + byMs });
  const utterances = transcript.utterances.map((one) => ({ ...shifted(one), words: one.words.map(shifted) }));
  return { ...transcript, utterances };
}
