import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';
import { startTranscriptReceiver } from '@rapporteur/testbed/transcript-receiver';
import type { TranscriptReceiver } from '@rapporteur/testbed/transcript-receiver';

let team: OwnTeam;
let receiver: TranscriptReceiver;

beforeAll(async () => {
  receiver = await startTranscriptReceiver();
  team = await createOwnTeam();
}, 180_000);

afterAll(async () => {
  await receiver?.stop();
}, 60_000);

const finals = () =>
  receiver.messages.filter(({ event, data }) => event === 'transcript.segment' && data.is_final === true);
const wordCount = () => finals().reduce((sum, { data }) => sum + (data.words ?? []).length, 0);

async function waitForWords(count: number): Promise<void> {
  await waitFor(() => wordCount() >= count, { what: `${count} words of final segments` });
}

test('a meeting is transcribed live over cut connections, and again after the call', async () => {
  const { api, simulator, dataFolder } = team;
  const room = await simulator.startRoom({ speakers: 3, loopSeconds: 30 });
  const names = room.participants.map(({ name }) => name);
  const botId = await api.createBot({
    bot_name: 'Rapporteur',
    meeting_url: room.url,
    recording_mode: 'audio_only',
    extra: { order: 7 },
    transcription_enabled: true,
    transcription_config: { provider: 'simulated-soniox' },
    streaming_enabled: true,
    streaming_config: {
      mode: 'transcription',
      output_url: receiver.url,
      transcription: { provider: 'simulated-deepgram', api_key: 'own-key', custom_params: { language: 'en' } },
    },
  });
  await waitForWords(8);
  receiver.cut();
  await waitFor(() => receiver.handshakes.length === 2, { what: 'the second connection' });
  await simulator.post('/speech-control/live/cut');
  await waitForWords(wordCount() + 20);
  await api.sdk.leaveBot({ bot_id: botId });
  const bot = await api.waitForStatus(botId, ['completed'], 90_000);

  expect(receiver.handshakes[1]).toMatchObject({ bot_id: botId, mode: 'transcription' });
  expect(receiver.messages[0]).toMatchObject({ event: 'session.started', extra: { order: 7 } });
  expect(receiver.messages.filter(({ event }) => event === 'session.started').length).toBeGreaterThanOrEqual(2);
  const numbers = receiver.messages.flatMap(({ data }) => (data.sequence === null ? [] : [data.sequence]));
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  const ids = finals().map(({ data }) => data.segment_id);
  expect(new Set(ids).size).toBe(ids.length);
  const said = new Set(room.schedule.flatMap(({ name, words }) => words.map(({ word }) => `${name}: ${word}`)));
  const recognized = finals().flatMap(({ data }) =>
    (data.words ?? []).map(({ word }) => `${data.speaker?.name}: ${word}`),
  );
  // On a busy machine speakers are known late; suites of the runner judge how well they are known.
  expect(recognized.filter((word) => said.has(word)).length / recognized.length).toBeGreaterThan(0.6);
  expect(JSON.stringify(receiver.messages)).not.toContain('own-key');
  const logs = join(dataFolder, 'logs');
  const logsWithKey = readdirSync(logs).filter((name) => readFileSync(join(logs, name), 'utf8').includes('own-key'));
  expect(logsWithKey).toEqual([]);

  const transcription = (await (await fetch(bot.transcription ?? '')).json()) as {
    provider: string;
    result: { utterances: { speaker: string; words: unknown[] }[] };
  };
  expect(transcription.provider).toBe('simulated-soniox');
  const { utterances } = transcription.result;
  expect(utterances.flatMap(({ words }) => words).length).toBeGreaterThan(20);
  expect(names).toEqual(expect.arrayContaining(utterances.map(({ speaker }) => speaker)));
  expect(await (await fetch(bot.transcription_vtt ?? '')).text()).toMatch(/^WEBVTT\n/);
  expect(bot.tokens).toMatchObject({ streaming_output: expect.any(Number), transcription: expect.any(Number) });
}, 300_000);
