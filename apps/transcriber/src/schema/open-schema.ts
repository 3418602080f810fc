import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { RenameOutboxNotifications20261123124000 } from '@rapporteur/event-bus';
import { CreateTranscripts20261123060000 } from './create-transcripts.migration.ts';
import { transcriptEntities } from './entities.ts';

/** Opens the schema of transcription jobs, migrated to what this build needs. */
export function openTranscriptSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'transcripts',
    entities: transcriptEntities,
    migrations: [CreateTranscripts20261123060000, RenameOutboxNotifications20261123124000],
    applicationName: 'transcriber',
    poolSize,
  });
}
