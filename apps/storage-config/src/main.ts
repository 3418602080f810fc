import { verifyStore } from '@rapporteur/object-store';
import { openOutbound } from '@rapporteur/outbound-http';
import { keepKeysRotated, openSecretBox } from '@rapporteur/secret-box';
import { createApp, runService, sendFailures } from '@rapporteur/service-runtime';
import { storageConfig } from './config.ts';
import { createConfigurationSecrets, configurationRotation } from './configurations/configuration-secrets.ts';
import { openStore } from './open-store.ts';
import { openStorageSchema } from './schema/open-schema.ts';
import { createStorageApp } from './storage-app.ts';
import { startSweep } from './sweep.ts';

/** It stops after the customers' port, within the same time limit of the process. */
const adminDrainMs = 2_000;

await runService({
  name: 'storage-config',
  config: storageConfig,
  migrate: async (databaseUrl) => (await openStorageSchema(databaseUrl, 1)).close(),
  start: async (service) => {
    const { config } = service;
    const database = await openStorageSchema(config.databaseUrl.reveal(), config.databasePoolSize);
    service.onStop('database', () => database.close());
    service.readiness('database', () => database.ping());
    const own = await openStore(config);
    service.onStop('object store', () => own.close());
    await verifyStore(own);
    service.readiness('object store', async () => void (await own.head('store-check/readiness')));
    const http = openOutbound(service, config);
    const box = openSecretBox(config);
    const secrets = createConfigurationSecrets(box);
    keepKeysRotated(service, { box, database, what: 'storage configurations' }, [configurationRotation(secrets)]);
    const runnerUrl = config.runnerUrl ?? config.publicUrl;
    const { app, store, teams } = createStorageApp(service, { ...config, runnerUrl, database, own, secrets, http });
    startSweep(service, { ...config, store, own, teams, database });
    const admin = createApp(service);
    admin.use(...sendFailures(service));
    await service.listen(admin, { host: config.adminHost, port: config.adminPort, drainMs: adminDrainMs });
    await service.listen(app, { host: config.host, port: config.port });
  },
});
