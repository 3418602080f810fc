import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact, ArtifactKind, Person } from '@rapporteur/contracts';
import { finalizeRecording, mediaTimeOf } from '@rapporteur/recorder';
import type { Logger } from '@rapporteur/service-runtime';
import { chatMessages } from '../story/chat-artifact.ts';
import { listPeople } from '../story/people-list.ts';
import { speakerSpans } from '../story/speaker-spans.ts';
import type { AttemptMaterial } from './collect-attempts.ts';

export interface ArtifactFile {
  readonly kind: ArtifactKind;
  readonly file: string;
  readonly key: string;
  readonly contentType: string;
}

export interface BuiltArtifacts {
  readonly files: readonly ArtifactFile[];
  readonly durationMs: number;
  readonly participants: readonly Person[];
  readonly speakers: readonly Person[];
}

export interface BuildOptions {
  readonly attempts: readonly AttemptMaterial[];
  readonly mode: 'speaker_view' | 'audio_only';
  /** The artifacts are left here. */
  readonly folder: string;
  readonly ffmpegPath: string;
  readonly deadlineMs: number;
  readonly logger: Logger;
}

export type StoredArtifact = Artifact;

/** Nothing of the recording can be made into a file. */
export class NothingRecorded extends Error {
  override readonly name = 'NothingRecorded';
}

/**
 * Builds every artifact from what all attempts left: picture, sound, who spoke when, chat, and what is missing.
 * @throws NothingRecorded when there is no usable fragment, Error when the files could not be built
 */
export async function buildArtifacts(options: BuildOptions): Promise<BuiltArtifacts> {
  const { attempts, folder, ffmpegPath, mode, deadlineMs, logger } = options;
  const usable = attempts.filter(
    (attempt) => attempt.initFile !== null && attempt.fragments.length > 0 && attempt.startedAtMs !== null,
  );
  if (usable.length === 0) throw new NothingRecorded('Nothing of the recording was stored.');
  await mkdir(folder, { recursive: true });
  const events = attempts.flatMap((attempt) => attempt.events);
  const people = listPeople(events);
  const finalized = await finalizeRecording({
    attempts: usable.map(recordingAttempt),
    workFolder: folder,
    ffmpegPath,
    mode,
    deadlineMs,
    speakerTimeline: speakerSpans(
      attempts.map((attempt) => ({ events: attempt.events, endsAtMs: endsAtMs(attempt) })),
      people,
    ),
    summaries: usable.flatMap((attempt) => attempt.end?.summary ?? []),
  });
  const { durationMs, integrity, clock } = finalized;
  logger.info(
    { durationMs, gapMs: integrity.gapMs, fragments: integrity.fragments, attempts: usable.length },
    'The artifacts are built.',
  );
  const chat = join(folder, 'chat_messages.json');
  await writeFile(chat, JSON.stringify(chatMessages(events, people, (epochMs) => mediaTimeOf(epochMs, clock))));
  const integrityFile = join(folder, 'integrity.json');
  await writeFile(integrityFile, JSON.stringify(integrity));
  return {
    durationMs,
    participants: people.participants,
    speakers: people.speakers,
    files: [
      ...artifactFile('video', finalized.video, 'video/mp4'),
      ...artifactFile('audio', finalized.audio, 'audio/flac'),
      ...artifactFile('diarization', finalized.diarization, 'application/x-ndjson'),
      ...artifactFile('chat_messages', chat, 'application/json'),
      ...artifactFile('integrity', integrityFile, 'application/json'),
    ],
  };
}

function artifactFile(kind: ArtifactKind, file: string | undefined, contentType: string): ArtifactFile[] {
  if (file === undefined) return [];
  return [{ kind, file, key: `artifacts/${file.slice(file.lastIndexOf('/') + 1)}`, contentType }];
}

function recordingAttempt(attempt: AttemptMaterial) {
  return {
    init: attempt.initFile ?? '',
    startedAtMs: attempt.startedAtMs ?? 0,
    pauses: attempt.pauses,
    fragments: attempt.fragments.map(({ file, record }) => ({
      path: file,
      sequence: record.sequence,
      startMs: record.startMs,
      endMs: record.endMs,
    })),
  };
}

function endsAtMs({ startedAtMs, pauses, fragments }: AttemptMaterial): number {
  const pausedMs = pauses.reduce((total, pause) => total + (pause.endMs ?? pause.startMs) - pause.startMs, 0);
  return (startedAtMs ?? 0) + pausedMs + (fragments.at(-1)?.record.endMs ?? 0);
}
