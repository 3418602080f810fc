import { mapConcurrently } from '@rapporteur/async';
import type { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { SpeechToTextFailure } from '@rapporteur/speech-to-text';
import type { BatchProvider } from '@rapporteur/speech-to-text';
import type { z } from 'zod';
import type { OpenProvider } from '../provider-access/open-provider.ts';
import type { PartRow } from '../schema/entities.ts';
import { findRunningJob, readParts } from './jobs.store.ts';

const partsAtOnce = 3;
const readMs = 3_000;

/** The bot's running transcription: its share that is done, and why it waits for its provider. */
export async function readProgress(
  { database, openProvider }: { readonly database: Database; readonly openProvider: OpenProvider },
  bot: { readonly botId: string; readonly teamId: string },
): Promise<z.infer<typeof internalCalls.transcripts.progress.reply>> {
  const job = await findRunningJob(database, bot);
  if (job === null) return { progress: null, message: null };
  const parts = await readParts(database, job.id);
  const provider = await openProvider(job.request, AbortSignal.timeout(readMs)).catch((error: unknown) => {
    if (error instanceof SpeechToTextFailure) return null;
    throw error;
  });
  const shares = await mapConcurrently(parts, partsAtOnce, (part) => shareOf(provider, part));
  const known = shares.filter((share) => share !== null);
  const progress = known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / parts.length;
  return { progress, message: job.failures === 0 ? null : job.message };
}

async function shareOf(provider: BatchProvider | null, { state, reference }: PartRow): Promise<number | null> {
  if (state === 'transcribed') return 1;
  if (state === 'waiting') return provider?.progress === undefined ? null : 0;
  return (await provider?.progress?.(reference)) ?? null;
}
