import type { Artifact } from '@rapporteur/contracts';
import { shiftTranscript, spreadOverSpeech, withoutLoops, textOfWords } from '@rapporteur/speech-to-text';
import type { Transcript } from '@rapporteur/speech-to-text';
import { attribute, readTimeline } from '../attribution/attribute.ts';
import type { AttributedUtterance, SpeakerTurn } from '../attribution/attribute.ts';
import type { JobRow, PartParticipant, PartRow, SpeakerName } from '../schema/entities.ts';
import type { BotFiles, NewFile } from '../storage/recording-store.ts';
import { rawTranscriptionDocument, transcriptionDocument, withNames } from './documents.ts';
import type { MissingSpan, TimedPart, TranscriptionDocument } from './documents.ts';

export interface StoredTranscript {
  readonly artifacts: readonly Artifact[];
  readonly utterances: readonly AttributedUtterance[];
  /** Which spans are not transcribed, and why; null: none. */
  readonly missing: string | null;
}

interface StoredBeside {
  readonly timeline: readonly SpeakerTurn[];
  readonly nowMs: number;
  /** Given to the speakers. */
  readonly names: readonly SpeakerName[];
}

/** Writes every artifact of a transcribed job. Idempotent: the keys contain the job id. */
export async function storeArtifacts(
  files: BotFiles,
  job: JobRow,
  parts: readonly PartRow[],
  { timeline, nowMs, names }: StoredBeside,
): Promise<StoredTranscript> {
  const { request } = job;
  const transcribed = parts.flatMap((part): TimedPart[] => {
    if (part.transcript === null) return [];
    const read = transcriptIn(part.transcript);
    const transcript = inRecording(read, part, { timeline, durationMs: request.durationMs });
    const tookMs = nowMs - (part.submitted_at ?? job.created_at).getTime();
    return [{ participant: part.participant, transcript, tookMs }];
  });
  const missing = parts.filter(({ state }) => state === 'failed').map((part) => missingPart(part, request.durationMs));
  const utterances = attribute(transcribed, { timeline, participants: request.participants });
  const facts = {
    botId: job.bot_id,
    provider: job.provider,
    durationMs: request.durationMs,
    createdAt: new Date(nowMs).toISOString(),
  };
  const raw = JSON.stringify(rawTranscriptionDocument(facts, transcribed));
  const written = await writeFiles(files, job.id, [
    ...filesOf(withNames(transcriptionDocument(facts, utterances, missing), names)),
    { kind: 'raw_transcription', contentType: json, content: raw },
  ]);
  const sentences = missing.map(({ speaker, start, end, reason }) => {
    return `${speaker ?? 'The meeting'} from ${start} s to ${end} s: ${reason}`;
  });
  return {
    artifacts: written,
    utterances,
    missing: missing.length === 0 ? null : `Not transcribed: ${sentences.join(' ')}`,
  };
}

const json = 'application/json';
type TranscriptFile = Omit<NewFile, 'key'>;

/** What is written of the document. */
export function filesOf(document: TranscriptionDocument): TranscriptFile[] {
  return [
    { kind: 'transcription', contentType: json, content: JSON.stringify(document) },
    { kind: 'transcription_vtt', contentType: 'text/vtt', content: webVtt(document) },
    { kind: 'transcription_srt', contentType: 'application/x-subrip', content: subRip(document) },
  ];
}

