import { z } from 'zod';
import type { BatchProvider, ProviderAccess } from '../batch-provider.ts';
import { SpeechToTextFailure } from '../failure.ts';
import { createOpenaiClient, createOpenaiCompatible } from '../openai-compatible/openai-compatible.ts';

const name = 'The local engine';
const progressMs = 2_000;
const progressReport = z.object({ progress: z.number().min(0).max(1) });

/**
 * The transcription server of the deployment (`apps/whisper`): OpenAI's operation, and the progress of a running file.
 */
export function createLocal(access: ProviderAccess): BatchProvider {
  const client = createOpenaiClient(name, access);
  return {
    ...createOpenaiCompatible(access, name),
    findProblem: async () => {
      try {
        await client.request({ path: '/health/ready', response: z.unknown(), timeoutMs: progressMs });
        return null;
      } catch (error) {
        if (error instanceof SpeechToTextFailure) return error.message;
        throw error;
      }
    },
    progress: async (reference) => {
      const path = `/v1/audio/transcriptions/${reference}/progress`;
      try {
        return (await client.request({ path, response: progressReport, timeoutMs: progressMs })).progress;
      } catch (error) {
        if (error instanceof SpeechToTextFailure) return null;
        throw error;
      }
    },
  };
}
