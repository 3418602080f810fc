import { createAssemblyai } from './assemblyai/assemblyai.ts';
import type { BatchProvider, ProviderAccess } from './batch-provider.ts';
import { createDeepgram } from './deepgram/deepgram.ts';
import { createGladia } from './gladia/gladia.ts';
import { createOpenaiCompatible } from './openai-compatible/openai-compatible.ts';
import type { BatchProviderName } from './providers.ts';
import { createSoniox } from './soniox/soniox.ts';
import { createSpeechmatics } from './speechmatics/speechmatics.ts';

const factories: Readonly<Record<BatchProviderName, (access: ProviderAccess) => BatchProvider>> = {
  gladia: createGladia,
  deepgram: createDeepgram,
  assemblyai: createAssemblyai,
  speechmatics: createSpeechmatics,
  soniox: createSoniox,
  'openai-compatible': createOpenaiCompatible,
  local: (access) => createOpenaiCompatible(access, 'The local engine'),
};

export function createBatchProvider(name: BatchProviderName, access: ProviderAccess): BatchProvider {
  return factories[name](access);
}
