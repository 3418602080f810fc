import * as z from 'zod';
import { captionOptionsSchema } from '../captions/caption-options.ts';
import { meetOptionsSchema } from '../meet/meet-options.ts';
import {
  DEFAULT_PARTICIPANT_LIMIT,
  defaultParticipant,
  languages,
  sentencesOf,
  voiceOf,
} from '../participants/default-participants.ts';
import { videoCodecs } from '../media/video-loop.ts';
import type { ParticipantPlan } from '../participants/prepare-participants.ts';
import { pageChangeChoiceSchema } from '../page-changes/choice.ts';
import { findScenario, scenarioNames } from '../scenarios/scenarios.ts';
import { addressOf, platformNames } from '../sites/platforms.ts';
import { teamsOptionsSchema } from '../teams/teams-options.ts';
import { zoomOptionsSchema } from '../zoom/zoom-options.ts';
import { faultSchema } from './faults.ts';
import { memberKinds } from './members.ts';
import { presetNames, presets } from './presets.ts';
import { roomEventSchema } from './room-events.ts';
import { plannedSchema } from './timetable.ts';
import { drawVariants } from './variants.ts';

export const LARGEST_GROUP = 16;

const name = z.string().trim().min(1).max(60);
const sentence = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/[A-Za-z]/, 'needs at least one letter to speak');

const fieldsSchema = z
  .strictObject({
    speakers: z.int().min(1).max(DEFAULT_PARTICIPANT_LIMIT).optional(),
    participants: z
      .array(
        z.strictObject({
          name,
          sentences: z.array(sentence).max(50).optional(),
          /** The language of what the participant says; default English. */
          language: z.enum(languages).optional(),
          absent: z.boolean().optional(),
          /** False: audio only. */
          camera: z.boolean().optional(),
          kind: z.enum(memberKinds).optional(),
          /** A further device of the account of this participant: an index before its own. */
          deviceOf: z.int().min(0).max(LARGEST_GROUP).optional(),
          /** Several people at one microphone: they say its sentences in turn. */
          sharedBy: z.int().min(1).max(8).optional(),
        }),
      )
      .min(1)
      .max(LARGEST_GROUP)
      .optional(),
    platform: z.enum(platformNames).default('meet'),
    /** Source of the platform's default options: see presets.ts. */
    preset: z.enum(presetNames).default('strict'),
    code: z.string().max(64).optional(),
    lobby: z.enum(['admit', 'wait', 'refuse']).default('admit'),
    admitAfterMs: z.int().min(0).max(3_600_000).default(1000),
    lobbyTimeoutMs: z.int().min(100).max(3_600_000).default(600_000),
    durationSeconds: z.number().positive().max(86_400).optional(),
    framesPerSecond: z.int().min(5).max(30).default(25),
    videoCodec: z.enum(videoCodecs).default('vp8'),
    loopSeconds: z.int().min(2).max(300).default(60),
    overlap: z.boolean().default(false),
    startsSpeakingAfterSeconds: z.number().min(0).max(299).default(0.5),
    chat: z.enum(['open', 'hidden', 'closed', 'stuck', 'swallowed']).default('open'),
    captions: captionOptionsSchema.prefault({}),
    /** How the platform has changed its page; omitted: as for the whole platform. */
    pageChange: pageChangeChoiceSchema.optional(),
    /** Factor of all delays on the page; 1: 0 to 1 second after their cause. */
    lateness: z.number().min(0).max(20).default(1),
    faults: z.array(plannedSchema(faultSchema)).max(100).default([]),
    events: z.array(plannedSchema(roomEventSchema)).max(500).default([]),
    meet: meetOptionsSchema.prefault({}),
    teams: teamsOptionsSchema.prefault({}),
    zoom: zoomOptionsSchema.prefault({}),
  })
  .refine((options) => options.participants === undefined || options.speakers === undefined, {
    path: ['speakers'],
    message: 'is given together with participants; give only one of them',
  })
  // Zoom's page decodes by itself, and VP8 only.
  .refine(({ platform, videoCodec }) => platform !== 'zoom' || videoCodec === 'vp8', {
    path: ['videoCodec'],
    message: 'can only be vp8 on zoom',
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
  .superRefine(({ participants = [] }, context) => {
    for (const [index, { deviceOf }] of participants.entries()) {
      if (deviceOf === undefined || (deviceOf < index && participants[deviceOf]?.deviceOf === undefined)) continue;
      const path = ['participants', index, 'deviceOf'];
      context.addIssue({ code: 'custom', path, message: 'is an earlier participant with an account of its own' });
    }
  });

/** Meet's options that used to be at the top level. */
const flatMeetOptions = ['lobbyShape', 'permissionSheet', 'gotIt', 'recordingNotice'] as const;

/**
 * The body of `POST /rooms`. Every field has a default; unknown fields are refused. `scenario` sets fields that are not
 * given, `seed` samples the remaining variants of the platform, `preset` sets the rest of them.
 */
export const roomOptionsSchema = z.preprocess((given, context) => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { scenario, seed, ...fields } = { ...(given as Record<string, unknown>) };
  if (scenario !== undefined) {
    const found = findScenario(scenario);
    if (found === null) {
      const message = `is not known; there are ${scenarioNames().join(', ')}`;
      context.addIssue({ code: 'custom', path: ['scenario'], message });
    } else fillIn(fields, found.room);
  }
  const flat = flatMeetOptions.flatMap((option) => (fields[option] === undefined ? [] : [[option, fields[option]]]));
  for (const option of flatMeetOptions) delete fields[option];
  if (flat.length > 0) fillIn(fields, { meet: Object.fromEntries(flat) });
  if (seed !== undefined) {
    const platform = platformNames.find((one) => one === (fields['platform'] ?? 'meet'));
    if (!Number.isInteger(seed)) context.addIssue({ code: 'custom', path: ['seed'], message: 'is a whole number' });
    else if (platform !== undefined) fillIn(fields, { [platform]: drawVariants(platform, seed as number) });
  }
  const preset = presetNames.find((one) => one === (fields['preset'] ?? 'strict'));
  if (preset !== undefined) fillIn(fields, presets[preset]);
  return fields;
}, fieldsSchema);

/** Given fields stay; objects are merged field by field. */
function fillIn(fields: Record<string, unknown>, defaults: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(defaults)) {
    const given = fields[name];
    if (given === undefined) fields[name] = value;
    else if (isRecord(given) && isRecord(value)) fields[name] = { ...value, ...given };
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type RoomOptions = z.infer<typeof roomOptionsSchema>;

const DEFAULT_SPEAKERS = 3;

/** The participants of the room, with voice and sentences. */
export function plannedParticipants(options: RoomOptions): ParticipantPlan[] {
  if (options.participants === undefined) {
    return Array.from({ length: options.speakers ?? DEFAULT_SPEAKERS }, (_, index) => {
      const { voice, ...plan } = defaultParticipant(index);
      return { ...plan, voice: [voice] };
    });
  }
  return options.participants.map((participant, index) => ({
    name: participant.name,
    voice: Array.from({ length: participant.sharedBy ?? 1 }, (_, place) => voiceOf(index + place)),
    sentences: participant.sentences ?? sentencesOf(index, participant.language),
    language: participant.language,
    absent: participant.absent,
    camera: participant.camera ?? (participant.kind === 'phone' ? false : undefined),
    kind: participant.kind,
    deviceOf: participant.deviceOf,
  }));
}
