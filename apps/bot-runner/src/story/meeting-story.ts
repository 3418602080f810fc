import { LiveParticipants } from './participant-list.ts';
import type { StoryEvent } from './story-event.ts';

/** More than a day of speech; further events are counted and left out. */
const mostEvents = 200_000;

/** Collects events and participants, and the events since the last take. */
export class MeetingStory {
  readonly participants = new LiveParticipants();
  readonly #events: StoryEvent[] = [];
  #handedOut = 0;
  /** Indexes of captions that were not taken yet, by id: a newer version replaces the one before. */
  readonly #captions = new Map<string, number>();
  #leftOut = 0;

  get events(): readonly StoryEvent[] {
    return this.#events;
  }

  /** Number of events dropped beyond the limit. */
  get leftOut(): number {
    return this.#leftOut;
  }

  add(event: StoryEvent): void {
    if (this.#events.length >= mostEvents) {
      this.#leftOut += 1;
      return;
    }
    if (event.kind === 'caption') {
      const place = this.#captions.get(event.id);
      if (place !== undefined) {
        this.#events[place] = event;
        return;
      }
      this.#captions.set(event.id, this.#events.length);
    }
    this.#events.push(event);
    this.participants.add(event);
  }

  takeNew(): StoryEvent[] {
    const fresh = this.#events.slice(this.#handedOut);
    this.#handedOut = this.#events.length;
    this.#captions.clear();
    return fresh;
  }
}
