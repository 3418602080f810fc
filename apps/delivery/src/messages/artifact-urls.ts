import { artifactUrlsReply, internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { linkedArtifacts } from './message-body.ts';
import type { BotEnded, SignedArtifacts } from './message-body.ts';

/** Signs links to what a bot left behind; null when its message has none. Throws UNAVAILABLE when that is not possible now. */
export type SignArtifacts = (ended: BotEnded) => Promise<SignedArtifacts | null>;

export function signThroughStorage(auth: InternalAuth, storageUrl: string): SignArtifacts {
  const url = new URL(internalRoutes.artifactUrls, storageUrl).href;
  return async (ended) => {
    const keys = Object.fromEntries(
      linkedArtifacts.flatMap((kind) => (ended.artifacts[kind] === undefined ? [] : [[kind, ended.artifacts[kind]]])),
    );
    if (ended.outcome !== 'completed' || ended.artifactsDeleted || Object.keys(keys).length === 0) return null;
    const response = await auth
      .fetch('storage-config', url, {
        method: 'POST',
        teamId: ended.teamId,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ botId: ended.botId, keys }),
      })
      .catch((error: unknown) => {
        throw fail('UNAVAILABLE', { cause: error });
      });
    if (!response.ok) throw fail('UNAVAILABLE', { cause: new Error(`storage-config answered ${response.status}.`) });
    return artifactUrlsReply.parse(await response.json());
  };
}
