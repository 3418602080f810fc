import { runService } from '@rapporteur/service-runtime';
import { transcriberConfig } from './config.ts';
import { startTranscriber } from './transcriber.ts';
import { openTranscriptSchema } from './schema/open-schema.ts';

await runService({
  name: 'transcriber',
  config: transcriberConfig,
  migrate: async (databaseUrl) => (await openTranscriptSchema(databaseUrl, 1)).close(),
  start: async (service) => {
    await startTranscriber(service, service.config);
  },
});
