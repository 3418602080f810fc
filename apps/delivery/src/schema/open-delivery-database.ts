import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { RenameOutboxNotifications20261123124000 } from '@rapporteur/event-bus';
import { AddCallbacks20261121150000 } from './add-callbacks.migration.ts';
import { AddDueByLane20261122200000 } from './add-due-by-lane.migration.ts';
import { AddEventOrder20261123051000 } from './add-event-order.migration.ts';
import { AddTrace20261123100000 } from './add-trace.migration.ts';
import { CreateDelivery20261121000000 } from './create-delivery.migration.ts';
import { deliveryEntities } from './entities.ts';
import { RenameTerms20261123093000 } from './rename-terms.migration.ts';

/** Opens the schema of webhooks, migrated to what this build needs. */
export function openDeliveryDatabase(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'delivery',
    entities: deliveryEntities,
    migrations: [
      CreateDelivery20261121000000,
      AddCallbacks20261121150000,
      AddDueByLane20261122200000,
      AddEventOrder20261123051000,
      RenameTerms20261123093000,
      AddTrace20261123100000,
      RenameOutboxNotifications20261123124000,
    ],
    applicationName: 'delivery',
    poolSize,
  });
}
