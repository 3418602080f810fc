import { z } from 'zod';

/** What happened in the meeting besides audio and video, as it is kept beside the fragments. Times: epoch ms. */
export const storyEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('participant'),
    change: z.enum(['appeared', 'changed', 'left']),
    atMs: z.number(),
    participantId: z.string(),
    name: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    isSelf: z.boolean(),
  }),
  z.object({
    kind: z.literal('speaker'),
    change: z.enum(['started', 'stopped']),
    turnId: z.int(),
    participantId: z.string().nullable(),
    name: z.string().nullable(),
    startMs: z.number(),
    endMs: z.number().nullable(),
    source: z.string(),
    confidence: z.number(),
  }),
  z.object({
    kind: z.literal('chat'),
    id: z.string(),
    senderId: z.string().nullable(),
    senderName: z.string(),
    text: z.string(),
    sentAtMs: z.number(),
    own: z.boolean(),
  }),
]);
export type StoryEvent = z.infer<typeof storyEvent>;

/** Far more than a day of talking; beyond it events are counted and left out. */
const mostEvents = 200_000;

/** Collects what happens, and hands out what is new since it was last asked. */
export class MeetingStory {
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
    if (this.#events.length >= mostEvents) this.#leftOut += 1;
    else this.#events.push(event);
  }

  takeNew(): StoryEvent[] {
    const fresh = this.#events.slice(this.#handedOut);
    this.#handedOut = this.#events.length;
    return fresh;
  }
}
