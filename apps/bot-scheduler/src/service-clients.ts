import { internalCalls } from '@rapporteur/contracts';
import type {
  BotTranscript,
  TranscriptFormat,
  TranscriptSearchReply,
  TranscriptSearchRequest,
} from '@rapporteur/contracts';
import { createClient } from '@rapporteur/service-runtime';
import type { InternalAuth, InternalClient } from '@rapporteur/service-runtime';
import type { z } from 'zod';
import type { BotRow } from './schema/bot-entity.ts';

const { spilledObjects: _, ...storageCalls } = internalCalls.storage;

/** Clients of other services. All calls throw UNAVAILABLE without a valid response. */
export interface ServiceClients {
  readonly storage: StorageClient;
  /** Null: not deployed. */
  readonly credentials: CredentialClient | null;
  /** Null: not deployed. */
  readonly logins: LoginClient | null;
}

export type StorageClient = InternalClient<typeof storageCalls>;
export type CredentialClient = InternalClient<typeof internalCalls.credentials>;
export type LoginClient = InternalClient<typeof internalCalls.logins>;
export type UploadGrant = Awaited<ReturnType<StorageClient['grantUpload']>>;

interface ServiceAddresses {
  readonly storageUrl: string;
  readonly ssoIdpUrl?: string | undefined;
}

export function createServiceClients(auth: InternalAuth, { storageUrl, ssoIdpUrl }: ServiceAddresses): ServiceClients {
  const away = (what: string) => `${what} is not reachable right now. Try again in a moment.`;
  const unreachable = away('The storage of recordings');
  const storage = createClient(storageCalls, { auth, service: 'storage-config', baseUrl: storageUrl, unreachable });
  if (ssoIdpUrl === undefined) return { storage, credentials: null, logins: null };
  const sso = { auth, service: 'sso-idp', baseUrl: ssoIdpUrl };
  return {
    storage,
    credentials: createClient(internalCalls.credentials, {
      ...sso,
      unreachable: away('The service that keeps Zoom credentials'),
    }),
    logins: createClient(internalCalls.logins, { ...sso, unreachable: away('The service that keeps logins') }),
  };
}

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
