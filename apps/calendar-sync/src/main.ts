import { runService } from '@rapporteur/service-runtime';
import { startCalendarSync } from './calendar-sync.ts';
import { calendarSyncConfig } from './config.ts';

await runService({
  name: 'calendar-sync',
  config: calendarSyncConfig,
  start: async (service) => {
    await startCalendarSync(service, service.config);
  },
});
