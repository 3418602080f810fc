import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactKind, MeetingPlatformName, Participant, ArtifactParticipant } from '@rapporteur/contracts';
import {
  artifactFiles,
  finalizeRecording,
  mediaTimeOf,
  writeSpans,
  speechSpans,
  writeParticipantFile,
} from '@rapporteur/recorder';
import type {
  ConcludedRecording,
  IntegrityReport,
  RecordingPause,
  ParticipantAudio,
  RecordedParticipants,
} from '@rapporteur/recorder';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { CaptionLine } from '@rapporteur/speech-to-text';
import { chatMessages } from '../story/chat-artifact.ts';
import { participantEntries } from '../story/participants-artifact.ts';
import { listParticipantsOver, unknownName } from '../story/participant-list.ts';
import type { ParticipantList } from '../story/participant-list.ts';
import { speakerOf, speakerSpans } from '../story/speaker-spans.ts';
import type { AttemptStory } from '../story/speaker-spans.ts';
import { segmentKeys } from '../recording/segment-record.ts';
import type { InCallMaterial } from '../recording/fragment-store.ts';
import type { StoryEvent } from '../story/story-event.ts';
import type { AttemptMaterial } from './collect-attempts.ts';
import type { InCallFiles } from './in-call-files.ts';
import type { RunResourceUsage } from './integrity.ts';
import { mediaTypes } from './artifact-file.ts';
import type { ArtifactFile } from './artifact-file.ts';
import type { RunContext } from '../run-context.ts';

const posterType = 'image/jpeg';

export interface BuiltArtifacts {
  /** All but the report on them. */
  readonly files: readonly ArtifactFile[];
  readonly integrity: IntegrityReport;
  /** The reported resource usage of other runs of this bot. */
  readonly otherRuns: readonly RunResourceUsage[];
  /** Events in the records of runs that cannot be read. */
  readonly eventsLost: number;
  readonly durationMs: number;
  readonly participants: readonly Participant[];
  readonly speakers: readonly Participant[];
}

export interface BuildOptions extends Pick<RunContext, 'platform' | 'mode' | 'workFolder' | 'ffmpegPath' | 'logger'> {
  readonly attempts: readonly AttemptMaterial[];
  /** The number of this run. */
  readonly attempt: number;
  /** The artifacts are left here. */
  readonly folder: string;
  /** Whether each participant's audio is stored separately. */
  readonly participantAudio: boolean;
}

const nothingKnown = { cpuMs: null, peakMemoryBytes: null, uploadedBytes: 0 } as const;

/** No file can be made of the recording. */
export class NothingRecorded extends Error {
  override readonly name = 'NothingRecorded';
}

/**
 * Builds every artifact from the fragments of all attempts: video, audio, speaker times, chat and gaps.
 * @throws NothingRecorded when there is no usable fragment, Error when the files could not be built
 */
export async function buildArtifacts(options: BuildOptions): Promise<BuiltArtifacts> {
  const { folder, ffmpegPath, mode, logger } = options;
  const attempts = withoutOverlap(options.attempts);
  const usable = attempts.filter(
    (attempt) => attempt.initFile !== null && attempt.fragments.length > 0 && attempt.startedAtMs !== null,
  );
  if (usable.length === 0) throw new NothingRecorded('Nothing of the recording was stored.');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stories = attempts.map((attempt) => ({ events: attempt.events, endsAtMs: endsAtMs(attempt) }));
  const story = storyOf(stories, options.platform);
  const finalized = await finalizeRecording({
    attempts: usable.map((attempt) => recordingAttempt(attempt, options.workFolder)),
    workFolder: folder,
    ffmpegPath,
    mode,
    speakerTimeline: story.speakerTimeline,
    summaries: usable.flatMap((attempt) => attempt.end?.summary ?? []),
    participantAudio: options.participantAudio,
    whoIs: (participantId) => speakerOf(story.participants.identify(participantId, null, 0)),
  });
  logger.info({ ...reported(finalized), attempts: usable.length }, 'The artifacts are built.');
  const otherRuns = attempts
    .filter(({ attempt }) => attempt !== options.attempt)
    .map(({ attempt, resourceUsage, end }) => ({
      attempt,
      complete: end?.resourceUsage != null,
      ...(resourceUsage ?? nothingKnown),
    }));
  const eventsLost = attempts.reduce((total, attempt) => total + attempt.eventsLost, 0);
  return await withSmallFiles({ folder, story, concluded: finalized, otherRuns, eventsLost, logger }, [
    ...artifactFile('video', finalized.video, mediaTypes.video.contentType),
    ...artifactFile('audio', finalized.audio, mediaTypes.audio.contentType),
    ...artifactFile('audio_m4a', finalized.audioM4a, mediaTypes.audio_m4a.contentType),
    ...artifactFile('poster', finalized.poster, posterType),
  ]);
}

