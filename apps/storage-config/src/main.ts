import { verifyStore } from '@rapporteur/object-store';
import { runService } from '@rapporteur/service-runtime';
import { storageConfig } from './config.ts';
import { openStore } from './open-store.ts';
import { openStorageSchema } from './schema/open-schema.ts';
import { createStorageApp } from './storage-app.ts';

const unfinishedIdleMs = 3_600_000;

await runService({
  name: 'storage-config',
  config: storageConfig,
  start: async (service) => {
    const { config } = service;
    const database = await openStorageSchema(config.databaseUrl.reveal(), config.databasePoolSize);
    service.onStop('database', () => database.close());
    service.readiness('database', () => database.ping());
    const store = await openStore(config);
    service.onStop('object store', () => store.close());
    await verifyStore(store);
    const removed = await store.sweepUnfinished({ idleMs: unfinishedIdleMs });
    if (removed > 0) service.logger.info({ removed }, 'Uploads that never finished were removed.');
    const { signingSecret, publicUrl, maxObjectBytes } = config;
    const app = createStorageApp(service, { database, store, signingSecret, publicUrl, maxObjectBytes });
    await service.listen(app, { host: config.host, port: config.port });
  },
});
