import { runService } from '@rapporteur/service-runtime';
import { deliveryConfig } from './config.ts';
import { startDelivery } from './delivery.ts';
import { openDeliveryDatabase } from './schema/open-delivery-database.ts';

await runService({
  name: 'delivery',
  config: deliveryConfig,
  migrate: async (databaseUrl) => (await openDeliveryDatabase(databaseUrl, 1)).close(),
  start: async (service) => {
    await startDelivery(service, service.config);
  },
});
