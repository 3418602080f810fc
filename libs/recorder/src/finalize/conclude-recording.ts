import { join } from 'node:path';
import type { IntegrityReport as Report } from '@rapporteur/contracts';
import { buildDiarization, mediaTimeOf } from '../diarization/build-diarization.ts';
import type { RecordingClock, Speaker, SpeakerSpan } from '../diarization/build-diarization.ts';
import type { RecordingGap, RecordingMode, RecordingPause, RecordingSummary } from '../recorder-ports.ts';
import { speechSpans } from '../participant-audio/participant-audio-files.ts';
import type { RecordedParticipants } from '../participant-audio/participant-audio-files.ts';
import { writeSpans } from '../span-files.ts';
import { touchMs } from './join-fragments.ts';
import type { JoinedRecording } from './join-fragments.ts';

export interface ConcludeOptions {
  readonly attempts: readonly { readonly startedAtMs: number; readonly pauses?: readonly RecordingPause[] }[];
  /** The folder of the small artifacts. */
  readonly workFolder: string;
  readonly mode: RecordingMode;
  /** The speakers over time, epoch ms; without it there is no diarization. */
  readonly speakerTimeline?: readonly SpeakerSpan[];
  /** The summaries of the runners when they ended; a killed runner has none. */
  readonly summaries?: readonly RecordingSummary[];
  /** False: participants' audio was not recorded separately. */
  readonly participantAudio?: boolean;
  /** One of the platform's participants, as the recording's lists have it. */
  whoIs?(participantId: string): Speaker;
}

export interface ConcludedRecording {
  /** JSON Lines. */
  readonly diarization?: string;
  readonly durationMs: number;
  /** Maps times to the recording, for `mediaTimeOf`. */
  readonly clock: RecordingClock;
  readonly integrity: IntegrityReport;
  readonly recordedParticipants: RecordedParticipants;
}

type Differing = 'files' | 'eventsLost' | 'participantAudio' | 'resourceUsage';

/** The artifact `integrity` without the stored files and the resource usage: the runner adds them. */
export interface IntegrityReport extends Omit<Report, Differing> {
  readonly participantAudio: NonNullable<Report['participantAudio']>;
  readonly resourceUsage: FileResourceUsage;
}

type FileResourceUsage = Pick<Report['resourceUsage'], 'filesMade' | 'encodingCpuMs' | 'artifactBytes'>;

/** Everything about a recording except its media: times, speakers, and gaps. */
export async function concludeRecording(
  options: ConcludeOptions,
  joined: JoinedRecording,
  made: { readonly resourceUsage: FileResourceUsage; readonly recordedParticipants: RecordedParticipants },
): Promise<ConcludedRecording> {
  const clock = clockOf(options, joined.durationMs);
  const diarization = await writeDiarization(options, clock, made.recordedParticipants);
  return {
    ...(diarization ? { diarization } : {}),
    durationMs: joined.durationMs,
    clock,
    integrity: integrityOf(options, joined, { clock, ...made }),
    recordedParticipants: made.recordedParticipants,
  };
}

function clockOf({ attempts }: ConcludeOptions, durationMs: number): RecordingClock {
  const inOrder = attempts.toSorted((left, right) => left.startedAtMs - right.startedAtMs);
  // A pause in which a runner failed ends where the next one began to record.
  const pauses = inOrder.flatMap((attempt, index) =>
    (attempt.pauses ?? []).map(({ startMs, endMs }) => ({
      startMs,
      endMs: endMs ?? inOrder[index + 1]?.startedAtMs ?? null,
    })),
  );
  return { startedAtMs: inOrder[0]?.startedAtMs ?? 0, pauses, durationMs };
}

async function writeDiarization(
  options: ConcludeOptions,
  clock: RecordingClock,
  { ownAudio }: RecordedParticipants,
): Promise<string | null> {
  if (!options.speakerTimeline) return null;
  const path = join(options.workFolder, 'diarization.jsonl');
  const own = ownAudio.map((audio) => {
    const speaker = options.whoIs?.(audio.participantId);
    const name = speaker?.name ?? audio.participantName;
    return { ...speaker, name, participantId: audio.participantId, spans: speechSpans([audio]) };
  });
  await writeSpans(path, [{ bytes: Buffer.from(buildDiarization(options.speakerTimeline, clock, own)) }]);
  return path;
}

