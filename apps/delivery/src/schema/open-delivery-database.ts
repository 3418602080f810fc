import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { createDelivery } from './create-delivery.migration.ts';
import { deliveryEntities } from './entities.ts';

/** Opens the schema of webhooks, migrated to the version of this build. */
export function openDeliveryDatabase(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'delivery',
    entities: deliveryEntities,
    migrations: [createDelivery],
    applicationName: 'delivery',
    poolSize,
  });
}
