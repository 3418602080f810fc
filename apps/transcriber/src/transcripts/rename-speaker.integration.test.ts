import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import { createClient, createInternalAuth, Secret } from '@rapporteur/service-runtime';
import type { SpeechTruth } from '@rapporteur/simulator/speech-providers';
import {
  createTranscriberClient,
  newRequest,
  putObject,
  startSurroundings,
  startTranscriberUnderTest,
} from '../testing/transcriber-under-test.ts';
import type { Surroundings } from '../testing/transcriber-under-test.ts';

const conversation: SpeechTruth = {
  durationMs: 4_000,
  words: [
    { text: 'Good', startMs: 100, endMs: 400, speaker: 'Ann' },
    { text: 'morning.', startMs: 450, endMs: 900, speaker: 'Ann' },
    { text: 'Thanks!', startMs: 3_000, endMs: 3_600, speaker: 'Ben' },
  ],
};
const timeline = [
  { speaker: 'Ann', start_time: 0.1, end_time: 1 },
  { speaker: 'Ben', start_time: 2.9, end_time: 3.7 },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

let surroundings: Surroundings;
let transcriber: { readonly url: string; stop(): Promise<boolean> };
beforeAll(async () => {
  surroundings = await startSurroundings();
  transcriber = await startTranscriberUnderTest(surroundings);
});
afterAll(async () => {
  await transcriber.stop();
  await surroundings.stop();
});

/** A stored meeting whose mixed audio contains `conversation`. */
const spoken = (over: { botId?: string; spoken?: string } = {}) => {
  const botId = over.botId ?? randomUUID();
  const audio = randomBytes(300);
  surroundings.providers.teach(audio, conversation);
  const artifacts = [
    putObject(surroundings, botId, {
      kind: 'audio_m4a',
      key: 'artifacts/audio.m4a',
      content: audio,
      contentType: 'audio/mp4',
    }),
    putObject(surroundings, botId, {
      kind: 'diarization',
      key: 'artifacts/diarization.jsonl',
      content: Buffer.from(over.spoken ?? timeline),
      contentType: 'application/x-ndjson',
    }),
  ];
  return { botId, artifacts };
};
const stored = (botId: string, requestId: string, name: string): string =>
  surroundings.objects.get(`${botId}/artifacts/transcripts/${requestId}/${name}`)?.toString('utf8') ?? '';
const utterancesOf = (botId: string, requestId: string) => {
  const { result } = JSON.parse(stored(botId, requestId, 'transcription.json')) as {
    result: { utterances: { speaker: string; speaker_id: number | null }[] };
  };
  return result.utterances;
};

/** As bot-scheduler sends the calls whose refusals reach the customer. */
const refusingClient = () => {
  const secret = new Secret(surroundings.environment['RAPPORTEUR_INTERNAL_SECRET'] ?? '');
  const auth = createInternalAuth('bot-scheduler', secret);
  const { renameSpeaker, text } = internalCalls.transcripts;
  const target = { auth, service: 'transcriber', baseUrl: transcriber.url, passesRefusals: true };
  return createClient({ renameSpeaker, text }, target);
};

test('renames a speaker in every file, in the search and for the legacy API, keeps the name, and restores it', async () => {
  const teamId = randomUUID();
  const { botId, artifacts } = spoken();
  const request = { botId, teamId, artifacts };
  const first = await surroundings.request(request);
  await surroundings.waitForEnd(first);
  const client = createTranscriberClient(surroundings, transcriber.url, 'bot-scheduler');
  const rename = (speaker: string, name: string | null, more = {}) =>
    client.renameSpeaker({ botId, teamId, speaker, name, ...more });
  const shown = async (requestId: string) => {
    const { transcript } = await client.read({ botId, teamId });
    const { found } = await client.search({ teamId, q: 'morning', limit: 5, after: null });
    const { text } = await client.text({ botId, teamId, format: 'text' });
    return [
      stored(botId, requestId, 'transcription.json')
        .match(/"speaker":"[^"]*"|"original_speaker":[^,]*/g)
        ?.slice(0, 2),
      /<v ([^>]*)>/.exec(stored(botId, requestId, 'transcription.vtt'))?.[1],
      stored(botId, requestId, 'transcription.srt').split('\n')[2],
      text?.split('\n')[0],
      transcript?.utterances[0]?.speaker,
      found[0]?.hits[0]?.speaker,
    ];
  };
  const named = (name: string, original: string) => [
    [`"speaker":"${name}"`, `"original_speaker":${original}`],
    name.replace('&', '&amp;'),
    `${name}: Good morning.`,
    `00:00:00  ${name}: Good morning.`,
    name,
    name,
  ];
  expect(await shown(first)).toEqual(named('Ann', 'null'));
  expect(await rename('Ann', ' Ann & \n Co ')).toEqual({ isTranscribed: true, participant: { id: 1, name: 'Ann' } });
  expect(await shown(first)).toEqual(named('Ann & Co', '"Ann"'));
  await Promise.all([rename('Ann', 'Ada', { speakerId: 1 }), rename('Ben', 'Ada')]);
  expect(await shown(first)).toEqual(named('Ada', '"Ann"'));
  expect(utterancesOf(botId, first).map(({ speaker, speaker_id }) => [speaker, speaker_id])).toEqual([
    ['Ada', 1],
    ['Ada', 2],
  ]);
  const second = await surroundings.request({ ...request, choice: { ...newRequest().choice, provider: 'soniox' } });
  await surroundings.waitForEnd(second);
  expect(await shown(second)).toEqual(named('Ada', '"Ann"'));
  await rename('Ann', null);
  expect(await shown(second)).toEqual(named('Ann', 'null'));
  expect(await client.renameSpeaker({ botId, teamId: randomUUID(), speaker: 'Ann', name: 'Ada' })).toMatchObject({
    isTranscribed: false,
  });
});

test('a transcript that is too large to be held in memory is refused with the place of its file', async () => {
  const requestId = await surroundings.request({ ...spoken(), choice: { ...newRequest().choice, provider: 'gladia' } });
  const { botId, teamId } = await surroundings.waitForEnd(requestId);
  const key = `${botId}/artifacts/transcripts/${requestId}/transcription.json`;
  surroundings.objects.set(key, Buffer.alloc(16 * 1_048_576 + 1, ' '));
  const { text, renameSpeaker } = refusingClient();
  const refused = {
    code: 'BOT_STATUS',
    message: expect.stringContaining('larger than 16 MiB. Read its file by the link'),
  };
  await expect(text({ botId, teamId, format: 'json' })).rejects.toMatchObject(refused);
  await expect(text({ botId, teamId, format: 'text' })).rejects.toMatchObject(refused);
  await expect(renameSpeaker({ botId, teamId, speaker: 'Ann', name: 'Ada' })).rejects.toMatchObject(refused);
  expect((await text({ botId, teamId, format: 'vtt' })).text).toContain('<v Ann>Good morning.</v>');
});

test('a voice at the microphone of a room keeps its name while the provider that numbered it is the same', async () => {
  const teamId = randomUUID();
  const { botId, artifacts } = spoken({ spoken: JSON.stringify({ speaker: 'Room', start_time: 0, end_time: 4 }) });
  const transcribe = async (provider: string) => {
    const choice = { ...newRequest().choice, provider };
    const requestId = await surroundings.request({ botId, teamId, artifacts, choice });
    await surroundings.waitForEnd(requestId);
    return utterancesOf(botId, requestId).map(({ speaker }) => speaker);
  };
  expect(await transcribe('gladia')).toEqual(['Room, voice 1', 'Room, voice 2']);
  const client = createTranscriberClient(surroundings, transcriber.url, 'bot-scheduler');
  const request = { botId, teamId, speaker: 'Room, voice 2', name: 'Ben' };
  expect(await client.renameSpeaker(request)).toEqual({ isTranscribed: true, participant: null });
  expect(await transcribe('gladia')).toEqual(['Room, voice 1', 'Ben']);
  expect(await transcribe('soniox')).toEqual(['Room, voice 1', 'Room, voice 2']);
});

test('of several speakers of one name only the stated one is renamed, and one that is missing is named', async () => {
  const [botId, teamId] = [randomUUID(), randomUUID()];
  const twins = ['Good', 'Bye'].map((text, index) => ({
    speaker: 'Sam',
    speaker_id: index + 1,
    language: null,
    text,
    is_final: true,
    start: index,
    end: index + 0.5,
  }));
  const captions = putObject(surroundings, botId, {
    kind: 'captions',
    key: 'artifacts/captions.jsonl',
    contentType: 'application/x-ndjson',
    content: Buffer.from(twins.map((line) => JSON.stringify(line)).join('\n')),
  });
  const choice = { ...newRequest().choice, provider: 'meeting_captions' };
  const requestId = await surroundings.request({ botId, teamId, artifacts: [captions], choice });
  await surroundings.waitForEnd(requestId);
  const { renameSpeaker } = refusingClient();
  const rename = (speaker: string, more = {}) => renameSpeaker({ botId, teamId, speaker, name: 'Uma', ...more });
  await expect(rename('Pat')).rejects.toThrow('speaker: The transcript has no speaker of this name. It has: Sam');
  await expect(rename('Sam')).rejects.toThrow('speaker_id: The speakers of this name have the ids 1, 2');
  await expect(rename('Sam', { name: ' ' })).rejects.toThrow('speaker_id');
  await expect(rename('Sam', { name: ' ', speakerId: 2 })).rejects.toThrow('name: It needs a visible character');
  await rename('Sam', { speakerId: 2 });
  expect(utterancesOf(botId, requestId).map(({ speaker }) => speaker)).toEqual(['Sam', 'Uma']);
});
