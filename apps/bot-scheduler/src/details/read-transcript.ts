import { botTranscriptReply, internalRoutes } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { BotRow } from '../schema/rows.ts';
import type { DetailsDependencies } from './details.routes.ts';

/** @param transcriberUrl left out: nothing transcribes in this deployment */
export function createReadTranscript(
  auth: InternalAuth,
  transcriberUrl: string | undefined,
): DetailsDependencies['readTranscript'] {
  if (transcriberUrl === undefined) return async () => null;
  const sendRequest = createRequestSender({ auth, service: 'transcriber', baseUrl: transcriberUrl });
  return async ({ id: botId, team_id: teamId, artifacts }: BotRow) => {
    if (!artifacts.some(({ kind }) => kind === 'transcription')) return null;
    const path = internalRoutes.botTranscripts;
    return (await sendRequest({ path, body: { botId, teamId }, reply: botTranscriptReply, teamId })).transcript;
  };
}
