import { runService } from '@rapporteur/service-runtime';
import { transcriberConfig } from './config.ts';
import { startTranscriber } from './transcriber.ts';

await runService({
  name: 'transcriber',
  config: transcriberConfig,
  start: async (service) => {
    await startTranscriber(service, service.config);
  },
});