/** Builds every artifact from the files written during the meeting. @returns null when the fragments have to be used */
export async function completeIncrementalArtifacts(options: {
  readonly inCall: InCallFiles;
  readonly material: InCallMaterial;
  readonly platform: MeetingPlatformName;
  readonly folder: string;
  readonly participantAudio: boolean;
  readonly logger: Logger;
}): Promise<BuiltArtifacts | null> {
  const { inCall, material, folder, logger } = options;
  const { startedAtMs, recordedMs, pauses, summary, events } = material;
  const endMs = endOf(startedAtMs, pauses, recordedMs);
  const story = storyOf([{ events, endsAtMs: endMs }], options.platform);
  const incremental = await inCall.finish({
    attempts: [{ startedAtMs, pauses }],
    speakerTimeline: story.speakerTimeline,
    summaries: summary === null ? [] : [summary],
    participantAudio: options.participantAudio,
    whoIs: (participantId) => speakerOf(story.participants.identify(participantId, null, 0)),
  });
  if (incremental === null) return null;
  logger.info(reported(incremental), 'The artifacts are built; they grew with the meeting.');
  const media: ArtifactFile[] = [];
  for (const artifact of incremental.artifacts) {
    const { name, head, parts, tail } = artifact;
    if (parts > 0) media.push({ kind: name, ...mediaTypes[name], content: { incremental: artifact } });
    else {
      const file = join(folder, artifactFiles[name]);
      await writeSpans(file, [...head, ...tail]);
      media.push(...artifactFile(name, file, mediaTypes[name].contentType));
    }
  }
  media.push(...artifactFile('poster', incremental.poster, posterType));
  return await withSmallFiles({ folder, story, concluded: incremental, otherRuns: [], eventsLost: 0, logger }, media);
}

interface Story {
  readonly attempts: readonly AttemptStory[];
  readonly participants: ReturnType<typeof listParticipantsOver>;
  readonly speakerTimeline: ReturnType<typeof speakerSpans>;
}

function storyOf(attempts: readonly AttemptStory[], platform: MeetingPlatformName): Story {
  const participants = listParticipantsOver(attempts);
  return { attempts, participants, speakerTimeline: speakerSpans(attempts, participants, platform) };
}

function reported({ durationMs, integrity }: ConcludedRecording) {
  return { durationMs, gapMs: integrity.gapMs, fragments: integrity.fragments, ...integrity.resourceUsage };
}

interface Built {
  readonly folder: string;
  readonly story: Story;
  readonly concluded: ConcludedRecording;
  readonly otherRuns: readonly RunResourceUsage[];
  readonly eventsLost: number;
  readonly logger: Logger;
}

async function withSmallFiles(built: Built, media: readonly ArtifactFile[]): Promise<BuiltArtifacts> {
  const { folder, story, concluded, otherRuns, eventsLost, logger } = built;
  const { durationMs, integrity, clock, diarization, recordedParticipants } = concluded;
  const { attempts, participants } = story;
  const mediaMsOf = (epochMs: number): number => mediaTimeOf(epochMs, clock);
  const chat = join(folder, 'chat_messages.json');
  await writeFile(chat, JSON.stringify(chatMessages(attempts, participants, mediaMsOf)), { mode: 0o600 });
  const captions = await writeCaptions(captionsArtifact(attempts, participants, mediaMsOf), folder);
  const list = join(folder, 'participants.json');
  await writeFile(list, JSON.stringify(participantEntries(attempts, participants, mediaMsOf)), { mode: 0o600 });
  return {
    durationMs,
    integrity,
    otherRuns,
    eventsLost,
    participants: participants.participants,
    speakers: participants.speakers,
    files: [
      ...media,
      ...artifactFile('diarization', diarization, 'application/x-ndjson'),
      ...artifactFile('chat_messages', chat, 'application/json'),
      ...artifactFile('participants_file', list, 'application/json'),
      ...captions,
      ...(await participantFiles({ recordedParticipants, participants, folder, logger })),
    ],
  };
}

