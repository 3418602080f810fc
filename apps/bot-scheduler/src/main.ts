import { runService } from '@rapporteur/service-runtime';
import { schedulerConfig } from './config.ts';
import { createProcessLauncher } from './launch/process-launcher.ts';
import { startScheduler } from './scheduler.ts';

await runService({
  name: 'bot-scheduler',
  config: schedulerConfig,
  start: async (service) => {
    const { config, logger, clock } = service;
    const launcher = createProcessLauncher({
      runnerEntry: config.runnerEntry,
      runsFolder: config.runsFolder,
      logger,
      clock,
      environment: {
        RAPPORTEUR_SCHEDULER_URL: config.publicSchedulerUrl,
        RAPPORTEUR_LOG_LEVEL: config.logLevel,
        ...(config.tracesUrl === undefined ? {} : { RAPPORTEUR_TRACES_URL: config.tracesUrl }),
        ...(config.chromiumPath === undefined ? {} : { RAPPORTEUR_CHROMIUM_PATH: config.chromiumPath }),
      },
    });
    await startScheduler({ service, config, launcher });
  },
});
