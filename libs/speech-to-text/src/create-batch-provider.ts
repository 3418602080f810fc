import { createAssemblyai } from './assemblyai/assemblyai.ts';
import type { BatchProvider, ProviderAccess } from './batch-provider.ts';
import { withDefaults } from './custom-params.ts';
import { createDeepgram } from './deepgram/deepgram.ts';
import { createGladia } from './gladia/gladia.ts';
import { createLocal } from './local/local.ts';
import { createOpenaiCompatible } from './openai-compatible/openai-compatible.ts';
import { createMeetingCaptions } from './meeting-captions/meeting-captions.ts';
import { apiOf } from './providers.ts';
import type { BatchApi, BatchProviderName } from './providers.ts';
import { SpeechToTextFailure } from './failure.ts';
import { createSoniox } from './soniox/soniox.ts';
import { createSpeechmatics } from './speechmatics/speechmatics.ts';
import { emptyTranscript } from './transcript.ts';
import type { Transcript } from './transcript.ts';

const factories: Readonly<Record<BatchApi, (access: ProviderAccess) => BatchProvider>> = {
  gladia: createGladia,
  deepgram: createDeepgram,
  assemblyai: createAssemblyai,
  speechmatics: createSpeechmatics,
  soniox: createSoniox,
  'openai-compatible': createOpenaiCompatible,
  meeting_captions: createMeetingCaptions,
  local: createLocal,
};

/**
 * One provider with one key. Audio without speech gives an empty transcript, also where the provider reports an error.
 */
export function createBatchProvider(name: BatchProviderName, access: ProviderAccess): BatchProvider {
  const customParams = withDefaults(name, 'batch', access.customParams, access.model);
  const provider = factories[apiOf(name)]({ ...access, customParams });
  return {
    ...provider,
    submit: async (submission) =>
      await provider.submit(submission).catch((error: unknown) => ({ ...emptyResult(error), jobId: null })),
    read: async (jobId) => await provider.read(jobId).catch(emptyResult),
    readCallback: (body) => {
      try {
        return provider.readCallback(body);
      } catch (error) {
        return emptyResult(error).transcript;
      }
    },
  };
}

function emptyResult(error: unknown): { readonly kind: 'transcript'; readonly transcript: Transcript } {
  if (!(error instanceof SpeechToTextFailure) || error.kind !== 'no-speech') throw error;
  return { kind: 'transcript', transcript: emptyTranscript(error.message) };
}
