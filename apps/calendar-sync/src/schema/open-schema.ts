import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { createCalendars } from './create-calendars.migration.ts';
import { calendarEntities } from './entities.ts';

/** Opens the schema `calendars`, migrated to the version of this build. */
export function openCalendarsSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'calendars',
    entities: calendarEntities,
    migrations: [createCalendars],
    applicationName: 'calendar-sync',
    poolSize,
  });
}
