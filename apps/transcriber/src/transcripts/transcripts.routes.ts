import { Router } from 'express';
import type { Request } from 'express';
import {
  botTranscriptRequest,
  internalRoutes,
  providerProblemRequest,
  transcriptSearchRequest,
} from '@rapporteur/contracts';
import type { BotTranscript } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { jsonBody, readInput } from '@rapporteur/service-runtime';
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

/**
 * `POST /internal/v1/bot-transcripts`: the newest transcript of a bot; null when it has none, or its data was deleted.
 *
 * `POST /internal/v1/transcription-progress`: the progress of its running transcription.
 *
 * `POST /internal/v1/provider-problem`: why a server of the deployment cannot transcribe now.
 *
 * `POST /internal/v1/transcript-searches`: transcripts of a team with words.
 */
export function transcriptRoutes(auth: InternalAuth, dependencies: TranscriptDependencies): Router {
  const router = Router();
  router.post(
    internalRoutes.botTranscripts,
    auth.require(['bot-scheduler', 'delivery']),
    jsonBody({ limitBytes: 1_024 }),
    async (request, response) => {
      response.json({ transcript: await readTranscript(dependencies, botOf(request)) });
    },
  );
  router.post(
    internalRoutes.transcriptionProgress,
    auth.require(['bot-scheduler']),
    jsonBody({ limitBytes: 1_024 }),
    async (request, response) => {
      response.json(await readProgress(dependencies, botOf(request)));
    },
  );
  router.post(
    internalRoutes.providerProblem,
    auth.require(['bot-scheduler']),
    jsonBody({ limitBytes: 1_024 }),
    async (request, response) => {
      const { provider } = readInput(providerProblemRequest, request.body);
      response.json({ problem: await findProblem(dependencies.openProvider, provider) });
    },
  );
  router.post(
    internalRoutes.transcriptSearches,
    auth.require(['bot-scheduler']),
    jsonBody({ limitBytes: 4_096 }),
    async (request, response) => {
      const read = transcriptSearchRequest.safeParse(request.body);
      if (!read.success) throw fail('VALIDATION', { message: 'teamId, q, limit and after are needed.' });
      response.json(await searchTranscripts(dependencies.database, read.data));
    },
  );
  return router;
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

function botOf(request: Request): z.infer<typeof botTranscriptRequest> {
  const read = botTranscriptRequest.safeParse(request.body);
  if (!read.success) throw fail('VALIDATION', { message: 'botId and teamId are needed.' });
  return read.data;
}

async function readTranscript(
  { database, openBotFiles }: TranscriptDependencies,
  { botId, teamId }: z.infer<typeof botTranscriptRequest>,
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
