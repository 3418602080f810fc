import type { SpeakerTurn, SessionSignal } from '@rapporteur/meeting-platforms';
import { LiveParticipants, unknownName } from '../story/participant-list.ts';
import type { Identity } from '../story/participant-list.ts';
import { storyEventOf } from '../story/story-of-session.ts';

/** One entry of a text frame. */
export interface SpeakerState {
  readonly name: string;
  /** Participant number; null while the speaker is not identified. */
  readonly id: number | null;
  /** Unix seconds with a fraction: when the participant started or stopped speaking. */
  readonly timestamp: number;
  readonly isSpeaking: boolean;
}

const mostParticipantEvents = 20_000;

/** Text frames that report the speakers: all current ones, and one who has just stopped. */
export class SpeakerFrames {
  readonly #speaking: () => readonly SpeakerTurn[];
  readonly #participants = new LiveParticipants();
  #participantEvents = 0;

  /** @param speaking current speaker turns */
  constructor(speaking: () => readonly SpeakerTurn[]) {
    this.#speaking = speaking;
  }

  note(signal: Extract<SessionSignal, { kind: 'participant' }>): void {
    const event = storyEventOf(signal);
    if (event === null || this.#participantEvents >= mostParticipantEvents) return;
    this.#participantEvents += 1;
    this.#participants.add(event);
  }

  changed(turn: SpeakerTurn): string {
    const now = this.#speaking().map((going) => this.#stateOf(going));
    const ended = turn.endMs === null ? [] : [this.#stateOf(turn)];
    const stillSpeaks = ({ name, id }: SpeakerState): boolean =>
      now.some((state) => state.name === name && state.id === id);
    return JSON.stringify([...now, ...ended.filter((state) => !stillSpeaks(state))]);
  }

  /** Null while no participant speaks. */
  now(): string | null {
    const turns = this.#speaking();
    return turns.length === 0 ? null : JSON.stringify(turns.map((turn) => this.#stateOf(turn)));
  }

  /** The participant of a turn, as far as identified. */
  whoIs({ participantId, name, startMs }: Pick<SpeakerTurn, 'participantId' | 'name' | 'startMs'>): Identity {
    return this.#participants.identify(participantId, name, startMs);
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
