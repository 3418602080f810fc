import { internalCalls } from '@rapporteur/contracts';
import type {
  BotTranscript,
  TranscriptFormat,
  TranscriptSearchReply,
  TranscriptSearchRequest,
} from '@rapporteur/contracts';
import { createClient } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { z } from 'zod';
import type { BotRow } from '../schema/bot-entity.ts';

export interface TranscriberClient {
  /** Null: no transcript. Throws UNAVAILABLE. */
  readonly readTranscript: (bot: BotRow) => Promise<BotTranscript | null>;
  /** In this form; null: no transcript. Throws BOT_STATUS for one that is too large, and UNAVAILABLE. */
  readonly readTranscriptText: (bot: BotRow, format: TranscriptFormat) => Promise<string | null>;
  /** Throws VALIDATION for a speaker that the transcript does not have, and UNAVAILABLE. */
  readonly renameSpeaker: (
    request: RenameRequest,
  ) => Promise<z.output<typeof internalCalls.transcripts.renameSpeaker.reply>>;
  /** Progress of the running transcription, 0 to 1, and why it waits; null: none runs, or it is unknown. */
  readonly readProgress: (bot: BotRow) => Promise<TranscriptionProgress>;
  /** Why this provider of the deployment cannot transcribe now; null: it can, or it is unknown. */
  readonly findProviderProblem: (provider: string) => Promise<string | null>;
  /** Throws UNAVAILABLE. */
  readonly search: (request: TranscriptSearchRequest) => Promise<TranscriptSearchReply>;
}

export type RenameRequest = z.output<typeof internalCalls.transcripts.renameSpeaker.body>;
export type TranscriptionProgress = z.infer<typeof internalCalls.transcripts.progress.reply>;
const noProgress: TranscriptionProgress = { progress: null, message: null };

/** @param transcriberUrl absent: no transcriber is deployed */
export function createTranscriberClient(auth: InternalAuth, transcriberUrl: string | undefined): TranscriberClient {
  if (transcriberUrl === undefined)
    return {
      readTranscript: async () => null,
      readTranscriptText: async () => null,
      renameSpeaker: async () => ({ isTranscribed: false, participant: null }),
      readProgress: async () => noProgress,
      findProviderProblem: async () => null,
      search: async () => ({ problem: null, found: [], next: null }),
    };
  const target = { auth, service: 'transcriber', baseUrl: transcriberUrl };
  const { renameSpeaker, text: readText, ...calls } = internalCalls.transcripts;
  const { read, progress, providerProblem, search } = createClient(calls, target);
  const { text, ...refusing } = createClient({ renameSpeaker, text: readText }, { ...target, passesRefusals: true });
  return {
    ...refusing,
    readTranscript: async ({ id: botId, team_id: teamId, artifacts }) =>
      artifacts.some(({ kind }) => kind === 'transcription') ? (await read({ botId, teamId })).transcript : null,
    readTranscriptText: async ({ id: botId, team_id: teamId, artifacts }, format) =>
      artifacts.some(({ kind }) => kind === 'transcription') ? (await text({ botId, teamId, format })).text : null,
    readProgress: async ({ id: botId, team_id: teamId, transcription }) =>
      transcription?.status === 'processing' ? await progress({ botId, teamId }).catch(() => noProgress) : noProgress,
    findProviderProblem: (provider) =>
      providerProblem({ provider }).then(
        ({ problem }) => problem,
        () => null,
      ),
    search,
  };
}
