import type { Database } from '@rapporteur/database';
import { rewrapTable } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import type { Logger, Service } from '@rapporteur/service-runtime';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';
import type { ConfigurationSecrets } from './configuration-secrets.ts';

interface RewrapDependencies {
  readonly database: Database;
  readonly secrets: ConfigurationSecrets;
  readonly logger: Pick<Logger, 'error'>;
}

const everyMs = 3_600_000;

/** Seals again with the current key what a former one still wraps. */
export async function rewrapConfigurations({ database, secrets, logger }: RewrapDependencies): Promise<Rewrapped> {
  return await rewrapTable<StorageConfigRow>(database, {
    name: 'storage_configs',
    id: 'storage_config_id',
    rewrap: secrets.rewrap,
    onUnreadable: ({ team_id: teamId, storage_config_id: storageConfigId }, error) =>
      logger.error(
        { err: error, teamId, storageConfigId },
        'A storage configuration does not open with any key: its secrets have to be sent again.',
      ),
  });
}

/** While the deployment has former keys: at once and then hourly, until the service stops. */
export function keepRewrapped(service: Service, dependencies: Omit<RewrapDependencies, 'logger'>): void {
  const { logger } = service;
  const work = async (): Promise<void> => {
    const done = await rewrapConfigurations({ ...dependencies, logger });
    logger.info({ ...done }, 'Storage configurations are sealed with the current secret key.');
  };
  service.repeat({ what: 'Re-encryption of storage configurations', everyMs, work });
}
