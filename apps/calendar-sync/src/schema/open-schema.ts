import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { RenameOutboxNotifications20261123124000 } from '@rapporteur/event-bus';
import { AddFullSyncRequests20261123201000 } from './add-full-sync-requests.migration.ts';
import { AddSyncRequests20261123160500 } from './add-sync-requests.migration.ts';
import { CreateCalendars20261123050000 } from './create-calendars.migration.ts';
import { DropEventsCalendar20261123163500 } from './drop-events-calendar.migration.ts';
import { calendarEntities } from './entities.ts';

/** Opens the schema `calendars`, migrated to what this build needs. */
export function openCalendarsSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'calendars',
    entities: calendarEntities,
    migrations: [
      CreateCalendars20261123050000,
      RenameOutboxNotifications20261123124000,
      AddSyncRequests20261123160500,
      DropEventsCalendar20261123163500,
      AddFullSyncRequests20261123201000,
    ],
    applicationName: 'calendar-sync',
    poolSize,
  });
}
