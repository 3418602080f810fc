import type { CaptionVersion } from '@rapporteur/meeting-platforms';
import { placeIn, textOf, tokensOf } from './caption-tokens.ts';
import type { CaptionToken } from './caption-tokens.ts';

/**
 * A stretch of one speaker's captions in their current version. Times are epoch ms of the speech, estimated from when
 * the text arrived.
 */
export interface CaptionSegment {
  readonly id: string;
  readonly participantId: string | null;
  readonly name: string | null;
  readonly text: string;
  readonly language: string | null;
  /** No continuation is expected; a correction may follow. */
  readonly isFinal: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

interface Part {
  readonly id: string;
  /** Index of its first token. */
  from: number;
  /** Spoken while nothing was recorded. */
  readonly isHidden: boolean;
  readonly startMs: number;
  endMs: number;
  /** The text last reported. */
  reported: string;
}

interface Utterance {
  tokens: readonly CaptionToken[];
  parts: Part[];
  grewAtMs: number;
  /** Speech of a pause cannot be separated from the rest any more. */
  isLost: boolean;
}

/** Estimated delay of a word after it is spoken, and its estimated duration. */
const lagMs = 600;
const wordMs = 300;
/** Captions of one speaker may grow for half an hour: times are only valid within a stretch without a break. */
const breakMs = 1_500;
const mostTokens = 80;
/** Words spoken in a pause may arrive this long after it. */
const pauseTailMs = 1_500;
const mostUtterances = 200;
const mostParts = 200;

/**
 * The captions of what was recorded. A later version of an utterance replaces the earlier one, also after a final one.
 * Speech during a pause is left out, although its utterance keeps growing; text that cannot be separated from it is
 * left out too.
 */
export class CaptionLog {
  readonly #utterances = new Map<string, Utterance>();
  #isRecording = false;
  #recordsFromMs = Infinity;

  recordingStarted(atMs: number): void {
    this.#isRecording = true;
    // Speech before the recording is not kept.
    this.#recordsFromMs = atMs + pauseTailMs;
  }

  recordingResumed(atMs: number): void {
    this.recordingStarted(atMs);
  }

  recordingPaused(): void {
    this.#isRecording = false;
  }

  /** What the version changes. */
  take(version: CaptionVersion): CaptionSegment[] {
    const tokens = tokensOf(version.text);
    const known = this.#utterances.get(version.key);
    const utterance = known ?? { tokens: [], parts: [], grewAtMs: version.atMs, isLost: false };
    this.#utterances.delete(version.key);
    this.#utterances.set(version.key, utterance);
    const [oldest] = this.#utterances.keys();
    if (this.#utterances.size > mostUtterances && oldest !== undefined) this.#utterances.delete(oldest);
    const isRecorded = this.#isRecording && version.atMs >= this.#recordsFromMs;
    if (utterance.isLost) return [];
    if (!place(utterance, tokens)) {
      utterance.isLost = !isRecorded;
      return [];
    }
    const isPlaced = continued(utterance, { tokens, version, isHidden: !isRecorded });
    return isPlaced && isRecorded ? changed(utterance, version) : [];
  }
}

/**
 * Moves the parts to their place in a later version. False: the place of a part is unknown and a hidden part exists.
 */
function place({ tokens: earlier, parts }: Utterance, later: readonly CaptionToken[]): boolean {
  const places = parts.map(({ from }) => placeIn(later, earlier, from));
  const isSecret = parts.some(({ isHidden }) => isHidden);
  if (isSecret && places.includes(null)) return false;
  let least = 0;
  for (const [index, part] of parts.entries()) {
    least = Math.max(least, Math.min(places[index] ?? part.from, later.length));
    part.from = least;
  }
  return true;
}

/** Begins another part where one is due. False: the place where it begins is unknown. */
function continued(
  utterance: Utterance,
  given: { readonly tokens: readonly CaptionToken[]; readonly version: CaptionVersion; readonly isHidden: boolean },
): boolean {
  const { tokens, version, isHidden } = given;
  const { atMs, key } = version;
  const last = utterance.parts.at(-1);
  const end = last === undefined ? 0 : placeIn(tokens, utterance.tokens, utterance.tokens.length);
  const mixes = last !== undefined && last.isHidden !== isHidden;
  // In a pause everything after the known text is hidden; after a pause nothing is kept until the end of that text is
  // found.
  if (end === null && !isHidden && last?.isHidden === true) return false;
  const from = Math.min(end ?? utterance.tokens.length, tokens.length);
  const grows = tokens.length > from;
  const isLong = last !== undefined && utterance.tokens.length - last.from >= mostTokens;
  const isDue = last === undefined || mixes || atMs - utterance.grewAtMs > breakMs || isLong;
  if (grows && isDue && utterance.parts.length < mostParts) {
    const startMs = Math.max(atMs - lagMs - wordMs, last?.endMs ?? 0);
    const id = `${key}#${utterance.parts.length + 1}`;
    utterance.parts.push({ id, from, isHidden, startMs, endMs: startMs, reported: '' });
  }
  const current = utterance.parts.at(-1);
  if (grows) {
    utterance.grewAtMs = atMs;
    if (current !== undefined) current.endMs = Math.max(current.endMs, atMs - lagMs);
  }
  utterance.tokens = tokens;
  return true;
}

function changed({ tokens, parts }: Utterance, version: CaptionVersion): CaptionSegment[] {
  const { participantId, name, language } = version;
  return parts.flatMap((part, index) => {
    if (part.isHidden) return [];
    const text = textOf(tokens.slice(part.from, parts[index + 1]?.from ?? tokens.length));
    const isFinal = version.isFinal || index < parts.length - 1;
    const reported = `${isFinal ? '.' : ' '}${name ?? ''}\n${text}`;
    if (reported === part.reported || (text === '' && part.reported === '')) return [];
    part.reported = reported;
    const { id, startMs, endMs } = part;
    return [{ id, participantId, name, text, language, isFinal, startMs, endMs }];
  });
}