export async function writeFiles(
  files: BotFiles,
  jobId: string,
  documents: readonly TranscriptFile[],
): Promise<Artifact[]> {
  const written: Artifact[] = [];
  for (const document of documents) {
    written.push(await files.write({ ...document, key: transcriptionFile(jobId, document.kind) }));
  }
  return written;
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

export const transcriptIn = (text: string): Transcript => JSON.parse(text) as Transcript;

/** The transcript of a part on the time line of the recording, with times where the provider gives none. */
function inRecording(
  transcript: Transcript,
  { from_ms, to_ms, participant }: PartRow,
  { timeline, durationMs }: { readonly timeline: readonly SpeakerTurn[]; readonly durationMs: number },
): Transcript {
  const [startMs, endMs] = [from_ms ?? 0, to_ms ?? durationMs];
  const speech = timeline
    .filter(
      (turn) => (participant === null || isTurnOf(turn, participant)) && turn.startMs < endMs && turn.endMs > startMs,
    )
    .map((turn) => ({ startMs: Math.max(0, turn.startMs - startMs), endMs: Math.min(turn.endMs, endMs) - startMs }));
  const placed = spreadOverSpeech(transcript, speech, endMs - startMs);
  return shiftTranscript(withoutLoops(placed, speech), startMs);
}

function isTurnOf({ speaker, speakerId }: SpeakerTurn, { id, name }: PartParticipant): boolean {
  return speakerId == null ? speaker === name : speakerId === id;
}

function missingPart({ from_ms, to_ms, participant, problem }: PartRow, durationMs: number): MissingSpan {
  const [start, end] = [(from_ms ?? 0) / 1_000, (to_ms ?? durationMs) / 1_000];
  const speaker = { speaker: participant?.name ?? null, speaker_id: participant?.id ?? null, original_speaker: null };
  return { ...speaker, start, end, reason: problem ?? '' };
}

/** What is known of a recording, besides its audio. */
export interface RecordingFacts {
  /** Speech of the participants, by the diarization; empty where the bot did not record it. */
  readonly timeline: readonly SpeakerTurn[];
  /** The bot recorded the participants' speech and found none. */
  readonly isSilent: boolean;
}

export async function readFacts(files: BotFiles, job: JobRow): Promise<RecordingFacts> {
  const diarization = await readArtifact(files, job, 'diarization');
  return { timeline: readTimeline(diarization ?? ''), isSilent: diarization?.trim() === '' };
}

/** The text of an artifact; null: the recording has none. */
export async function readArtifact(
  files: BotFiles,
  { request }: JobRow,
  wanted: Artifact['kind'],
): Promise<string | null> {
  const found = request.artifacts.find(({ kind }) => kind === wanted);
  return found === undefined ? null : (await files.read(found.key)).toString('utf8');
}

interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly speaker: string;
  readonly text: string;
}

const longestCueMs = 6_000;
const longestCueLetters = 84;

/** WebVTT: one cue per few seconds of speech, with a voice span. */
function webVtt(document: TranscriptionDocument): string {
  const cues = cuesOf(document).map(
    ({ startMs, endMs, speaker, text }) =>
      `${timeOf(startMs, '.')} --> ${timeOf(endMs, '.')}\n<v ${escapeText(speaker)}>${escapeText(text)}</v>\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

/** SubRip. */
function subRip(document: TranscriptionDocument): string {
  return cuesOf(document)
    .map(
      ({ startMs, endMs, speaker, text }, index) =>
        `${index + 1}\n${timeOf(startMs, ',')} --> ${timeOf(endMs, ',')}\n${oneLine(speaker)}: ${oneLine(text)}\n`,
    )
    .join('\n');
}

function cuesOf({ result: { utterances } }: TranscriptionDocument): Cue[] {
  return utterances.flatMap(({ words, text, start, end, speaker }) => {
    if (words.length === 0) return text.trim() === '' ? [] : [cueOf(speaker, [timed(text, start, end)])];
    const groups: Timed[][] = [];
    for (const word of words.map(({ word, start, end }) => timed(word, start, end))) {
      const group = groups.at(-1);
      if (group !== undefined && fits(group, word)) group.push(word);
      else groups.push([word]);
    }
    return groups.map((group) => cueOf(speaker, group));
  });
}

interface Timed {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

const timed = (text: string, start: number, end: number): Timed => {
  return { text, startMs: Math.round(start * 1_000), endMs: Math.round(end * 1_000) };
};

function fits(group: readonly Timed[], word: Timed): boolean {
  const letters = group.reduce((sum, { text }) => sum + text.length + 1, word.text.length);
  return letters <= longestCueLetters && word.endMs - (group[0]?.startMs ?? 0) <= longestCueMs;
}

function cueOf(speaker: string, group: readonly Timed[]): Cue {
  const startMs = group[0]?.startMs ?? 0;
  // A cue without a duration is not shown.
  const endMs = Math.max(startMs + 1, group.at(-1)?.endMs ?? 0);
  return { startMs, endMs, speaker, text: textOfWords(group) };
}

function timeOf(ms: number, separator: '.' | ','): string {
  const part = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, '0');
  const rest = `${part((ms / 60_000) % 60, 2)}:${part((ms / 1_000) % 60, 2)}${separator}${part(ms % 1_000, 3)}`;
  return `${part(ms / 3_600_000, 2)}:${rest}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('-->', '->').trim();
}

function escapeText(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
