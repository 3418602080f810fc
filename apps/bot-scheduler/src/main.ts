import { runService } from '@rapporteur/service-runtime';
import { schedulerConfig } from './config.ts';
import { openLauncher } from './launch/open-launcher.ts';
import { startScheduler } from './scheduler.ts';

await runService({
  name: 'bot-scheduler',
  config: schedulerConfig,
  start: async (service) => {
    const { config, logger, clock } = service;
    await startScheduler({ service, config, launcher: await openLauncher({ config, logger, clock }) });
  },
});
