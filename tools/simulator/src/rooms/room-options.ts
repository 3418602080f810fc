import * as z from 'zod';
import { DEFAULT_PEOPLE_LIMIT, defaultPerson, voiceOf } from '../people/default-people.ts';
import type { PersonPlan } from '../people/prepare-people.ts';
import { addressOf, platformNames } from '../sites/platforms.ts';

export const LARGEST_GROUP = 16;

const name = z.string().trim().min(1).max(60);
const sentence = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/[A-Za-z]/, 'needs at least one letter to speak');

/** What `POST /rooms` takes. Every field has a default; unknown fields are refused. */
export const roomOptionsSchema = z
  .strictObject({
    speakers: z.int().min(1).max(DEFAULT_PEOPLE_LIMIT).optional(),
    people: z
      .array(z.strictObject({ name, sentences: z.array(sentence).max(50).optional() }))
      .min(1)
      .max(LARGEST_GROUP)
      .optional(),
    platform: z.enum(platformNames).default('meet'),
    code: z.string().max(64).optional(),
    lobby: z.enum(['admit', 'wait', 'refuse']).default('admit'),
    lobbyShape: z.enum(['classic', 'new']).default('new'),
    admitAfterMs: z.int().min(0).max(3_600_000).default(1000),
    lobbyTimeoutMs: z.int().min(100).max(3_600_000).default(600_000),
    durationSeconds: z.number().positive().max(86_400).optional(),
    framesPerSecond: z.int().min(5).max(30).default(25),
    loopSeconds: z.int().min(2).max(300).default(60),
    overlap: z.boolean().default(false),
    startsSpeakingAfterSeconds: z.number().min(0).max(299).default(0.5),
    permissionSheet: z.boolean().default(false),
    gotIt: z.boolean().default(false),
    recordingNotice: z.boolean().default(false),
  })
  .refine((options) => options.people === undefined || options.speakers === undefined, {
    path: ['speakers'],
    message: 'is given together with people; give only one of them',
  })
  .refine((options) => options.startsSpeakingAfterSeconds < options.loopSeconds, {
    path: ['startsSpeakingAfterSeconds'],
    message: 'must be less than loopSeconds',
  })
  .superRefine(({ platform, code }, context) => {
    const { codePattern, codeForm } = addressOf(platform);
    if (code === undefined || codePattern.test(code)) return;
    context.addIssue({ code: 'custom', path: ['code'], message: `has the form ${codeForm}` });
  })
  .refine((options) => !hasTwice(options.people?.map((person) => person.name) ?? []), {
    path: ['people'],
    message: 'has the same name twice',
  });

export type RoomOptions = z.infer<typeof roomOptionsSchema>;

const DEFAULT_SPEAKERS = 3;

/** Who is in the room, with voice and sentences. */
export function plannedPeople(options: RoomOptions): PersonPlan[] {
  if (options.people === undefined) {
    return Array.from({ length: options.speakers ?? DEFAULT_SPEAKERS }, (_, index) => defaultPerson(index));
  }
  return options.people.map((person, index) => ({
    name: person.name,
    voice: voiceOf(index),
    sentences: person.sentences ?? defaultPerson(index).sentences,
  }));
}

function hasTwice(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
