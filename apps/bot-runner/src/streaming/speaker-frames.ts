import type { SpeakerTurn, VisitSignal } from '@rapporteur/meeting-platforms';
import type { StoryEvent } from '../story/meeting-story.ts';
import { listPeople, unknownName } from '../story/people-list.ts';
import type { PeopleList } from '../story/people-list.ts';
import { storyEventOf } from '../story/story-of-visit.ts';

/** One entry of a text frame. */
export interface SpeakerState {
  readonly name: string;
  /** Number among the participants; null while it is not known whose voice it is. */
  readonly id: number | null;
  /** Unix seconds with a fraction: since when they speak, or no longer do. */
  readonly timestamp: number;
  readonly isSpeaking: boolean;
}

const mostPeopleEvents = 20_000;

/** Text frames that say who speaks: everybody who does now, and whoever just ended. */
export class SpeakerFrames {
  readonly #speaking: () => readonly SpeakerTurn[];
  readonly #events: StoryEvent[] = [];
  #people: PeopleList | null = null;

  /** @param speaking turns that go on now */
  constructor(speaking: () => readonly SpeakerTurn[]) {
    this.#speaking = speaking;
  }

  note(signal: Extract<VisitSignal, { kind: 'person' }>): void {
    const event = storyEventOf(signal);
    if (event === null || this.#events.length >= mostPeopleEvents) return;
    this.#events.push(event);
    this.#people = null;
  }

  changed(turn: SpeakerTurn): string {
    const now = this.#speaking().map((going) => this.#stateOf(going));
    const ended = turn.endMs === null ? [] : [this.#stateOf(turn)];
    const stillSpeaks = ({ name, id }: SpeakerState): boolean =>
      now.some((state) => state.name === name && state.id === id);
    return JSON.stringify([...now, ...ended.filter((state) => !stillSpeaks(state))]);
  }

  /** Null while nobody speaks. */
  now(): string | null {
    const turns = this.#speaking();
    return turns.length === 0 ? null : JSON.stringify(turns.map((turn) => this.#stateOf(turn)));
  }

  /** Whose turn it is, as far as it is known. */
  whoIs({ personId, name }: SpeakerTurn): { readonly id: number | null; readonly name: string | null } {
    this.#people ??= listPeople(this.#events);
    return { id: this.#people.idOf(personId), name: name ?? this.#people.nameOf(personId) };
  }

  #stateOf(turn: SpeakerTurn): SpeakerState {
    const { startMs, endMs } = turn;
    const { id, name } = this.whoIs(turn);
    return {
      name: name ?? unknownName,
      id,
      timestamp: (endMs ?? startMs) / 1_000,
      isSpeaking: endMs === null,
    };
  }
}
