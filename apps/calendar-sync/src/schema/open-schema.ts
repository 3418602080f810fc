import { baseline, openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';
import { calendarEntities } from './entities.ts';

/** Opens the schema `calendars`, migrated to the version of this build. */
export function openCalendarsSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'calendars',
    entities: calendarEntities,
    migrations: [baseline('CreateCalendars20261121000000', outboxTablesSql)],
    applicationName: 'calendar-sync',
    poolSize,
  });
}
