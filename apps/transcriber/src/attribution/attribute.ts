import type { Transcript, TranscriptUtterance, TranscriptWord } from '@rapporteur/speech-to-text';
import { meanConfidence } from '@rapporteur/speech-to-text';
import type { PartParticipant } from '../schema/rows.ts';
import { overlapMs } from './speaker-timeline.ts';
import type { SpeakerTurn } from './speaker-timeline.ts';

export const unknownSpeaker = 'unknown';

/** An utterance of one speaker, with how sure it is that they said it. */
export interface AttributedUtterance extends Omit<TranscriptUtterance, 'speaker'> {
  readonly speaker: string;
  /** As in the bot's participants; null for a speaker who is not among them. */
  readonly speakerId: number | null;
  /** 0 to 1; null for `unknown`. */
  readonly speakerConfidence: number | null;
}

export interface TranscribedPart {
  /** Whose audio it is; null: of the whole meeting. */
  readonly participant: PartParticipant | null;
  readonly transcript: Transcript;
}

export interface AttributionFacts {
  readonly timeline: readonly SpeakerTurn[];
  readonly participants: readonly { readonly id: number | null; readonly name: string }[];
}

/** The utterances of all parts in the order in which they begin. Overlapping speech stays with each of its speakers. */
export function attribute(parts: readonly TranscribedPart[], facts: AttributionFacts): AttributedUtterance[] {
  return parts
    .flatMap((part) =>
      part.participant === null ? byTimeline(part.transcript, facts) : byTrack(part, part.participant),
    )
    .toSorted((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
}

function byTrack({ transcript }: TranscribedPart, { id, name }: PartParticipant): AttributedUtterance[] {
  return transcript.utterances.map((utterance) => ({
    ...utterance,
    speaker: name,
    speakerId: id,
    speakerConfidence: 1,
  }));
}

interface Attribution {
  readonly speaker: string;
  readonly confidence: number | null;
}

/** Words are late or early against the platform's speaker signals by up to this much. */
const toleranceMs = 400;
/** A word within the tolerance of a turn only is attributed with this confidence. */
const nearbyConfidence = 0.5;

function byTimeline(transcript: Transcript, { timeline, participants }: AttributionFacts): AttributedUtterance[] {
  const index = new TurnIndex(timeline);
  const labels = speakersOfLabels(transcript, index);
  return transcript.utterances.flatMap((utterance) => {
    const label = utterance.speaker === null ? null : (labels.get(utterance.speaker) ?? null);
    const words = utterance.words.length > 0 ? utterance.words : [wholeUtterance(utterance)];
    return split(words.map((word) => ({ word, by: attributeWord(word, index, label) }))).map(({ by, own }) => {
      const isWhole = own.length === words.length;
      const speakerId = participants.find(({ name }) => name === by)?.id ?? null;
      return {
        ...utterance,
        text: isWhole ? utterance.text : own.map(({ word }) => word.text).join(' '),
        startMs: isWhole ? utterance.startMs : (own[0]?.word.startMs ?? utterance.startMs),
        endMs: isWhole ? utterance.endMs : (own.at(-1)?.word.endMs ?? utterance.endMs),
        confidence: isWhole ? utterance.confidence : meanConfidence(own.map(({ word }) => word)),
        words: utterance.words.length > 0 ? own.map(({ word }) => word) : [],
        speaker: by,
        speakerId,
        speakerConfidence: meanConfidence(own.map((one) => ({ confidence: one.by.confidence }))),
      };
    });
  });
}

function wholeUtterance({ text, startMs, endMs, confidence }: TranscriptUtterance): TranscriptWord {
  return { text, startMs, endMs, confidence };
}

/** Whom a provider's label stands for: who speaks during most of its words. */
function speakersOfLabels(transcript: Transcript, index: TurnIndex): Map<string, string> {
  const shared = new Map<string, Map<string, number>>();
  for (const { speaker: label, words } of transcript.utterances) {
    if (label === null) continue;
    const counts = shared.get(label) ?? new Map<string, number>();
    shared.set(label, counts);
    for (const word of words)
      for (const turn of index.near(word)) {
        counts.set(turn.speaker, (counts.get(turn.speaker) ?? 0) + overlapMs(word, turn));
      }
  }
  const best = [...shared].flatMap(([label, counts]) => {
    const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
    return first === undefined || first[1] === 0 ? [] : [[label, first[0]] as const];
  });
  return new Map(best);
}

/** @param label whom the provider's own speaker label stands for, if it gave one */
function attributeWord(word: TranscriptWord, index: TurnIndex, label: string | null): Attribution {
  const lengthMs = Math.max(1, word.endMs - word.startMs);
  const shares = new Map<string, number>();
  let isNear: string | null = null;
  for (const turn of index.near(word)) {
    const shared = overlapMs(word, turn);
    if (shared > 0) shares.set(turn.speaker, Math.min(1, (shares.get(turn.speaker) ?? 0) + shared / lengthMs));
    else isNear ??= turn.speaker;
  }
  const [best] = [...shares].toSorted(([, one], [, other]) => other - one);
  // Several speak at once: the provider heard which of them it was.
  const labelled = label === null ? undefined : shares.get(label);
  if (label !== null && labelled !== undefined) return { speaker: label, confidence: round(labelled) };
  if (best !== undefined) return { speaker: best[0], confidence: round(best[1] / (shares.size > 1 ? 2 : 1)) };
  const near = isNear ?? label;
  return near === null
    ? { speaker: unknownSpeaker, confidence: null }
    : { speaker: near, confidence: nearbyConfidence };
}

interface AttributedWord {
  readonly word: TranscriptWord;
  readonly by: Attribution;
}

/** Consecutive words of one speaker. */
function split(words: readonly AttributedWord[]): { readonly by: string; readonly own: AttributedWord[] }[] {
  const groups: { by: string; own: AttributedWord[] }[] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last !== undefined && last.by === word.by.speaker) last.own.push(word);
    else groups.push({ by: word.by.speaker, own: [word] });
  }
  return groups;
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}

const bucketMs = 10_000;

/** Turns by ten seconds, so that a word is compared with few of them. */
class TurnIndex {
  readonly #buckets = new Map<number, SpeakerTurn[]>();

  constructor(timeline: readonly SpeakerTurn[]) {
    for (const turn of timeline) {
      for (
        let bucket = bucketOf(turn.startMs - toleranceMs);
        bucket <= bucketOf(turn.endMs + toleranceMs);
        bucket += 1
      ) {
        const turns = this.#buckets.get(bucket);
        if (turns === undefined) this.#buckets.set(bucket, [turn]);
        else turns.push(turn);
      }
    }
  }

  /** Turns that the word touches or is near to. */
  near({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): SpeakerTurn[] {
    const found = new Set<SpeakerTurn>();
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
