import {
  captureBreaks,
  gapReasons,
  videoStrategies,
  captureStrategies,
  audioStrategies,
  audioImpairments,
  degradationSteps,
  missingVideoReasons,
  resourceUsage,
  strategyReasons,
} from '@rapporteur/contracts';
import { z } from 'zod';
import { storyEvent } from '../story/story-event.ts';

/** Epoch ms; `endMs` is null while the pause lasts. */
const recordingPause = z.object({ startMs: z.number(), endMs: z.number().nullable() });

/**
 * Written before each fragment on the disk, and stored with it in one object, so that a killed run loses only what
 * follows its last fragment.
 */
export const segmentRecord = z.object({
  version: z.literal(1),
  attempt: z.int().positive(),
  fencing: z.int().positive(),
  sequence: z.int().positive(),
  /** Media time. */
  startMs: z.number(),
  endMs: z.number(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** Epoch ms of media time zero. */
  startedAtMs: z.number(),
  /** All so far, so that each fragment can be placed by itself. */
  pauses: z.array(recordingPause),
  /** Why nothing was recorded just before it; null: it follows the previous one without a gap. */
  gapBefore: z.enum(captureBreaks).nullable(),
  /** The resource usage of this run so far. */
  resourceUsage: resourceUsage.nullable(),
  /** Events since the previous record. */
  events: z.array(storyEvent),
});
export type SegmentRecord = z.infer<typeof segmentRecord>;

const strategyName = z.enum([...videoStrategies, ...audioStrategies]);

/** A capture strategy was selected, or switched. `atMs` is media time. */
const strategySwitch = z.object({
  atMs: z.number(),
  media: z.enum(['video', 'audio']),
  from: strategyName.nullable(),
  to: strategyName,
  reason: z.enum(strategyReasons),
});

const spansOf = <Reasons extends readonly [string, ...string[]]>(reasons: Reasons) =>
  z.array(z.object({ startMs: z.number(), endMs: z.number(), reason: z.enum(reasons) }));

/** The recorder's summary of a recording that it ended. */
export const recordingSummary = z.object({
  strategy: z.enum(captureStrategies),
  thread: z.enum(['worker', 'page']),
  /** Every selection of a strategy and every switch, in order. */
  switches: z.array(strategySwitch),
  startedAtMs: z.number(),
  durationMs: z.number(),
  fragments: z.number(),
  bytes: z.number(),
  framesReceived: z.number(),
  framesEncoded: z.number(),
  framesRepeated: z.number(),
  framesSkippedByRateLimit: z.number(),
  framesDropped: z.number(),
  audioDiscontinuities: z.number(),
  lateAudioMs: z.number(),
  audioOwnersReported: z.number(),
  audioSharedMs: z.number(),
  audioUnownedMs: z.number(),
  pauses: z.array(recordingPause),
  gaps: z.array(z.object({ startMs: z.number(), endMs: z.number(), reason: z.enum(gapReasons) })),
  videoMissing: spansOf(missingVideoReasons),
  degradations: spansOf(degradationSteps),
  audioImpaired: spansOf(audioImpairments),
  endedCleanly: z.boolean(),
});

/** Written once, after the last fragment, by a run that ended normally. */
export const endRecord = z.object({
  version: z.literal(1),
  attempt: z.int().positive(),
  fencing: z.int().positive(),
  summary: recordingSummary,
  resourceUsage: resourceUsage.nullable(),
  events: z.array(storyEvent),
});
export type EndRecord = z.infer<typeof endRecord>;

export const segmentsPrefix = 'segments/';

/** Object keys, and file names below the work folder: the same on both sides. */
export const segmentKeys = {
  folder: (attempt: number): string => `${segmentsPrefix}${String(attempt).padStart(4, '0')}/`,
  init: (attempt: number): string => `${segmentKeys.folder(attempt)}init.mp4`,
  fragment: (attempt: number, sequence: number): string =>
    `${segmentKeys.folder(attempt)}${String(sequence).padStart(6, '0')}.m4s`,
  /** On the disk only: in the store it is part of the fragment's object. */
  record: (attempt: number, sequence: number): string =>
    `${segmentKeys.folder(attempt)}${String(sequence).padStart(6, '0')}.json`,
  /**
   * On the disk only: encoded audio of 20 seconds. Another run encodes it again, which costs less than storing it
   * twice.
   */
  audio: (attempt: number, index: number): string =>
    `${segmentKeys.folder(attempt)}${String(index).padStart(6, '0')}.audio`,
  end: (attempt: number): string => `${segmentKeys.folder(attempt)}end.json`,
} as const;

/** The attempt of a key; null for a key outside of recordings. */
export function attemptOf(key: string): number | null {
  const digits = /^segments\/(\d{4})\/(?:init\.mp4|end\.json|\d{6}\.(?:m4s|json|audio))$/.exec(key)?.[1];
  return digits === undefined ? null : Number(digits);
}
