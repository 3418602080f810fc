import { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { BotTranscript } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { SpeechToTextFailure } from '@rapporteur/speech-to-text';
import { z } from 'zod';
import { transcriptionFile } from '../artifacts/store-artifacts.ts';
import { RecordingGone } from '../storage/recording-store.ts';
import type { OpenBotFiles } from '../storage/recording-store.ts';
import { readProgress } from '../jobs/read-progress.ts';
import { searchTranscripts } from '../search/search-transcripts.ts';
import type { OpenProvider } from '../provider-access/open-provider.ts';

export interface TranscriptDependencies {
  readonly database: Database;
  readonly openBotFiles: OpenBotFiles;
  readonly openProvider: OpenProvider;
}

const readMs = 4_000;

const stored = z.object({
  result: z.object({
    utterances: z.array(
      z.object({
        speaker: z.string(),
        speaker_id: z.int().nullable(),
        language: z.string().nullable(),
        start: z.number(),
        end: z.number(),
        words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })),
      }),
    ),
  }),
});

/** `internalCalls.transcripts`: the newest transcript of a bot, and those of a team with words. */
export function transcriptRoutes(auth: InternalAuth, dependencies: TranscriptDependencies): Router {
  const { read, progress, providerProblem, search } = internalCalls.transcripts;
  return Router().use(
    serveCall(auth, read, async (bot) => ({ transcript: await readTranscript(dependencies, bot) })),
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

async function readTranscript(
  { database, openBotFiles }: TranscriptDependencies,
  { botId, teamId }: { readonly botId: string; readonly teamId: string },
): Promise<BotTranscript | null> {
  const [job] = await database.query<{ id: string; fencing: number }>(
    `select id, (request->>'fencing')::int as fencing from transcription_jobs
     where bot_id = $1 and team_id = $2 and outcome = 'completed' order by created_at desc limit 1`,
    [botId, teamId],
  );
  if (job === undefined) return null;
  try {
    const files = await openBotFiles({ botId, teamId, fencing: job.fencing }, AbortSignal.timeout(readMs));
    const bytes = await files.read(transcriptionFile(job.id, 'transcription'));
    const { result } = stored.parse(JSON.parse(bytes.toString('utf8')));
    return {
      utterances: result.utterances.map(({ speaker_id: speakerId, ...utterance }) => ({ ...utterance, speakerId })),
    };
  } catch (error) {
    if (error instanceof RecordingGone) return null;
    throw error;
  }
}
