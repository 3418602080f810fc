import { runService } from '@rapporteur/service-runtime';
import { schedulerConfig } from './config.ts';
import { openLauncher } from './launch/open-launcher.ts';
import { openBotsSchema } from './open-schema.ts';
import { startScheduler } from './scheduler.ts';

await runService({
  name: 'bot-scheduler',
  config: schedulerConfig,
  migrate: async (databaseUrl) => (await openBotsSchema(databaseUrl, { poolSize: 1 })).close(),
  start: async (service) => {
    const { config, logger, clock } = service;
    await startScheduler({ service, config, launcher: await openLauncher({ config, logger, clock }) });
  },
});
