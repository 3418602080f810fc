import { runService } from '@rapporteur/service-runtime';
import { startCalendarSync } from './calendar-sync.ts';
import { calendarSyncConfig } from './config.ts';
import { openCalendarsSchema } from './schema/open-schema.ts';

await runService({
  name: 'calendar-sync',
  config: calendarSyncConfig,
  migrate: async (databaseUrl) => (await openCalendarsSchema(databaseUrl, 1)).close(),
  start: async (service) => {
    await startCalendarSync(service, service.config);
  },
});
