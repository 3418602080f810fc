import type { Artifact } from '@rapporteur/contracts';
import type { Transcript } from '@rapporteur/speech-to-text';
import { attribute } from '../attribution/attribute.ts';
import type { AttributedUtterance } from '../attribution/attribute.ts';
import { readTimeline } from '../attribution/speaker-timeline.ts';
import type { SpeakerTurn } from '../attribution/speaker-timeline.ts';
import type { JobRow, PartRow } from '../schema/entities.ts';
import type { BotFiles, NewFile } from '../storage/recording-store.ts';
import { rawTranscriptionDocument, transcriptionDocument } from './documents.ts';
import type { TimedPart } from './documents.ts';
import { subRip, webVtt } from './subtitles.ts';

export interface StoredTranscript {
  readonly artifacts: readonly Artifact[];
  readonly utterances: readonly AttributedUtterance[];
}

/** Writes every artifact of a transcribed job. Idempotent: the keys contain the job id. */
export async function storeArtifacts(
  files: BotFiles,
  job: JobRow,
  parts: readonly PartRow[],
  nowMs: number,
): Promise<StoredTranscript> {
  const transcribed = parts.map(({ participant, transcript, submitted_at }): TimedPart => ({
    participant,
    transcript: JSON.parse(transcript ?? '') as Transcript,
    tookMs: nowMs - (submitted_at ?? job.created_at).getTime(),
  }));
  const { request } = job;
  const needsTimeline = transcribed.some(({ participant }) => participant === null);
  const timeline = needsTimeline ? await timelineOf(files, job) : [];
  const utterances = attribute(transcribed, { timeline, participants: request.participants });
  const facts = {
    botId: job.bot_id,
    provider: job.provider,
    durationMs: request.durationMs,
    createdAt: new Date(nowMs).toISOString(),
  };
  const written: Artifact[] = [];
  const json = 'application/json';
  const documents: readonly Omit<NewFile, 'key'>[] = [
    { kind: 'transcription', contentType: json, content: JSON.stringify(transcriptionDocument(facts, utterances)) },
    {
      kind: 'raw_transcription',
      contentType: json,
      content: JSON.stringify(rawTranscriptionDocument(facts, transcribed)),
    },
    { kind: 'transcription_vtt', contentType: 'text/vtt', content: webVtt(utterances) },
    { kind: 'transcription_srt', contentType: 'application/x-subrip', content: subRip(utterances) },
  ];
  for (const document of documents) {
    written.push(await files.write({ ...document, key: transcriptionFile(job.id, document.kind) }));
  }
  return { artifacts: written, utterances };
}

/** The key of a job's artifact, relative to the bot's files. */
export function transcriptionFile(jobId: string, kind: Artifact['kind']): string {
  return `artifacts/transcripts/${jobId}/${fileNames[kind]}`;
}

const fileNames: Readonly<Partial<Record<Artifact['kind'], string>>> = {
  transcription: 'transcription.json',
  raw_transcription: 'raw_transcription.json',
  transcription_vtt: 'transcription.vtt',
  transcription_srt: 'transcription.srt',
};

/** True when the bot recorded the participants' speech and found none. False when unknown. */
export async function noParticipantSpoke(files: BotFiles, { request }: JobRow): Promise<boolean> {
  const diarization = request.artifacts.find(({ kind }) => kind === 'diarization');
  return diarization !== undefined && (await files.read(diarization.key)).toString('utf8').trim() === '';
}

async function timelineOf(files: BotFiles, { request }: JobRow): Promise<SpeakerTurn[]> {
  const diarization = request.artifacts.find(({ kind }) => kind === 'diarization');
  return diarization === undefined ? [] : readTimeline((await files.read(diarization.key)).toString('utf8'));
}
