import { expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import { createApp, createLogger, createService, jsonBody, Secret, sendFailures } from '@rapporteur/service-runtime';
import { fail } from '@rapporteur/failures';
import type { BotRow } from './schema/bot-entity.ts';
import { createTranscriberClient } from './service-clients.ts';

const service = (name: string) =>
  createService({ name, internalSecret: new Secret('s'.repeat(48)), logger: createLogger('test', 'silent') });
const botWith = (status: string): BotRow => ({ id: 'b', team_id: 't', transcription: { status } }) as unknown as BotRow;

const none = { progress: null, message: null };

test('the progress of a transcription is read while it runs, and unknown while the transcriber fails', async () => {
  const [transcriber, scheduler] = [service('transcriber'), service('bot-scheduler')];
  const replies: (number | 'fails')[] = [0.5, 'fails'];
  const app = createApp(transcriber);
  app.post(
    internalCalls.transcripts.progress.path,
    transcriber.auth.require(['bot-scheduler']),
    jsonBody({ limitBytes: 1_024 }),
    (_request, response) => {
      const progress = replies.shift();
      if (progress === 'fails') throw fail('UNAVAILABLE');
      response.json({ progress, message: 'It waits.' });
    },
  );
  app.use(...sendFailures(transcriber));
  const { url } = await transcriber.listen(app, { host: '127.0.0.1', port: 0 });
  const client = createTranscriberClient(scheduler.auth, url);
  expect(await client.readProgress(botWith('queued'))).toEqual(none);
  expect(await client.readProgress(botWith('processing'))).toEqual({ progress: 0.5, message: 'It waits.' });
  expect(await client.readProgress(botWith('processing'))).toEqual(none);
  expect(await client.findProviderProblem('local')).toBeNull();
  expect(replies).toEqual([]);
  await Promise.all([transcriber.stop(), scheduler.stop()]);
});
