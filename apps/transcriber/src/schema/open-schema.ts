import { baseline, openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';
import { transcriptEntities } from './entities.ts';

const wordsIndex = 'create index transcript_words_words on transcript_words using gin (words) with (fastupdate = off)';

/** Opens the schema of transcription jobs, migrated to the version of this build. */
export function openTranscriptSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'transcripts',
    entities: transcriptEntities,
    migrations: [baseline('CreateTranscripts20261121000000', wordsIndex, outboxTablesSql)],
    applicationName: 'transcriber',
    poolSize,
  });
}
