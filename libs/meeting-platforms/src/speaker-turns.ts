import type { SpeakerSource, SpeakerTurn } from './platform.ts';

/** A voice as a layer hears it: its own key, and whether it speaks. */
export interface VoiceChange {
  readonly source: SpeakerSource;
  readonly key: string;
  readonly speaking: boolean;
  readonly atMs: number;
}

export interface VoiceOwner {
  readonly personId: string | null;
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
  // A state that is told a few times a second.
  dcrpc: 0.9,
  // Says who is loudest, and lags behind a change of speaker.
  'active-speaker': 0.8,
  tiles: 0.6,
  // Somebody speaks, and no layer says who.
  'mixed-sound': 0.3,
};
const unknownConfidence = 0.3;
const mostOpenTurns = 100;

/** Turns voices into turns of people. Whose voice it is gets asked again at the end: names may arrive late. */
export class SpeakerTurns {
  readonly #ownerOf: (source: SpeakerSource, key: string) => VoiceOwner;
  readonly #open = new Map<string, SpeakerTurn>();
  #turns = 0;

  constructor(ownerOf: (source: SpeakerSource, key: string) => VoiceOwner) {
    this.#ownerOf = ownerOf;
  }

  /** Others' turns that go on now. */
  speaking(): SpeakerTurn[] {
    return [...this.#open]
      .filter(([voice, turn]) => !this.#ownerOf(turn.source, keyOf(turn, voice)).isSelf)
      .map(([voice, turn]) => this.#named(turn, voice));
  }

  apply(change: VoiceChange): TurnChange | null {
    const voice = `${change.source}:${change.key}`;
    const open = this.#open.get(voice);
    if (change.speaking) {
      if (open !== undefined || this.#open.size >= mostOpenTurns) return null;
      this.#turns += 1;
      const turn = this.#named(
        {
          turnId: this.#turns,
          personId: null,
          name: null,
          startMs: change.atMs,
          endMs: null,
          source: change.source,
          confidence: 0,
        },
        voice,
      );
      this.#open.set(voice, turn);
      return this.#isSelf(change) ? null : { change: 'started', turn };
    }
    if (open === undefined) return null;
    this.#open.delete(voice);
    if (this.#isSelf(change)) return null;
    return { change: 'stopped', turn: this.#named({ ...open, endMs: Math.max(change.atMs, open.startMs) }, voice) };
  }

  /** Everybody falls silent at once, e.g. because the visit is over. */
  endAll(atMs: number): TurnChange[] {
    return [...this.#open.keys()].flatMap((voice) => {
      const [source, ...key] = voice.split(':');
      const change = this.apply({ source: source as SpeakerSource, key: key.join(':'), speaking: false, atMs });
      return change === null ? [] : [change];
    });
  }

  #isSelf({ source, key }: VoiceChange): boolean {
    return this.#ownerOf(source, key).isSelf;
  }

  #named(turn: SpeakerTurn, voice: string): SpeakerTurn {
    const owner = this.#ownerOf(turn.source, keyOf(turn, voice));
    const personId = owner.personId ?? turn.personId;
    const confidence = personId === null ? unknownConfidence : confidences[turn.source];
    return { ...turn, personId, name: owner.name ?? turn.name, confidence };
  }
}

function keyOf({ source }: SpeakerTurn, voice: string): string {
  return voice.slice(source.length + 1);
}
