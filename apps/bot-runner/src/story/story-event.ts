import { z } from 'zod';

/** Events of the meeting besides audio and video, as stored with the fragments. Times: epoch ms. */
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
  /** The meeting's own captions are on, or the reason why they are not. */
  z.object({
    kind: z.literal('captions'),
    atMs: z.number(),
    available: z.boolean(),
    reason: z.string().nullable(),
  }),
  /** A stretch of captions in its version at that time: the last one with an id counts. */
  z.object({
    kind: z.literal('caption'),
    id: z.string(),
    participantId: z.string().nullable(),
    name: z.string().nullable(),
    text: z.string(),
    language: z.string().nullable(),
    isFinal: z.boolean(),
    startMs: z.number(),
    endMs: z.number(),
  }),
]);
export type StoryEvent = z.infer<typeof storyEvent>;
