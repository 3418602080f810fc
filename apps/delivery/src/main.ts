import { runService } from '@rapporteur/service-runtime';
import { deliveryConfig } from './config.ts';
import { startDelivery } from './delivery.ts';

await runService({
  name: 'delivery',
  config: deliveryConfig,
  start: async (service) => {
    await startDelivery(service, service.config);
  },
});
