import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam, createGatewayClient } from '../testing/test-scheduler.ts';
import { detailsRoutes } from './details.routes.ts';
import type { DetailsDependencies } from './details.routes.ts';
import type { RenameRequest, TranscriberClient } from '../service-clients.ts';

let harness: AdmissionHarness;
let teamId: string;
let read: (botId: string, query?: string, team?: string) => ReturnType<ReturnType<typeof createGatewayClient>>;
let rename: (botId: string, body: object, team?: string) => ReturnType<ReturnType<typeof createGatewayClient>>;
let stored: Readonly<Record<string, string>> | null = null;
let waitsFor: string | null = null;
let renames: RenameRequest[] = [];
let renamed: Awaited<ReturnType<TranscriberClient['renameSpeaker']>>;
const accesses: string[] = [];
let meetings = 0;

beforeAll(async () => {
  harness = await openAdmissionHarness();
  teamId = await addTeam(harness.database);
  const app = createApp(harness.service);
  const transcriber = {
    readTranscriptText: async (_bot: unknown, format: string) => stored?.[format] ?? null,
    renameSpeaker: async (request: RenameRequest) => {
      renames.push(request);
      return renamed;
    },
    readProgress: async () => ({ progress: null, message: waitsFor }),
  };
  const dependencies = {
    database: harness.database,
    transcriber,
    noteAccess: (botId: string) => void accesses.push(botId),
    now: () => harness.service.clock.now(),
  } as unknown as DetailsDependencies;
  app.use(detailsRoutes(harness.service.auth, dependencies));
  app.use(...sendFailures(harness.service));
  const { url } = await harness.service.listen(app, { host: '127.0.0.1', port: 0 });
  rename = (botId, body, team = teamId) =>
    createGatewayClient(url)('PATCH', `/internal/v2/bots/${botId}/speakers`, team, body);
  read = (botId, query = '', team = teamId) =>
    createGatewayClient(url)('GET', `/internal/v2/bots/${botId}/transcript${query}`, team);
});
afterAll(() => harness.close());
beforeEach(() => {
  stored = null;
  waitsFor = null;
  renames = [];
  accesses.length = 0;
});

async function addBot(changes = ''): Promise<string> {
  meetings += 1;
  const meeting_url = `https://meet.google.com/aaa-bbbb-cc${String.fromCodePoint(96 + meetings)}`;
  const botId = createdId(await harness.create(teamId, { meeting_url }));
  if (changes !== '') await harness.database.query(`update bots set ${changes} where id = $1`, [botId]);
  return botId;
}

const transcript = { languages: ['en'], utterances: [], missing: [] };

describe('the transcript of a bot', () => {
  test('is read in every format, as JSON by default, and counts as an access', async () => {
    stored = { json: JSON.stringify(transcript), text: '00:00:01  Ann: Hi\n', vtt: 'WEBVTT\n', srt: '' };
    const botId = await addBot();
    const formats = ['', '?format=json', '?format=text', '?format=vtt', '?format=srt'];
    const bodies = await Promise.all(formats.map(async (query) => (await read(botId, query)).body.data));
    expect(bodies).toEqual([transcript, transcript, '00:00:01  Ann: Hi\n', 'WEBVTT\n', '']);
    expect(accesses).toEqual(formats.map(() => botId));
  });

  test('is refused in an unknown format, and is not found by another team', async () => {
    const botId = await addBot();
    const refused = await read(botId, '?format=pdf');
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('json, text, vtt')]);
    expect((await read(botId, '', randomUUID())).status).toBe(404);
  });

  const transcription = (status: string, message: string | null) =>
    `transcription = '${JSON.stringify({ requestId: randomUUID(), provider: 'local', status, message })}'`;
  const ended = "phase = 'completed', status = 'completed', transcription_wanted = true";

  test.each([
    ['none was wanted', '', 'The bot was sent without transcription.'],
    ['the bot records', 'transcription_wanted = true', 'The transcript is written when the recording is stored.'],
    [
      'the transcription waits for its start',
      `${ended}, ${transcription('queued', null)}`,
      'The transcription waits for its start.',
    ],
    ['it is being written', `${ended}, ${transcription('processing', null)}`, 'The transcript is being written.'],
    ['it failed', `${ended}, ${transcription('error', 'No credit.')}`, 'The transcription failed. No credit.'],
    ['the data was deleted', `${ended}, data_forgotten_at = now()`, 'The data of this bot was deleted.'],
  ])('is refused with the reason where %s', async (_case, changes, sentence) => {
    const { status, body } = await read(await addBot(changes));
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({ code: 'FST_ERR_BOT_STATUS', message: expect.stringContaining(sentence) }),
    ]);
    expect(accesses).toEqual([]);
  });

  test('names what a transcription waits for', async () => {
    waitsFor = 'The local engine is being installed.';
    const { body } = await read(await addBot(`${ended}, ${transcription('processing', null)}`));
    expect(body).toMatchObject({ message: 'The transcription waits. The local engine is being installed.' });
  });

  test('of deleted data is not read, though its file is still stored', async () => {
    stored = { json: JSON.stringify(transcript) };
    expect((await read(await addBot(`${ended}, data_forgotten_at = now()`))).status).toBe(409);
  });
});

