import { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { BotTranscript, TranscriptFormat } from '@rapporteur/contracts';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { SpeechToTextFailure, textOfWords } from '@rapporteur/speech-to-text';
import { z } from 'zod';
import type { BotFiles } from '../storage/recording-store.ts';
import { readProgress } from '../jobs/read-progress.ts';
import { searchTranscripts } from '../search/search-transcripts.ts';
import type { OpenProvider } from '../provider-access/open-provider.ts';
import { readTranscriptFile, renameSpeaker, withTranscript } from './rename-speaker.ts';
import type { BotPlace, StoredTranscripts } from './rename-speaker.ts';

export interface TranscriptDependencies extends StoredTranscripts {
  readonly openProvider: OpenProvider;
}

const readMs = 4_000;

const stored = z.object({
  result: z.object({
    utterances: z.array(
      z.object({
        speaker: z.string(),
        speaker_id: z.int().nullable(),
        original_speaker: z.string().nullable(),
        text: z.string(),
        language: z.string().nullable(),
        start: z.number(),
        end: z.number(),
        confidence: z.number().nullable(),
        words: z.array(
          z.object({ word: z.string(), start: z.number(), end: z.number(), confidence: z.number().nullable() }),
        ),
      }),
    ),
    languages: z.array(z.string()),
    missing: z
      .array(
        z.object({
          speaker: z.string().nullable(),
          speaker_id: z.int().nullable(),
          original_speaker: z.string().nullable(),
          start: z.number(),
          end: z.number(),
          reason: z.string(),
        }),
      )
      .default([]),
  }),
});
type Stored = z.infer<typeof stored>['result'];

/** `internalCalls.transcripts`: the newest transcript of a bot, and those of a team with words. */
export function transcriptRoutes(auth: InternalAuth, dependencies: TranscriptDependencies): Router {
  const { read, text, renameSpeaker: rename, progress, providerProblem, search } = internalCalls.transcripts;
  return Router().use(
    serveCall(auth, read, async (bot) => ({ transcript: await readTranscript(dependencies, bot) })),
    serveCall(auth, text, async (request) => ({ text: await readText(dependencies, request) })),
    serveCall(auth, rename, (request) => renameSpeaker(dependencies, request)),
    serveCall(auth, progress, (bot) => readProgress(dependencies, bot)),
    serveCall(auth, providerProblem, async ({ provider }) => ({
      problem: await findProblem(dependencies.openProvider, provider),
    })),
    serveCall(auth, search, (request) => searchTranscripts(dependencies.database, request)),
  );
}

async function findProblem(openProvider: OpenProvider, provider: string): Promise<string | null> {
  const choice = { provider, region: null, keyField: null, customParams: {} };
  try {
    const opened = await openProvider({ botId: '', teamId: '', choice }, AbortSignal.timeout(readMs));
    return (await opened.findProblem?.()) ?? null;
  } catch (error) {
    if (error instanceof SpeechToTextFailure) return error.message;
    throw error;
  }
}

async function readTranscript(dependencies: TranscriptDependencies, bot: BotPlace): Promise<BotTranscript | null> {
  const text = await readFile(dependencies, bot, 'transcription');
  if (text === null) return null;
  const utterances = stored
    .parse(JSON.parse(text))
    .result.utterances.map(({ speaker, speaker_id: speakerId, language, start, end, words }) => ({
      speaker,
      speakerId,
      language,
      start,
      end,
      words: words.map(({ confidence: _confidence, ...word }) => word),
    }));
  return { utterances };
}

async function readText(
  dependencies: TranscriptDependencies,
  { format, ...bot }: BotPlace & { readonly format: TranscriptFormat },
): Promise<string | null> {
  if (format === 'vtt' || format === 'srt') return await readFile(dependencies, bot, `transcription_${format}`);
  const text = await readFile(dependencies, bot, 'transcription');
  if (text === null) return null;
  const { result } = stored.parse(JSON.parse(text));
  return format === 'json' ? JSON.stringify(result) : linesOf(result);
}

/** More than half of the words below it are wrong with `local` (docs/guides/transcription.md). */
const doubtfulBelow = 0.5;

/** A line per utterance: time, speaker and words, the doubtful ones marked. */
function linesOf({ utterances }: Stored): string {
  return utterances
    .map(
      (utterance) => `${clockOf(utterance.start)}  ${oneLine(utterance.speaker)}: ${oneLine(markedText(utterance))}\n`,
    )
    .join('');
}

/** The text with doubtful words marked, where it is made of its words. */
function markedText({ text, words }: Stored['utterances'][number]): string {
  if (textOfWords(words.map(({ word }) => ({ text: word }))) !== text) return text;
  const isDoubtful = (confidence: number | null): boolean => confidence !== null && confidence < doubtfulBelow;
  return textOfWords(words.map(({ word, confidence }) => ({ text: isDoubtful(confidence) ? `${word}(?)` : word })));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function clockOf(seconds: number): string {
  const parts = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

/** A file of the newest transcript; null: there is none, or it was deleted. */
async function readFile(
  dependencies: TranscriptDependencies,
  bot: BotPlace,
  kind: 'transcription' | 'transcription_vtt' | 'transcription_srt',
): Promise<string | null> {
  const work = (files: BotFiles, jobId: string) => readTranscriptFile(files, jobId, kind);
  return await withTranscript(dependencies, bot, { work, limitMs: readMs });
}
