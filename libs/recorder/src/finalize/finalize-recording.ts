import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDiarization, mediaTimeOf } from '../diarization/build-diarization.ts';
import type { RecordingClock, SpeakerSpan } from '../diarization/build-diarization.ts';
import type { RecordingGap, RecordingMode, RecordingSummary } from '../recorder-ports.ts';
import { joinFragments, touchMs } from './join-fragments.ts';
import type { JoinedRecording, RecordingAttempt } from './join-fragments.ts';
import { runFfmpeg } from './run-ffmpeg.ts';

export interface FinalizeOptions {
  readonly attempts: readonly RecordingAttempt[];
  /** Made when missing. The artifacts and nothing else are left in it. */
  readonly workFolder: string;
  readonly ffmpegPath: string;
  readonly mode: RecordingMode;
  /** Who spoke when, epoch ms; without it there is no diarization. */
  readonly speakerTimeline?: readonly SpeakerSpan[];
  /** The recording is cut here. */
  readonly durationLimitMs?: number;
  /** What the runners said when they ended; a runner that died said nothing. */
  readonly summaries?: readonly RecordingSummary[];
  /** How long ffmpeg may take: 15 minutes when left out. */
  readonly deadlineMs?: number;
}

export interface FinalizedRecording {
  /** MP4: H.264 as recorded, AAC, index at the beginning. Absent when there is no picture. */
  readonly video?: string;
  /** FLAC, mono, 48 kHz. */
  readonly audio: string;
  /** JSON Lines. */
  readonly diarization?: string;
  readonly durationMs: number;
  /** Places moments on the recording, as `mediaTimeOf` wants it. */
  readonly clock: RecordingClock;
  readonly integrity: IntegrityReport;
}

/** What a recording holds and what it lacks; becomes the artifact `integrity`. */
export interface IntegrityReport {
  readonly version: 1;
  readonly mode: RecordingMode;
  /** How the media was taken, by attempt; `unknown` for a runner that died. */
  readonly ways: readonly (RecordingSummary['way'] | 'unknown')[];
  readonly durationMs: number;
  readonly gaps: readonly RecordingGap[];
  readonly gapMs: number;
  /** Spans that were cut out on purpose: where, in media time, and how long; null when the runner ended in it. */
  readonly pauses: readonly { readonly atMs: number; readonly lastedMs: number | null }[];
  /** Of the shown tracks, as far as the runners could say. */
  readonly framesReceived: number | null;
  readonly framesEncoded: number | null;
  /** In the files. */
  readonly framesStored: number;
  readonly audioPacketsStored: number;
  readonly fragments: number;
  readonly bytes: number;
  readonly missingSequences: JoinedRecording['missing'];
  /** Sound's beginning minus the picture's; null without a picture. */
  readonly startOffsetMs: number | null;
  readonly endedCleanly: boolean;
}

/**
 * Builds the artifacts from the stored fragments of one recording: in the runner after the call, or anywhere after a
 * crash. A pure function of the files: run it again and the same comes out. The picture is copied; only sound is encoded.
 * @throws Error when no fragment is usable, or when ffmpeg fails or outlasts its deadline (its own words are in it)
 */
export async function finalizeRecording(options: FinalizeOptions): Promise<FinalizedRecording> {
  const { workFolder } = options;
  await mkdir(workFolder, { recursive: true });
  const joinedPath = join(workFolder, 'joined.part.mp4');
  try {
    const joined = await joinFragments(options.attempts, joinedPath);
    const durationMs = Math.min(joined.durationMs, options.durationLimitMs ?? Infinity);
    const withPicture = options.mode === 'speaker_view' && joined.hasPicture;
    const audio = join(workFolder, 'audio.flac');
    const video = withPicture ? join(workFolder, 'video.mp4') : null;
    await encode({ joinedPath, audio, video, durationMs }, options);
    const clock = clockOf(options, durationMs);
    const diarization = await writeDiarization(options, clock);
    return {
      ...(video ? { video } : {}),
      audio,
      ...(diarization ? { diarization } : {}),
      durationMs,
      clock,
      integrity: integrityOf(options, joined, clock),
    };
  } finally {
    await rm(joinedPath, { force: true });
  }
}

interface EncodePlan {
  readonly joinedPath: string;
  readonly audio: string;
  readonly video: string | null;
  readonly durationMs: number;
}

