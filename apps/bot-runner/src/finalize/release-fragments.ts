import type { Artifact } from '@rapporteur/contracts';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { GrantStore } from '../upload/grant-store.ts';

const releaseTimeoutMs = 3_000;

/**
 * Releases the fragments of a recording whose artifacts are stored and reported. When that fails they stay until the
 * bot's data is deleted.
 */
export async function releaseFragments(
  store: GrantStore,
  artifacts: readonly Artifact[],
  logger: Logger,
): Promise<void> {
  try {
    await store.release(artifacts, AbortSignal.timeout(releaseTimeoutMs));
  } catch (error) {
    logger.warn({ err: error }, 'The fragments of the recording could not be released; they stay beside it.');
  }
}
