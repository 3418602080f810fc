import type { Database, Executor } from '@rapporteur/database';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { TranscriberMeasurements } from '../metrics.ts';
import type { OpenProvider } from '../provider-access/open-provider.ts';
import type { OpenBotFiles } from '../storage/recording-store.ts';
import type { CallbackAddresses } from './callback-address.ts';

export interface JobDependencies {
  readonly database: Database;
  readonly events: {
    add<T>(transaction: Executor, definition: EventDefinition<T>, data: T, id?: string): Promise<unknown>;
    notify(): void;
  };
  readonly openProvider: OpenProvider;
  readonly openBotFiles: OpenBotFiles;
  readonly addresses: CallbackAddresses;
  readonly ended: TranscriberMeasurements['ended'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: JobSettings;
}

export interface JobSettings {
  readonly leaseMs: number;
  readonly pollFirstMs: number;
  readonly pollLongestMs: number;
  readonly retryFirstMs: number;
  readonly retryLongestMs: number;
}
