import {
  botTranscriptReply,
  internalRoutes,
  providerProblemReply,
  transcriptionProgressReply,
  transcriptSearchReply,
} from '@rapporteur/contracts';
import type { BotTranscript, TranscriptSearchReply, TranscriptSearchRequest } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { z } from 'zod';
import type { BotRow } from '../schema/bot-entity.ts';

export interface TranscriberClient {
  /** Null: no transcript. Throws UNAVAILABLE. */
  readonly readTranscript: (bot: BotRow) => Promise<BotTranscript | null>;
  /** Progress of the running transcription, 0 to 1, and why it waits; null: none runs, or it is unknown. */
  readonly readProgress: (bot: BotRow) => Promise<TranscriptionProgress>;
  /** Why this provider of the deployment cannot transcribe now; null: it can, or it is unknown. */
  readonly findProviderProblem: (provider: string) => Promise<string | null>;
  /** Throws UNAVAILABLE. */
  readonly search: (request: TranscriptSearchRequest) => Promise<TranscriptSearchReply>;
}

export type TranscriptionProgress = z.infer<typeof transcriptionProgressReply>;
const noProgress: TranscriptionProgress = { progress: null, message: null };

/** Frequent words in very many transcripts take this long at most. */
const searchMs = 10_000;

/** @param transcriberUrl absent: no transcriber is deployed */
export function createTranscriberClient(auth: InternalAuth, transcriberUrl: string | undefined): TranscriberClient {
  if (transcriberUrl === undefined)
    return {
      readTranscript: async () => null,
      readProgress: async () => noProgress,
      findProviderProblem: async () => null,
      search: async () => ({ problem: null, found: [], next: null }),
    };
  const sendRequest = createRequestSender({ auth, service: 'transcriber', baseUrl: transcriberUrl });
  return {
    readTranscript: async ({ id: botId, team_id: teamId, artifacts }) => {
      if (!artifacts.some(({ kind }) => kind === 'transcription')) return null;
      const path = internalRoutes.botTranscripts;
      return (await sendRequest({ path, body: { botId, teamId }, reply: botTranscriptReply, teamId })).transcript;
    },
    readProgress: async ({ id: botId, team_id: teamId, transcription }) => {
      if (transcription?.status !== 'processing') return noProgress;
      const path = internalRoutes.transcriptionProgress;
      const body = { botId, teamId };
      return await sendRequest({ path, body, reply: transcriptionProgressReply, teamId }).catch(() => noProgress);
    },
    findProviderProblem: async (provider) => {
      const path = internalRoutes.providerProblem;
      return await sendRequest({ path, body: { provider }, reply: providerProblemReply }).then(
        ({ problem }) => problem,
        () => null,
      );
    },
    search: (request) =>
      sendRequest({
        path: internalRoutes.transcriptSearches,
        body: request,
        reply: transcriptSearchReply,
        teamId: request.teamId,
        timeoutMs: searchMs,
      }),
  };
}
