import { createAssemblyaiLive } from './assemblyai/assemblyai-live.ts';
import { createDeepgramLive } from './deepgram/deepgram-live.ts';
import { createElevenlabsLive } from './elevenlabs/elevenlabs-live.ts';
import { createGladiaLive } from './gladia/gladia-live.ts';
import type { LiveAccess, LiveSession } from './live-provider.ts';
import type { LiveProtocol } from './live/live-protocol.ts';
import { openVendorSession } from './live/live-session.ts';
import { createLocalLive } from './local/local-live.ts';
import type { LiveProviderName } from './providers.ts';
import { createSonioxLive } from './soniox/soniox-live.ts';
import { createSpeechmaticsLive } from './speechmatics/speechmatics-live.ts';

const protocols: Readonly<Record<LiveProviderName, (access: LiveAccess) => LiveProtocol>> = {
  gladia: createGladiaLive,
  deepgram: createDeepgramLive,
  assemblyai: createAssemblyaiLive,
  speechmatics: createSpeechmaticsLive,
  soniox: createSonioxLive,
  elevenlabs: createElevenlabsLive,
  local: createLocalLive,
};

/** Opens a session that takes audio at once. Rejects with SpeechToTextFailure. */
export async function openLiveSession(name: LiveProviderName, access: LiveAccess): Promise<LiveSession> {
  return await openVendorSession(protocols[name](access), access);
}
