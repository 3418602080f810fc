import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { CreateDelivery20261121000000 } from './create-delivery.migration.ts';
import { deliveryEntities } from './entities.ts';

/** Opens the schema of webhooks, migrated to what this build needs. */
export function openDeliveryDatabase(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'delivery',
    entities: deliveryEntities,
    migrations: [CreateDelivery20261121000000],
    applicationName: 'delivery',
    poolSize,
  });
}
