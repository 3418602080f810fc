import { createAssemblyaiLive } from './assemblyai/assemblyai-live.ts';
import { withDefaults } from './custom-params.ts';
import { createDeepgramLive } from './deepgram/deepgram-live.ts';
import { createElevenlabsLive } from './elevenlabs/elevenlabs-live.ts';
import { createGladiaLive } from './gladia/gladia-live.ts';
import type { LiveAccess, LiveSession } from './live-provider.ts';
import type { LiveProtocol } from './live/live-protocol.ts';
import { openVendorSession } from './live/live-session.ts';
import { createLocalLive } from './local/local-live.ts';
import { apiOf } from './providers.ts';
import type { LiveApi, LiveProviderName } from './providers.ts';
import { createSonioxLive } from './soniox/soniox-live.ts';
import { createSpeechmaticsLive } from './speechmatics/speechmatics-live.ts';

/** The meeting's own captions are no vendor's: the bot reads them. */
export type LiveVendorName = Exclude<LiveApi, 'meeting_captions'>;
type LiveSessionName = Exclude<LiveProviderName, 'meeting_captions'>;

const protocols: Readonly<Record<LiveVendorName, (access: LiveAccess) => LiveProtocol>> = {
  gladia: createGladiaLive,
  deepgram: createDeepgramLive,
  assemblyai: createAssemblyaiLive,
  speechmatics: createSpeechmaticsLive,
  soniox: createSonioxLive,
  elevenlabs: createElevenlabsLive,
  local: createLocalLive,
};

/** Opens a session that takes audio at once. Rejects with SpeechToTextFailure. */
export async function openLiveSession(name: LiveSessionName, access: LiveAccess): Promise<LiveSession> {
  const customParams = withDefaults(name, 'live', access.customParams);
  return await openVendorSession(protocols[apiOf(name)]({ ...access, customParams }), access);
}
