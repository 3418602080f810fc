import { baseline, openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';
import { deliveryEntities } from './entities.ts';

/** Opens the schema of webhooks, migrated to the version of this build. */
export function openDeliveryDatabase(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'delivery',
    entities: deliveryEntities,
    migrations: [baseline('CreateDelivery20261121000000', outboxTablesSql)],
    applicationName: 'delivery',
    poolSize,
  });
}
