import { internalCalls, linkedArtifacts, participantLinkName } from '@rapporteur/contracts';
import type { BotTranscript } from '@rapporteur/contracts';
import { createClient } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { BotEnded, SignedArtifacts } from './message-body.ts';

/** Base URLs for this service. */
export interface ArtifactSources {
  readonly storageUrl: string;
  /** Absent: no transcriber is deployed. */
  readonly transcriberUrl?: string | undefined;
}

/**
 * Signs links to a bot's artifacts; null when its message has none. Throws UNAVAILABLE when signing is not possible
 * now.
 */
export type SignArtifacts = (ended: BotEnded) => Promise<SignedArtifacts | null>;

export function signThroughStorage(auth: InternalAuth, { storageUrl, transcriberUrl }: ArtifactSources): SignArtifacts {
  const readTranscript = transcriptReader(auth, transcriberUrl);
  const storage = createClient(internalCalls.storage, { auth, service: 'storage-config', baseUrl: storageUrl });
  return async (ended) => {
    const keys = Object.fromEntries([
      ...linkedArtifacts.flatMap((kind) =>
        ended.artifacts[kind] === undefined ? [] : [[kind, ended.artifacts[kind]]],
      ),
      ...ended.participantAudio.map(({ key }) => [participantLinkName(key), key]),
    ]);
    if (ended.outcome !== 'completed' || ended.artifactsDeleted || Object.keys(keys).length === 0) return null;
    const [links, transcript] = await Promise.all([
      storage.signUrls({ botId: ended.botId, keys }),
      ended.artifacts.transcription === undefined ? null : readTranscript(ended),
    ]);
    return { ...links, transcript };
  };
}

function transcriptReader(auth: InternalAuth, transcriberUrl: string | undefined) {
  if (transcriberUrl === undefined) return async () => null;
  const { read } = createClient(internalCalls.transcripts, { auth, service: 'transcriber', baseUrl: transcriberUrl });
  return async ({ botId, teamId }: BotEnded): Promise<BotTranscript | null> =>
    (await read({ botId, teamId })).transcript;
}
