import { clockOf } from '../elements/time.tsx';

/** A span of one speaker, in seconds of the recording. */
export interface SpeakerSpan {
  readonly speaker: string;
  /** Id in the bot's participants; null: not identified. */
  readonly speakerId?: number | null;
  readonly start: number;
  readonly end: number;
}

export interface SpokenWord {
  readonly text: string;
  readonly start: number;
}

export interface Utterance extends SpeakerSpan {
  /** The name in the meeting of a renamed speaker. */
  readonly originalSpeaker?: string | null;
  readonly text: string;
  /** Sorted by their start; empty where the provider gave none. */
  readonly words: readonly SpokenWord[];
}

export interface ChatMessage {
  readonly id: string;
  readonly sender: string;
  readonly text: string;
  readonly sentAt: string | null;
}

const unknownSpeaker = 'Unknown speaker';

/** The artifact `diarization`: JSON Lines. Lines that are not spans are left out. */
export function parseDiarization(text: string): SpeakerSpan[] {
  return text.split('\n').flatMap((line) => {
    const span = recordOf(parse(line));
    const [start, end] = [numberOf(span['start_time']), numberOf(span['end_time'])];
    if (start === null || end === null || end < start) return [];
    return [
      { speaker: textOf(span['speaker']) ?? unknownSpeaker, speakerId: numberOf(span['speaker_id']), start, end },
    ];
  });
}

/** The artifact `transcription`. Entries without text or time are left out. */
export function parseTranscript(text: string): Utterance[] {
  const { utterances } = recordOf(recordOf(parse(text))['result']);
  return listOf(utterances).flatMap((entry) => {
    const utterance = recordOf(entry);
    const [start, end, said] = [numberOf(utterance['start']), numberOf(utterance['end']), textOf(utterance['text'])];
    if (start === null || end === null || said === null) return [];
    const words = wordsOf(utterance['words']);
    const speaker = textOf(utterance['speaker']) ?? unknownSpeaker;
    const originalSpeaker = textOf(utterance['original_speaker']);
    return [{ speaker, speakerId: numberOf(utterance['speaker_id']), originalSpeaker, start, end, text: said, words }];
  });
}

/** Each speaker once, with a label that no other one has, in the order of their first words. */
export function speakersOf(utterances: readonly Utterance[]) {
  const inMeeting = ({ speaker, originalSpeaker }: Utterance): string => originalSpeaker ?? speaker;
  const speakers = [...Map.groupBy(utterances, (one) => JSON.stringify([inMeeting(one), one.speakerId])).values()];
  const first = speakers.flatMap(([one]) => one ?? []);
  return first.map((one) => {
    const { speaker, speakerId = null } = one;
    const name = inMeeting(one);
    const label = speaker === name ? speaker : `${speaker} (in the meeting: ${name})`;
    const isOneOfSeveral = first.filter((other) => inMeeting(other) === name).length > 1;
    return { name, speakerId, label: isOneOfSeveral ? `${label}, participant ${speakerId ?? '?'}` : label };
  });
}

function wordsOf(value: unknown): SpokenWord[] {
  const words = listOf(value).flatMap((entry) => {
    const word = recordOf(entry);
    const [text, start] = [textOf(word['word']), numberOf(word['start'])];
    return text === null || start === null ? [] : [{ text: text.trim(), start }];
  });
  return words.toSorted((one, other) => one.start - other.start);
}

/** The artifact `chat_messages`. */
export function parseChat(text: string): ChatMessage[] {
  return listOf(parse(text)).flatMap((entry, index) => {
    const message = recordOf(entry);
    const said = textOf(message['text']);
    if (said === null) return [];
    return [
      {
        id: textOf(message['message_id']) ?? String(index),
        sender: textOf(message['sender_name']) ?? 'Unknown sender',
        text: said,
        sentAt: dateOf(message['timestamp']),
      },
    ];
  });
}

/**
 * The artifact `participants_file`: when each was in the meeting, by the id of the participant. Entries without an id or
 * a time are left out.
 */