function integrityOf(
  options: ConcludeOptions,
  joined: JoinedRecording,
  made: {
    readonly clock: RecordingClock;
    readonly resourceUsage: FileResourceUsage;
    readonly recordedParticipants: RecordedParticipants;
  },
): IntegrityReport {
  const { clock, resourceUsage, recordedParticipants } = made;
  const summaries = options.summaries ?? [];
  const complete = summaries.length === options.attempts.length;
  const sum = (pick: (summary: RecordingSummary) => number): number | null =>
    complete ? summaries.reduce((total, summary) => total + pick(summary), 0) : null;
  const gaps = [...joined.gaps, ...lostEnd(options, joined)];
  const strategiesOf = ({
    startedAtMs,
  }: {
    readonly startedAtMs: number;
  }): IntegrityReport['captureStrategies'][number] => {
    const summary = summaries.find((one) => one.startedAtMs === startedAtMs);
    if (summary === undefined) return null;
    const offsetMs = mediaTimeOf(startedAtMs, clock);
    const switches = summary.switches.map((change) => ({
      ...change,
      atMs: Math.round(offsetMs + change.atMs),
    }));
    return { strategy: summary.strategy, thread: summary.thread, switches };
  };
  return {
    version: 1,
    mode: options.mode,
    captureStrategies: options.attempts.map(strategiesOf),
    durationMs: clock.durationMs,
    gaps,
    gapMs: gaps.reduce((total, gap) => total + gap.endMs - gap.startMs, 0),
    pauses: clock.pauses.map(({ startMs, endMs }) => ({
      atMs: Math.round(mediaTimeOf(startMs, clock)),
      lastedMs: endMs === null ? null : Math.round(endMs - startMs),
    })),
    videoMissing: complete ? spansOf(summaries, clock, ({ videoMissing }) => videoMissing) : null,
    degradations: complete ? spansOf(summaries, clock, ({ degradations }) => degradations) : null,
    audioImpaired: complete ? spansOf(summaries, clock, ({ audioImpaired }) => audioImpaired) : null,
    framesReceived: sum((summary) => summary.framesReceived),
    framesEncoded: sum((summary) => summary.framesEncoded),
    framesRepeated: sum((summary) => summary.framesRepeated),
    framesSkippedByRateLimit: sum((summary) => summary.framesSkippedByRateLimit),
    framesDropped: sum((summary) => summary.framesDropped),
    framesStored: joined.videoSamples,
    audioPacketsStored: joined.audioSamples,
    audioDiscontinuities: sum((summary) => summary.audioDiscontinuities),
    lateAudioMs: sum((summary) => summary.lateAudioMs),
    participantAudio: {
      state: stateOf(
        options,
        recordedParticipants,
        sum((summary) => summary.audioOwnersReported),
      ),
      sharedMs: sum((summary) => summary.audioSharedMs),
      unownedMs: sum((summary) => summary.audioUnownedMs),
    },
    fragments: joined.fragments,
    bytes: joined.bytes,
    missingSequences: joined.missing.map(({ attempt, sequences }) => ({ attempt, sequences: [...sequences] })),
    startOffsetMs: joined.startOffsetMs,
    endedCleanly: complete && summaries.every((summary) => summary.endedCleanly),
    resourceUsage,
  };
}

/** In times of the whole recording. */
function spansOf<Span extends { readonly startMs: number; readonly endMs: number; readonly reason: string }>(
  summaries: readonly RecordingSummary[],
  clock: RecordingClock,
  spans: (summary: RecordingSummary) => readonly Span[],
): { startMs: number; endMs: number; reason: Span['reason'] }[] {
  return summaries
    .flatMap((summary) => {
      const placed = (ms: number): number => Math.round(mediaTimeOf(summary.startedAtMs, clock) + ms);
      return spans(summary).map(({ startMs, endMs, reason }) => ({
        startMs: placed(startMs),
        endMs: placed(endMs),
        reason,
      }));
    })
    .toSorted((one, other) => one.startMs - other.startMs);
}

function stateOf(
  { participantAudio }: ConcludeOptions,
  { ownAudio }: RecordedParticipants,
  ownersReported: number | null,
): IntegrityReport['participantAudio']['state'] {
  if (ownAudio.length > 0) return 'recorded';
  if (participantAudio === false) return 'off';
  if (ownersReported === null) return null;
  return ownersReported > 0 ? 'recorded' : 'not_offered';
}

/** The last runner's recording after the last stored fragment. */
function lostEnd(options: ConcludeOptions, joined: JoinedRecording): RecordingGap[] {
  const last = options.attempts.toSorted((left, right) => left.startedAtMs - right.startedAtMs).at(-1);
  const summary = options.summaries?.find((one) => one.startedAtMs === last?.startedAtMs);
  const endMs = Math.round(joined.lastOffsetMs + (summary?.durationMs ?? 0));
  // Damaged fragments at the end are a reported gap already.
  const knownMs = Math.max(joined.durationMs, joined.gaps.at(-1)?.endMs ?? 0);
  return endMs - knownMs < touchMs ? [] : [{ startMs: knownMs, endMs, reason: 'missing_fragments' }];
}
