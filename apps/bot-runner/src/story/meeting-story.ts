import { LiveParticipants } from './participant-list.ts';
import type { StoryEvent } from './story-event.ts';

/** Far more than a day of talking; beyond it events are counted and left out. */
const mostEvents = 200_000;

/** Collects what happens, who takes part in it, and what is new since it was last taken. */
export class MeetingStory {
  readonly participants = new LiveParticipants();
  readonly #events: StoryEvent[] = [];
  #handedOut = 0;
  #leftOut = 0;

  get events(): readonly StoryEvent[] {
    return this.#events;
  }

  /** Events that were too many to keep. */
  get leftOut(): number {
    return this.#leftOut;
  }

  add(event: StoryEvent): void {
    if (this.#events.length >= mostEvents) {
      this.#leftOut += 1;
      return;
    }
    this.#events.push(event);
    this.participants.add(event);
  }

  takeNew(): StoryEvent[] {
    const fresh = this.#events.slice(this.#handedOut);
    this.#handedOut = this.#events.length;
    return fresh;
  }
}