/** The captions of a meeting of which no media is left, from the first one on; null: there are none. */
export async function captionsFile(attempts: readonly AttemptStory[], folder: string): Promise<ArtifactFile | null> {
  const starts = attempts.flatMap(({ events }) =>
    events.flatMap((one) => (one.kind === 'caption' ? [one.startMs] : [])),
  );
  if (starts.length === 0) return null;
  const firstMs = starts.reduce((least, startMs) => Math.min(least, startMs));
  const lines = captionsArtifact(attempts, listParticipantsOver(attempts), (epochMs) => epochMs - firstMs);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return (await writeCaptions(lines, folder))[0] ?? null;
}

async function writeCaptions(lines: string | null, folder: string): Promise<ArtifactFile[]> {
  if (lines === null) return [];
  const file = join(folder, 'captions.jsonl');
  await writeFile(file, lines, { mode: 0o600 });
  return artifactFile('captions', file, 'application/x-ndjson');
}

function artifactFile(kind: ArtifactKind, file: string | undefined, contentType: string): ArtifactFile[] {
  if (file === undefined) return [];
  return [{ kind, content: { file }, key: `artifacts/${file.slice(file.lastIndexOf('/') + 1)}`, contentType }];
}

function recordingAttempt(attempt: AttemptMaterial, workFolder: string) {
  return {
    init: attempt.initFile ?? '',
    startedAtMs: attempt.startedAtMs ?? 0,
    pauses: attempt.pauses,
    audioFragmentPath: (index: number) => join(workFolder, segmentKeys.audio(attempt.attempt, index)),
    fragments: attempt.fragments.map(({ file, record }) => ({
      path: file,
      sequence: record.sequence,
      startMs: record.startMs,
      endMs: record.endMs,
      gapBefore: record.gapBefore,
    })),
  };
}

function endsAtMs({ startedAtMs, pauses, fragments }: AttemptMaterial): number {
  return endOf(startedAtMs ?? 0, pauses, fragments.at(-1)?.record.endMs ?? 0);
}

function endOf(startedAtMs: number, pauses: readonly RecordingPause[], recordedMs: number): number {
  const pausedMs = pauses.reduce((total, pause) => total + (pause.endMs ?? pause.startMs) - pause.startMs, 0);
  return startedAtMs + pausedMs + recordedMs;
}

/** Fragments that reach this far into the next attempt are kept: the join shifts that attempt by as much. */
const touchMs = 50;

/**
 * When a bot is moved, two runs record together for some seconds. The earlier recording ends where the later one begins
 * on their shared clock, at the end of its last fragment before that: less than one fragment (4 s) is a stated gap.
 */
export function withoutOverlap(attempts: readonly AttemptMaterial[]): AttemptMaterial[] {
  return attempts.map((attempt) => {
    const { startedAtMs, fragments, events } = attempt;
    const endMs = Math.min(
      ...attempts
        .filter((other) => other.attempt > attempt.attempt && other.fragments.length > 0)
        .map((other) => other.startedAtMs ?? Number.POSITIVE_INFINITY),
    );
    if (startedAtMs === null || endMs === Number.POSITIVE_INFINITY) return attempt;
    return {
      ...attempt,
      fragments: fragments.filter(({ record }) => epochMsOf(attempt, startedAtMs, record.endMs) <= endMs + touchMs),
      // Each run may have read a message that the other one has not.
      events: events.filter((event) => event.kind === 'chat' || timeOf(event) < endMs),
    };
  });
}

function timeOf(event: Exclude<StoryEvent, { kind: 'chat' }>): number {
  return 'atMs' in event ? event.atMs : event.startMs;
}

/** Media time excludes pauses; the clock does not. */
function epochMsOf({ pauses }: AttemptMaterial, startedAtMs: number, mediaMs: number): number {
  let epochMs = startedAtMs + mediaMs;
  for (const { startMs, endMs } of pauses.toSorted((one, other) => one.startMs - other.startMs))
    if (startMs < epochMs) epochMs += Math.max(0, (endMs ?? startMs) - startMs);
  return epochMs;
}

type CaptionEvent = Extract<StoryEvent, { kind: 'caption' }>;

/**
 * The artifact `captions`: JSON Lines with the last version of each stretch, ordered by start. Null when there are none
 * and the bot could not read any.
 * @param mediaMsOf the recording's time of an epoch time
 */
