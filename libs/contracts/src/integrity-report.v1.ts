import { z } from 'zod';
import {
  gapReasons,
  videoStrategies,
  captureStrategies,
  audioStrategies,
  audioImpairments,
  degradationSteps,
  missingVideoReasons,
  strategyReasons,
} from './recording-terms.ts';
import { artifactKind } from './shapes.ts';

/** What a bot stores: `fragments` with their records, the artifacts by kind, everything else. */
export const uploadKinds = ['fragments', 'video', 'audio', 'audio_m4a', 'participant_audio', 'other'] as const;
export type UploadKind = (typeof uploadKinds)[number];

const upload = z.object({ bytes: z.int().nonnegative(), requests: z.int().nonnegative() });
export type UploadsByKind = Partial<Record<UploadKind, z.infer<typeof upload>>>;

/** Resources that one run of a bot has used. Null where its system does not report them. */
export const resourceUsage = z.object({
  /** CPU time of the bot's process tree: browsers, including those that crashed, and encoders. */
  cpuMs: z.int().nonnegative().nullable(),
  /** The largest sampled memory usage. */
  peakMemoryBytes: z.int().nonnegative().nullable(),
  /** Stored by the bot: fragments with their records, and files. */
  uploadedBytes: z.int().nonnegative(),
  /** Number of PUT and POST requests to the object store for it. */
  uploadRequests: z.int().nonnegative().optional(),
  /** The same by kind; a kind without objects is left out. */
  uploads: z.partialRecord(z.enum(uploadKinds), upload).optional(),
});
export type ResourceUsage = z.infer<typeof resourceUsage>;

const strategyName = z.enum([...videoStrategies, ...audioStrategies]);

const attemptStrategies = z.object({
  strategy: z.enum(captureStrategies),
  thread: z.enum(['worker', 'page']),
  switches: z.array(
    z.object({
      atMs: z.int(),
      media: z.enum(['video', 'audio']),
      from: strategyName.nullable(),
      to: strategyName,
      reason: z.enum(strategyReasons),
    }),
  ),
});

const count = z.int().nonnegative();
const ms = z.int();

/**
 * Content, gaps and resource usage of a recording: the artifact `integrity`. Times are those of the recording.
 * docs/guides/integrity-report.md describes each field.
 */
export const integrityReport = z.object({
  version: z.literal(1),
  mode: z.enum(['speaker_view', 'gallery_view', 'audio_only']),
  durationMs: ms,
  /** The strategies of each attempt, in their order; null for a run that failed. */
  captureStrategies: z.array(attemptStrategies.nullable()),
  gaps: z.array(z.object({ startMs: ms, endMs: ms, reason: z.enum(gapReasons) })),
  gapMs: ms,
  pauses: z.array(z.object({ atMs: ms, lastedMs: ms.nullable() })),
  /** Spans in which the page showed a video that is not recorded; null where a run failed. */
  videoMissing: z.array(z.object({ startMs: ms, endMs: ms, reason: z.enum(missingVideoReasons) })).nullable(),
  /** Spans in which the bot had less CPU than it needs, by what it gave up; null where a run failed. */
  degradations: z.array(z.object({ startMs: ms, endMs: ms, reason: z.enum(degradationSteps) })).nullable(),
  /** Spans in which what the page played has gaps or is stretched; null where a run failed. */
  audioImpaired: z.array(z.object({ startMs: ms, endMs: ms, reason: z.enum(audioImpairments) })).nullable(),
  framesReceived: count.nullable(),
  framesEncoded: count.nullable(),
  framesRepeated: count.nullable(),
  framesSkippedByRateLimit: count.nullable(),
  framesDropped: count.nullable(),
  framesStored: count,
  audioPacketsStored: count,
  audioDiscontinuities: count.nullable(),
  lateAudioMs: count.nullable(),
  /** Null where the run with this information failed. */
  participantAudio: z
    .object({
      state: z.enum(['recorded', 'not_offered', 'off']).nullable(),
      sharedMs: count.nullable(),
      unownedMs: count.nullable(),
    })
    .optional(),
  startOffsetMs: ms.nullable(),
  fragments: count,
  bytes: count,
  missingSequences: z.array(z.object({ attempt: count, sequences: z.array(z.int().positive()) })),
  /** Events of the meeting that were stored and cannot be read; left out when there are none. */
  eventsLost: count.optional(),
  endedCleanly: z.boolean(),
  files: z.array(
    z.object({
      kind: artifactKind,
      bytes: count,
      sha256: z.string(),
      /** Whose audio it holds, as in `participants`. */
      participantId: z.int().nullable().optional(),
    }),
  ),
  resourceUsage: z.object({
    filesMade: z.enum(['in_call', 'after_call']),
    encodingCpuMs: count,
    artifactBytes: count,
    /** The sum of all runs; null when one of them does not report it. */
    cpuMs: count.nullable(),
    /** The highest of all runs. */
    peakMemoryBytes: count.nullable(),
    uploadedBytes: count,
    /** The sum of all runs; left out when one of them does not report it. */
    uploadRequests: count.optional(),
    /** The sums of all runs, by kind; left out when one of them does not report it. */
    uploads: z.partialRecord(z.enum(uploadKinds), upload).optional(),
    runs: z.array(resourceUsage.extend({ attempt: z.int().positive(), complete: z.boolean() })),
  }),
});
export type IntegrityReport = z.infer<typeof integrityReport>;

/** What a recording lacks, of its integrity report. */
export const integritySummary = z.object({
  gapMs: count,
  /** The reason of most of the gaps; null: there are none. Absent: not reported. */
  gapReason: z.enum(gapReasons).nullable().optional(),
  /** Null: a run that failed knew it. */
  videoMissingMs: count.nullable(),
  /** The reason of most of the missing video; `audio_only`: no video was to be recorded. */
  videoMissingReason: z.enum(['audio_only', ...missingVideoReasons]).nullable(),
  /** Null: a run that failed knew it. */
  audioImpairedMs: count.nullable(),
  degradedMs: count.nullable(),
});
export type IntegritySummary = z.infer<typeof integritySummary>;

/** `integrity_summary` of the public API. */
export function describeIntegrity(summary: IntegritySummary | null) {
  if (summary === null) return null;
  const { gapMs, gapReason = null, videoMissingMs, videoMissingReason, audioImpairedMs, degradedMs } = summary;
  return {
    gap_ms: gapMs,
    gap_reason: gapReason,
    video_missing_ms: videoMissingMs,
    video_missing_reason: videoMissingReason,
    audio_impaired_ms: audioImpairedMs,
    degraded_ms: degradedMs,
  };
}
