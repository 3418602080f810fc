import type { SpeakerTurn, SessionSignal } from '@rapporteur/meeting-platforms';
import { attributeWord, LabelSpeakers, meanConfidence, splitBySpeaker, TurnIndex } from '@rapporteur/speech-to-text';
import type { Attribution, LabelledWord } from '@rapporteur/speech-to-text';
import type { Identity } from '../../story/participant-list.ts';
import type { SpeakerFrames } from '../speaker-frames.ts';

export interface SegmentSpeaker {
  /** Participant number; null while the speaker is not identified, and for one of `candidates`. */
  readonly id: number | null;
  /** Numbers of the participants of that name, where it is one of several; else absent. */
  readonly candidates?: readonly number[];
  readonly name: string | null;
  readonly confidence: number | null;
}

/** Words of one speaker. Times are epoch ms. */
export interface AttributedPart<Word> {
  readonly speaker: SegmentSpeaker;
  readonly words: readonly Word[];
}

const unknownSpeaker: SegmentSpeaker = { id: null, name: null, confidence: null };
const mostTurns = 500;

/** Determines the speaker from the platform's speaker signals and the provider's labels. */
export class SpeechAttribution {
  readonly #participants: Pick<SpeakerFrames, 'whoIs'>;
  readonly #now: () => number;
  readonly #turns = new Map<number, SpeakerTurn>();
  #labels = new LabelSpeakers();

  constructor(participants: Pick<SpeakerFrames, 'whoIs'>, now: () => number) {
    this.#participants = participants;
    this.#now = now;
  }

  onSignal(signal: SessionSignal): void {
    if (signal.kind !== 'speaker') return;
    this.#turns.delete(signal.turn.turnId);
    this.#turns.set(signal.turn.turnId, signal.turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostTurns && oldest !== undefined) this.#turns.delete(oldest);
  }

  /** Labels are valid within one session of a provider only. */
  sessionStarted(): void {
    this.#labels = new LabelSpeakers();
  }

  /** Splits a final utterance: one part for each speaker, in the order of its words. */
  split<Word extends LabelledWord>(words: readonly Word[]): AttributedPart<Word>[] {
    const turns = this.#index(words);
    for (const word of words) if (word.speaker !== null) this.#labels.note(word.speaker, word, turns);
    const attributed = words.map((word) => ({
      word,
      by: attributeWord(word, turns, this.#labels.speakerOf(word.speaker)),
    }));
    return splitBySpeaker(attributed).map(({ speaker, own }) => ({
      speaker: this.#describe(speaker, meanConfidence(own.map(({ by }) => by))),
      words: own.map(({ word }) => word),
    }));
  }

  /** The speaker of most of an utterance that is not final. */
  mostly(span: { readonly startMs: number; readonly endMs: number }, label: string | null): SegmentSpeaker {
    const { speaker, confidence }: Attribution = attributeWord(
      span,
      this.#index([span]),
      this.#labels.speakerOf(label),
    );
    return this.#describe(speaker, confidence);
  }

  /** The speaker of an utterance whose source names its participant. */
  certain(participant: { readonly id: string | null; readonly name: string | null }): SegmentSpeaker {
    const { id: participantId, name } = participant;
    return segmentSpeaker(this.#participants.whoIs({ participantId, name, startMs: this.#now() }), 1);
  }

  #index(spans: readonly { readonly startMs: number; readonly endMs: number }[]): TurnIndex {
    const until = Math.max(this.#now(), ...spans.map(({ endMs }) => endMs));
    return new TurnIndex(
      [...this.#turns.values()].map((turn) => ({
        speaker: this.#speakerOf(turn),
        startMs: turn.startMs,
        endMs: Math.max(turn.startMs, turn.endMs ?? until),
      })),
    );
  }

  /** A turn whose participant is not identified is a speaker of its own: several participants may have one name. */
  #speakerOf(turn: SpeakerTurn): string {
    const { id } = this.#participants.whoIs(turn);
    return id === null ? (turn.participantId ?? `turn ${turn.turnId}`) : `participant ${id}`;
  }

  #describe(speaker: string | null, confidence: number | null): SegmentSpeaker {
    if (speaker === null) return unknownSpeaker;
    const turn = [...this.#turns.values()].findLast((one) => this.#speakerOf(one) === speaker);
    if (turn === undefined) return unknownSpeaker;
    return segmentSpeaker(this.#participants.whoIs(turn), confidence);
  }
}

function segmentSpeaker({ id, name, candidates }: Identity, confidence: number | null): SegmentSpeaker {
  if (name === null) return unknownSpeaker;
  return { id, name, confidence, ...(candidates.length > 0 ? { candidates } : {}) };
}