describe('a speaker of the transcript', () => {
  const twins = JSON.stringify([1, 2].map((id) => ({ id, name: 'Sam', display_name: 'Sam' })));
  const lists = async (botId: string) =>
    (await harness.database.query(`select participants, speakers from bots where id = $1`, [botId]))[0];

  test('is renamed by its id, beside its name in the meeting, is found by both, and gets its name back', async () => {
    const botId = await addBot(`participants = '${twins}', speakers = '${twins}', ended_at = now()`);
    renamed = { isTranscribed: true, participant: { id: 2, name: 'Sam' } };
    const { status, body } = await rename(botId, { speaker: 'Sam', speaker_id: 2, name: 'Uma' });
    expect([status, body]).toEqual([200, { success: true, data: { message: 'The speaker was renamed.' } }]);
    expect(renames).toEqual([{ botId, teamId, speaker: 'Sam', speakerId: 2, name: 'Uma' }]);
    const listed = [
      { id: 1, name: 'Sam', display_name: 'Sam' },
      { id: 2, name: 'Sam', display_name: 'Uma' },
    ];
    expect(await lists(botId)).toEqual({ participants: listed, speakers: listed });
    const found = async (name: string) =>
      (await harness.sendRequest('GET', `/internal/v2/bots?participant_name=${name}`, teamId)).body.data;
    expect([await found('uma'), await found('sam')]).toEqual(
      Array.from({ length: 2 }, () => expect.arrayContaining([expect.objectContaining({ bot_id: botId })])),
    );
    await rename(botId, { speaker: 'Sam', speaker_id: 2, name: null });
    expect(await lists(botId)).toEqual({ participants: JSON.parse(twins), speakers: JSON.parse(twins) });
  });

  test('that is a voice of several at one microphone leaves the participants as they are', async () => {
    const botId = await addBot(`participants = '${twins}'`);
    renamed = { isTranscribed: true, participant: null };
    expect((await rename(botId, { speaker: 'Sam, voice 2', name: 'Uma' })).status).toBe(200);
    expect(await lists(botId)).toMatchObject({ participants: JSON.parse(twins) });
  });

  test.each([
    [{ name: 'Uma' }, 'speaker'],
    [{ speaker: 'Sam' }, 'name'],
    [{ speaker: 'Sam', name: '' }, 'name'],
    [{ speaker: 'Sam', name: 'x'.repeat(256) }, 'name'],
    [{ speaker: 'Sam', name: 'Uma', speaker_id: 1.5 }, 'speaker_id'],
  ])('is not renamed by %j', async (body, field) => {
    const refused = await rename(await addBot(), body);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(`^${field}: `) } });
    expect(renames).toEqual([]);
  });

  test('of no transcript, of deleted data and of another team is refused as the transcript is', async () => {
    renamed = { isTranscribed: false, participant: null };
    const body = { speaker: 'Sam', name: 'Uma' };
    const refused = await rename(await addBot(), body);
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: 'FST_ERR_BOT_STATUS' })]);
    renames = [];
    const forgotten = await rename(await addBot("phase = 'completed', data_forgotten_at = now()"), body);
    expect([forgotten.status, renames]).toEqual([409, []]);
    expect((await rename(await addBot(), body, randomUUID())).status).toBe(404);
  });
});
