import type { SpeakerSource, SpeakerTurn } from './platform.ts';

/** A change of speech reported by a layer: the layer's own key, and whether it speaks. */
export interface SpeechChange {
  readonly source: SpeakerSource;
  readonly key: string;
  readonly speaking: boolean;
  readonly atMs: number;
}

export interface SpeechOwner {
  readonly participantId: string | null;
  readonly name: string | null;
  readonly isSelf: boolean;
}

export interface TurnChange {
  readonly change: 'started' | 'stopped';
  readonly turn: SpeakerTurn;
}

const confidences: Readonly<Record<SpeakerSource, number>> = {
  'contributing-sources': 1,
  levels: 1,
  // A state that is sent a few times a second.
  dcrpc: 0.9,
  // Reports the loudest, and lags behind a change of speaker.
  'active-speaker': 0.8,
  tiles: 0.6,
  // Speech that no layer attributes.
  'mixed-audio': 0.3,
};
const unknownConfidence = 0.3;
const mostOpenTurns = 100;

/** Turns speech into turns of participants. The owner is resolved again at the end: names may arrive late. */
export class SpeakerTurns {
  readonly #ownerOf: (source: SpeakerSource, key: string) => SpeechOwner;
  readonly #open = new Map<string, SpeakerTurn>();
  #turns = 0;

  constructor(ownerOf: (source: SpeakerSource, key: string) => SpeechOwner) {
    this.#ownerOf = ownerOf;
  }

  /** The other participants' open turns. */
  speaking(): SpeakerTurn[] {
    return [...this.#open]
      .filter(([speech, turn]) => !this.#ownerOf(turn.source, keyOf(turn, speech)).isSelf)
      .map(([speech, turn]) => this.#named(turn, speech));
  }

  apply(change: SpeechChange): TurnChange | null {
    const speech = `${change.source}:${change.key}`;
    const open = this.#open.get(speech);
    if (change.speaking) {
      if (open !== undefined || this.#open.size >= mostOpenTurns) return null;
      this.#turns += 1;
      const turn = this.#named(
        {
          turnId: this.#turns,
          participantId: null,
          name: null,
          startMs: change.atMs,
          endMs: null,
          source: change.source,
          confidence: 0,
        },
        speech,
      );
      this.#open.set(speech, turn);
      return this.#isSelf(change) ? null : { change: 'started', turn };
    }
    if (open === undefined) return null;
    this.#open.delete(speech);
    if (this.#isSelf(change)) return null;
    return { change: 'stopped', turn: this.#named({ ...open, endMs: Math.max(change.atMs, open.startMs) }, speech) };
  }

  /** Ends all speech at once, e.g. because the session is over. */
  endAll(atMs: number): TurnChange[] {
    return [...this.#open.keys()].flatMap((speech) => {
      const [source, ...key] = speech.split(':');
      const change = this.apply({ source: source as SpeakerSource, key: key.join(':'), speaking: false, atMs });
      return change === null ? [] : [change];
    });
  }

  #isSelf({ source, key }: SpeechChange): boolean {
    return this.#ownerOf(source, key).isSelf;
  }

  #named(turn: SpeakerTurn, speech: string): SpeakerTurn {
    const owner = this.#ownerOf(turn.source, keyOf(turn, speech));
    const participantId = owner.participantId ?? turn.participantId;
    const confidence = participantId === null ? unknownConfidence : confidences[turn.source];
    return { ...turn, participantId, name: owner.name ?? turn.name, confidence };
  }
}

function keyOf({ source }: SpeakerTurn, speech: string): string {
  return speech.slice(source.length + 1);
}
