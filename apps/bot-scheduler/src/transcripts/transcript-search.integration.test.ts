import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TranscriptSearchReply, TranscriptSearchRequest } from '@rapporteur/contracts';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam, createGatewayClient } from '../testing/test-scheduler.ts';
import { transcriptSearchRoutes } from './transcript-search.routes.ts';

let harness: AdmissionHarness;
let teamId: string;
let search: (query: string, team?: string) => ReturnType<ReturnType<typeof createGatewayClient>>;
const requests: TranscriptSearchRequest[] = [];
let reply: TranscriptSearchReply;

beforeAll(async () => {
  harness = await openAdmissionHarness();
  teamId = await addTeam(harness.database);
  const app = createApp(harness.service);
  const transcriber = {
    search: async (request: TranscriptSearchRequest) => {
      requests.push(request);
      return reply;
    },
  };
  app.use(transcriptSearchRoutes(harness.service.auth, { database: harness.database, transcriber }));
  app.use(...sendFailures(harness.service));
  const { url } = await harness.service.listen(app, { host: '127.0.0.1', port: 0 });
  search = (query, team = teamId) => createGatewayClient(url)('GET', `/internal/v2/transcripts/search?${query}`, team);
});
afterAll(() => harness.close());

test('a found transcript is shown with its bot, unless the data of the bot is deleted or the bot is of another team', async () => {
  const [kept, forgotten] = [
    createdId(await harness.create(teamId)),
    createdId(await harness.create(teamId, { meeting_url: 'https://meet.google.com/bbb-bbbb-bbb' })),
  ];
  await harness.database.query('update bots set data_forgotten_at = now() where id = $1', [forgotten]);
  const snippet = [{ text: 'budget', match: true }];
  const hits = [{ startMs: 1_500, endMs: 2_000, speaker: 'Ann', speakerId: 1, snippet }];
  const next = { at: '2026-11-21T09:00:00.000001Z', id: kept };
  reply = { problem: null, found: [kept, forgotten].map((botId) => ({ botId, hits, more: false })), next };
  const { status, body } = await search('q=budget&limit=7');
  expect(status).toBe(200);
  expect(body.data).toEqual([
    {
      bot_id: kept,
      bot_name: expect.any(String),
      meeting_url: expect.stringContaining('https://meet.google.com/'),
      meeting_platform: 'meet',
      joined_at: null,
      duration_seconds: null,
      hits: [{ start: 1.5, end: 2, speaker: 'Ann', speaker_id: 1, snippet }],
      more_hits: false,
    },
  ]);
  const { cursor } = body as unknown as { cursor: string };
  await search(`q=budget&cursor=${encodeURIComponent(cursor)}`);
  expect(requests).toEqual([
    { teamId, q: 'budget', limit: 7, after: null },
    { teamId, q: 'budget', limit: 20, after: next },
  ]);
  expect((await search('q=budget', await addTeam(harness.database))).body.data).toEqual([]);
});

test('a search that is none is refused with the field', async () => {
  reply = { problem: 'Name a word.', found: [], next: null };
  expect(await search('q=-x')).toMatchObject({ status: 400, body: { message: 'q: Name a word.' } });
  expect(await search('q=x&cursor=nonsense')).toMatchObject({ status: 400 });
});
