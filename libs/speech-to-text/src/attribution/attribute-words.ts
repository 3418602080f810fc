/** Span of one participant's speech, on the same time line as the words. */
export interface SpeechTurn {
  /** Identifies the speaker: equal for the turns of one speaker only. Never a display name, which several may have. */
  readonly speaker: string;
  readonly startMs: number;
  readonly endMs: number;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Attribution {
  /** Null: no participant is known to have spoken then. */
  readonly speaker: string | null;
  /** 0 to 1; null without a speaker. */
  readonly confidence: number | null;
}

/** Maximum deviation of words from the platform's speaker signals. */
const toleranceMs = 400;
/** Confidence of a word that is only within the tolerance of a turn. */
const nearbyConfidence = 0.5;

/** Milliseconds that two spans share. */
export function overlapMs(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs));
}

/** Maps a provider's speaker labels to participants: the one who speaks during most of a label's words. */
export class LabelSpeakers {
  readonly #shared = new Map<string, Map<string, number>>();

  note(label: string, word: Span, turns: TurnIndex): void {
    const counts = this.#shared.get(label) ?? new Map<string, number>();
    this.#shared.set(label, counts);
    for (const turn of turns.near(word)) {
      counts.set(turn.speaker, (counts.get(turn.speaker) ?? 0) + overlapMs(word, turn));
    }
  }

  /** Null while it is not known. */
  speakerOf(label: string | null): string | null {
    const counts = label === null ? undefined : this.#shared.get(label);
    const [best] = [...(counts ?? [])].toSorted(([, one], [, other]) => other - one);
    return best === undefined || best[1] === 0 ? null : best[0];
  }
}

/** @param labelled participant of the provider's own speaker label, if it gave one */
export function attributeWord(word: Span, turns: TurnIndex, labelled: string | null): Attribution {
  const lengthMs = Math.max(1, word.endMs - word.startMs);
  const shares = new Map<string, number>();
  let near: string | null = null;
  for (const turn of turns.near(word)) {
    const shared = overlapMs(word, turn);
    if (shared > 0) shares.set(turn.speaker, Math.min(1, (shares.get(turn.speaker) ?? 0) + shared / lengthMs));
    else near ??= turn.speaker;
  }
  const [best] = [...shares].toSorted(([, one], [, other]) => other - one);
  // Several participants speak at once: the provider's label decides.
  const share = labelled === null ? undefined : shares.get(labelled);
  if (labelled !== null && share !== undefined) return { speaker: labelled, confidence: round(share) };
  if (best !== undefined) return { speaker: best[0], confidence: round(best[1] / (shares.size > 1 ? 2 : 1)) };
  const guessed = near ?? labelled;
  return { speaker: guessed, confidence: guessed === null ? null : nearbyConfidence };
}

export interface AttributedWords<Word> {
  readonly speaker: string | null;
  readonly own: { readonly word: Word; readonly by: Attribution }[];
}

/** Consecutive words of one speaker. */
export function splitBySpeaker<Word>(
  words: readonly { readonly word: Word; readonly by: Attribution }[],
): AttributedWords<Word>[] {
  const groups: AttributedWords<Word>[] = [];
  for (const one of words) {
    const last = groups.at(-1);
    if (last !== undefined && last.speaker === one.by.speaker) last.own.push(one);
    else groups.push({ speaker: one.by.speaker, own: [one] });
  }
  return groups;
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}

const bucketMs = 10_000;

/** Turns indexed by ten seconds, so that a word is compared with few of them. */
export class TurnIndex {
  readonly #buckets = new Map<number, SpeechTurn[]>();

  constructor(turns: readonly SpeechTurn[]) {
    for (const turn of turns) {
      const last = bucketOf(turn.endMs + toleranceMs);
      for (let bucket = bucketOf(turn.startMs - toleranceMs); bucket <= last; bucket += 1) {
        const known = this.#buckets.get(bucket);
        if (known === undefined) this.#buckets.set(bucket, [turn]);
        else known.push(turn);
      }
    }
  }

  /** Turns that the word touches or is near. */
  near({ startMs, endMs }: Span): SpeechTurn[] {
    const found = new Set<SpeechTurn>();
    for (let bucket = bucketOf(startMs); bucket <= bucketOf(endMs); bucket += 1) {
      for (const turn of this.#buckets.get(bucket) ?? []) {
        if (turn.startMs - toleranceMs < endMs && turn.endMs + toleranceMs > startMs) found.add(turn);
      }
    }
    return [...found];
  }
}

function bucketOf(ms: number): number {
  return Math.floor(ms / bucketMs);
}
