import { batchProviders, batchVendors, simulatedNameOf } from '@rapporteur/speech-to-text/providers';
import type { BatchProviderName } from '@rapporteur/speech-to-text/providers';

export { isBatchProvider as isProvider } from '@rapporteur/speech-to-text/providers';
export type Provider = BatchProviderName;
/** The simulator's providers exist only where one runs; the API refuses what a deployment does not have. */
export const providers: readonly Provider[] = [...batchProviders, ...batchVendors.map(simulatedNameOf)];