export function parsePresence(text: string): Map<number, Span[]> {
  const spans = listOf(parse(text)).flatMap((entry) => {
    const { id, present } = recordOf(entry);
    const who = numberOf(id);
    return listOf(present).flatMap((span) => {
      const { start_time: from, end_time: to } = recordOf(span);
      const [start, end] = [numberOf(from), numberOf(to)];
      return who === null || start === null || end === null ? [] : [{ who, start, end }];
    });
  });
  return new Map([...Map.groupBy(spans, ({ who }) => who)].map(([who, own]) => [who, own.slice(0, mostSpans)]));
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a recording lacks, in seconds of the recording. */
export interface Losses {
  readonly gaps: readonly Span[];
  /** The page showed a video that is not recorded. */
  readonly video: readonly Span[];
}

export const noLosses: Losses = { gaps: [], video: [] };

/** The artifact `integrity`: its first thousand gaps, and of its missing video. */
export function parseLosses(text: string): Losses {
  const { gaps, videoMissing } = recordOf(parse(text));
  const spansOf = (value: unknown): Span[] =>
    listOf(value)
      .slice(0, 1_000)
      .flatMap((entry) => {
        const { startMs, endMs } = recordOf(entry);
        const [start, end] = [numberOf(startMs), numberOf(endMs)];
        return start === null || end === null || end <= start ? [] : [{ start: start / 1_000, end: end / 1_000 }];
      });
  return { gaps: spansOf(gaps), video: spansOf(videoMissing) };
}

/** A participant is taken to have stayed where only the bot was away: tolerance of its return, in seconds. */
const returnSeconds = 5;

/** Spans of presence, joined where the recording has a gap between them. */
export function joinedAcross(spans: readonly Span[], gaps: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const wasAway = (gap: Span): boolean =>
      last !== undefined && Math.abs(gap.start - last.end) <= returnSeconds && span.start - gap.end <= returnSeconds;
    if (last !== undefined && gaps.some(wasAway)) joined.splice(-1, 1, { start: last.start, end: span.end });
    else joined.push(span);
  }
  return joined;
}

/** The transcript as text, a line for each utterance. */
export function textOfTranscript(utterances: readonly Utterance[]): string {
  return utterances.map(({ start, speaker, text }) => `[${clockOf(start)}] ${speaker}: ${text}\n`).join('');
}

/** Where the next speech begins, when this second is in a silence of more than two seconds; null: it is not. */
export function endOfSilence(spans: readonly Span[], second: number): number | null {
  if (spans.some(({ start, end }) => start - 1 <= second && second < end + 1)) return null;
  const next = Math.min(...spans.map(({ start }) => start).filter((start) => start > second));
  return Number.isFinite(next) && next - second > 2 ? next - 0.5 : null;
}

/** More spans of one participant are not useful to a reader. */
const mostSpans = 10;

export interface SpeakerRow {
  readonly speaker: string;
  readonly speakerId?: number | null;
  readonly spans: readonly SpeakerSpan[];
  readonly seconds: number;
}

/** A row for each speaker, ordered by first speech. */
export function speakerRows(spans: readonly SpeakerSpan[]): SpeakerRow[] {
  const bySpeaker = Map.groupBy(spans, ({ speaker, speakerId }) => speakerId ?? speaker);
  return [...bySpeaker.values()].map((own) => ({
    speaker: own[0]?.speaker ?? unknownSpeaker,
    speakerId: own[0]?.speakerId ?? null,
    spans: own,
    seconds: own.reduce((sum, { start, end }) => sum + end - start, 0),
  }));
}

/** A player cuts the second that it is set to down to whole microseconds: 1.005 becomes 1.004999. */
const playerErrorSeconds = 1e-5;

/** Index of the last entry that has begun at this second; -1 before the first. `entries` are sorted by their start. */
export function entryAt(entries: readonly { readonly start: number }[], second: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.start ?? Infinity) <= second + playerErrorSeconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function dateOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && !Number.isNaN(Date.parse(text)) ? text : null;
}
