import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { createTranscriptWords } from './create-transcript-words.migration.ts';
import { createTranscripts } from './create-transcripts.migration.ts';
import { transcriptEntities } from './entities.ts';

/** Opens the schema of transcription jobs, migrated to the version of this build. */
export function openTranscriptSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'transcripts',
    entities: transcriptEntities,
    migrations: [createTranscripts, createTranscriptWords],
    applicationName: 'transcriber',
    poolSize,
  });
}