function captionsArtifact(
  attempts: readonly AttemptStory[],
  participants: ParticipantList,
  mediaMsOf: (epochMs: number) => number,
): string | null {
  const status = attempts
    .flatMap(({ events }) => events)
    .findLast((event): event is Extract<StoryEvent, { kind: 'captions' }> => event.kind === 'captions');
  // Ids are unique within one attempt.
  const captions = attempts.flatMap(({ events }) => [
    ...new Map(events.flatMap((event) => (event.kind === 'caption' ? [[event.id, event] as const] : []))).values(),
  ]);
  if (status?.available !== true && captions.length === 0) return null;
  const lines = captions
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => one.startMs - other.startMs)
    .map((caption) => JSON.stringify(lineOf(caption, participants, mediaMsOf)));
  return lines.map((line) => `${line}\n`).join('');
}

function lineOf(
  { participantId, name, text, language, isFinal, startMs, endMs }: CaptionEvent,
  participants: ParticipantList,
  mediaMsOf: (epochMs: number) => number,
): CaptionLine {
  const seconds = (epochMs: number): number => Math.round(Math.max(0, mediaMsOf(epochMs))) / 1_000;
  const { id, name: known, candidates } = participants.identify(participantId, name, startMs);
  return {
    text,
    language,
    speaker: known ?? unknownName,
    speaker_id: id,
    ...(candidates.length > 0 ? { speaker_candidates: [...candidates] } : {}),
    start: seconds(startMs),
    end: seconds(endMs),
    is_final: isFinal,
  };
}

interface ParticipantFilesOptions {
  readonly recordedParticipants: RecordedParticipants;
  readonly participants: ParticipantList;
  /** The files are left here. */
  readonly folder: string;
  readonly logger: Logger;
}

/** Limit of files in one report to the storage service, less the other artifacts. */
const filesMost = 80;
/** Written at once. */
const writersMost = 4;

interface SpeakingParticipant {
  readonly participant: ArtifactParticipant;
  readonly audioRuns: readonly ParticipantAudio[];
}

/** A file for each participant with speech on a track of their own. A file that can't be written is left out. */
export async function participantFiles(options: ParticipantFilesOptions): Promise<ArtifactFile[]> {
  const { folder, logger, recordedParticipants } = options;
  const speaking = speakingParticipants(options);
  if (speaking.length > filesMost)
    logger.warn({ speaking: speaking.length, filesMost }, 'Only those who spoke most get a file of their own.');
  const waiting = speaking
    .slice(0, filesMost)
    .map((one, index) => ({ ...one, name: fileName(one.participant, index) }));
  const files: ArtifactFile[] = [];
  const write = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { participant, audioRuns, name } = next;
      const file = join(folder, name);
      try {
        await writeParticipantFile({ path: file, audioRuns, recording: recordedParticipants });
        const key = `artifacts/${name}`;
        files.push({ kind: 'participant_audio', content: { file }, key, contentType: 'audio/ogg', participant });
      } catch (error) {
        logger.warn({ err: error, participant: participant.id }, 'A participant’s own audio could not be written.');
      }
    }
  };
  await Promise.all(Array.from({ length: writersMost }, write));
  return files.toSorted((one, other) => (one.participant?.id ?? Infinity) - (other.participant?.id ?? Infinity));
}

/** Ordered by speech time, longest first. A participant who is on no list has an entry of their own. */
function speakingParticipants({ recordedParticipants, participants }: ParticipantFilesOptions): SpeakingParticipant[] {
  const byParticipant = new Map<string, { id: number | null; audioRuns: ParticipantAudio[] }>();
  for (const audio of recordedParticipants.ownAudio) {
    const id = participants.idOf(audio.participantId);
    const place = id === null ? `speaker ${audio.participantId}` : `participant ${id}`;
    const known = byParticipant.get(place);
    if (known) known.audioRuns.push(audio);
    else byParticipant.set(place, { id, audioRuns: [audio] });
  }
  return [...byParticipant.values()]
    .map(({ id, audioRuns }) => {
      const spokenMs = speechSpans(audioRuns).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
      const name = nameOf(audioRuns, participants);
      return { participant: { id, name, speechSeconds: spokenMs / 1_000 }, audioRuns };
    })
    .toSorted((one, other) => other.participant.speechSeconds - one.participant.speechSeconds);
}

function nameOf(audioRuns: readonly ParticipantAudio[], participants: ParticipantList): string {
  const names = audioRuns.map(
    ({ participantId, participantName }) => participants.nameOf(participantId) ?? participantName,
  );
  return names.findLast((name) => name !== null) ?? unknownName;
}

function fileName({ id }: ArtifactParticipant, index: number): string {
  return id === null ? `participant-unlisted-${index + 1}.ogg` : `participant-${id}.ogg`;
}