async function encode(plan: EncodePlan, options: FinalizeOptions): Promise<void> {
  const seconds = (plan.durationMs / 1_000).toFixed(3);
  // Lost fragments become silence, and sound lasts exactly as long as the recording.
  const filled = ['-af', `aresample=48000:async=1:first_pts=0,apad=whole_dur=${seconds}`, '-t', seconds];
  const audioPart = `${plan.audio}.part`;
  const videoPart = `${plan.video}.part`;
  const videoOutput = [
    ...'-map 0:v:0 -map 0:a:0 -c:v copy -c:a aac -b:a 96k -movflags +faststart -f mp4'.split(' '),
    ...filled,
    videoPart,
  ];
  const audioOutput = [...'-map 0:a:0 -c:a flac -sample_fmt s16 -f flac'.split(' '), ...filled, audioPart];
  try {
    await runFfmpeg(
      options.ffmpegPath,
      ['-copyts', '-i', plan.joinedPath, ...(plan.video ? videoOutput : []), ...audioOutput],
      options.deadlineMs ?? 900_000,
    );
    if (plan.video) await rename(videoPart, plan.video);
    await rename(audioPart, plan.audio);
  } finally {
    await rm(audioPart, { force: true });
    await rm(videoPart, { force: true });
  }
}

function clockOf({ attempts }: FinalizeOptions, durationMs: number): RecordingClock {
  const inOrder = attempts.toSorted((left, right) => left.startedAtMs - right.startedAtMs);
  // A pause that a runner died in ends where the next one began to record.
  const pauses = inOrder.flatMap((attempt, index) =>
    (attempt.pauses ?? []).map(({ startMs, endMs }) => ({
      startMs,
      endMs: endMs ?? inOrder[index + 1]?.startedAtMs ?? null,
    })),
  );
  return { startedAtMs: inOrder[0]?.startedAtMs ?? 0, pauses, durationMs };
}

async function writeDiarization(options: FinalizeOptions, clock: RecordingClock): Promise<string | null> {
  if (!options.speakerTimeline) return null;
  const path = join(options.workFolder, 'diarization.jsonl');
  await writeFile(`${path}.part`, buildDiarization(options.speakerTimeline, clock));
  await rename(`${path}.part`, path);
  return path;
}

function integrityOf(options: FinalizeOptions, joined: JoinedRecording, clock: RecordingClock): IntegrityReport {
  const summaries = options.summaries ?? [];
  const complete = summaries.length === options.attempts.length;
  const sum = (pick: (summary: RecordingSummary) => number): number | null =>
    complete ? summaries.reduce((total, summary) => total + pick(summary), 0) : null;
  const gaps = [...joined.gaps, ...lostEnd(options, joined)];
  const wayOf = (attempt: RecordingAttempt): RecordingSummary['way'] | 'unknown' =>
    summaries.find((summary) => summary.startedAtMs === attempt.startedAtMs)?.way ?? 'unknown';
  return {
    version: 1,
    mode: options.mode,
    ways: options.attempts.map(wayOf),
    durationMs: clock.durationMs,
    gaps,
    gapMs: gaps.reduce((total, gap) => total + gap.endMs - gap.startMs, 0),
    pauses: clock.pauses.map(({ startMs, endMs }) => ({
      atMs: Math.round(mediaTimeOf(startMs, clock)),
      lastedMs: endMs === null ? null : Math.round(endMs - startMs),
    })),
    framesReceived: sum((summary) => summary.framesReceived),
    framesEncoded: sum((summary) => summary.framesEncoded),
    framesStored: joined.videoSamples,
    audioPacketsStored: joined.audioSamples,
    fragments: joined.fragments,
    bytes: joined.bytes,
    missingSequences: joined.missing,
    startOffsetMs: joined.startOffsetMs,
    endedCleanly: complete && summaries.every((summary) => summary.endedCleanly),
  };
}

/** What the last runner had recorded beyond the last stored fragment. */
function lostEnd(options: FinalizeOptions, joined: JoinedRecording): RecordingGap[] {
  const last = options.attempts.toSorted((left, right) => left.startedAtMs - right.startedAtMs).at(-1);
  const summary = options.summaries?.find((one) => one.startedAtMs === last?.startedAtMs);
  const endMs = Math.round(joined.lastOffsetMs + (summary?.durationMs ?? 0));
  // Damaged fragments at the end are a stated gap already.
  const knownMs = Math.max(joined.durationMs, joined.gaps.at(-1)?.endMs ?? 0);
  return endMs - knownMs < touchMs ? [] : [{ startMs: knownMs, endMs, reason: 'missing_fragments' }];
}
