import { verifyStore } from '@rapporteur/object-store';
import { createApp, runService, sendFailures } from '@rapporteur/service-runtime';
import { storageConfig } from './config.ts';
import { openStore } from './open-store.ts';
import { openStorageSchema } from './schema/open-schema.ts';
import { createStorageApp } from './storage-app.ts';
import { startSweep } from './sweep.ts';

/** It stops after the port of the customers, within the same time limit of the process. */
const adminDrainMs = 2_000;

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
    service.readiness('object store', async () => void (await store.head('store-check/readiness')));
    await startSweep(service, { store, database, fragmentRetentionMs: config.fragmentRetentionMs });
    const { signingSecret, publicUrl, maxObjectBytes, artifactUrlTtlMs } = config;
    const app = createStorageApp(service, {
      database,
      store,
      signingSecret,
      publicUrl,
      maxObjectBytes,
      artifactUrlTtlMs,
    });
    const admin = createApp(service);
    admin.use(...sendFailures(service));
    await service.listen(admin, { host: config.adminHost, port: config.adminPort, drainMs: adminDrainMs });
    await service.listen(app, { host: config.host, port: config.port });
  },
});
