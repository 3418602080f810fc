import { artifactUrlsReply, internalRoutes, participantLinkName } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { linkedArtifacts } from './message-body.ts';
import type { BotEnded, SignedArtifacts } from './message-body.ts';

/** Signs links to what a bot left behind; null when its message has none. Throws UNAVAILABLE when that is not possible now. */
export type SignArtifacts = (ended: BotEnded) => Promise<SignedArtifacts | null>;

export function signThroughStorage(auth: InternalAuth, storageUrl: string): SignArtifacts {
  const sendRequest = createRequestSender({ auth, service: 'storage-config', baseUrl: storageUrl });
  return async (ended) => {
    const keys = Object.fromEntries([
      ...linkedArtifacts.flatMap((kind) =>
        ended.artifacts[kind] === undefined ? [] : [[kind, ended.artifacts[kind]]],
      ),
      ...ended.participantAudio.map(({ key }) => [participantLinkName(key), key]),
    ]);
    if (ended.outcome !== 'completed' || ended.artifactsDeleted || Object.keys(keys).length === 0) return null;
    const { botId, teamId } = ended;
    return await sendRequest({
      path: internalRoutes.artifactUrls,
      body: { botId, keys },
      reply: artifactUrlsReply,
      teamId,
    });
  };
}
