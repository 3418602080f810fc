import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import type { AttributedUtterance } from '../attribution/attribute.ts';
import { openTranscriptSchema } from '../schema/open-schema.ts';
import { searchTranscripts } from './search-transcripts.ts';
import { forgetTranscript, indexTranscript } from './words.store.ts';

let server: TestDatabase;
let database: Database;
const teamId = randomUUID();

beforeAll(async () => {
  server = await createTestDatabase(openTranscriptSchema);
  database = await openTranscriptSchema(server.url, 2);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const said = (text: string): AttributedUtterance => ({
  text,
  startMs: 1_000,
  endMs: 2_000,
  speaker: 'Ann',
  speakerId: 1,
  speakerConfidence: 1,
  language: null,
  confidence: null,
  channel: 0,
  words: [],
});
let clock = Date.UTC(2026, 10, 21);
async function index(
  text: string,
  { botId = randomUUID(), team = teamId }: { botId?: string; team?: string } = {},
): Promise<string> {
  const now = new Date((clock += 1_000));
  await database.transaction((transaction) =>
    indexTranscript(transaction, { botId, teamId: team, utterances: [said(text)], now }),
  );
  return botId;
}
const search = (q: string, over: Partial<Parameters<typeof searchTranscripts>[1]> = {}) =>
  searchTranscripts(database, { teamId, q, limit: 20, after: null, ...over });
const found = async (q: string, over = {}): Promise<string[]> =>
  (await search(q, over)).found.map(({ botId }) => botId);

test('finds what a team stored, the newest first, in pages, and nothing of another team', async () => {
  const [first, second] = [await index('alpha beta'), await index('alpha gamma')];
  await index('alpha beta', { team: randomUUID() });
  expect(await found('alpha')).toEqual([second, first]);
  expect(await found('alpha -gamma')).toEqual([first]);
  expect(await found('alp*')).toEqual([second, first]);
  const page = await search('alpha', { limit: 1 });
  expect(page.found.map(({ botId }) => botId)).toEqual([second]);
  expect(await found('alpha', { after: page.next })).toEqual([first]);
  expect(await search('-alpha')).toMatchObject({ problem: expect.stringContaining('at least one word'), found: [] });
});

test('a new transcript replaces the earlier one of the bot in its place, and a deletion removes it', async () => {
  const botId = await index('delta');
  const later = await index('delta epsilon');
  await index('delta zeta', { botId });
  expect(await found('delta')).toEqual([later, botId]);
  await forgetTranscript(database, botId);
  expect(await found('delta')).toEqual([later]);
  expect(await database.query('select 1 from transcript_words where bot_id = $1', [botId])).toEqual([]);
});

test('text that could be an operator of the index is only text, and what cannot be stored does not stop the rest', async () => {
  const botId = await index(`it's a \\ back & forth | (not) :* 100% <b> \0 eta \ud800 ${'x'.repeat(5_000)}`);
  for (const q of [`it's`, '\\ back', "forth ' | ! :*", '<b>', 'eta']) expect(await found(q)).toEqual([botId]);
});

test('a transcript of more distinct words than the index holds is found by the earlier ones', async () => {
  const many = Array.from({ length: 120_000 }, (_, number) => `theta${number}`).join(' ');
  const botId = await index(many);
  expect(await found('theta7')).toEqual([botId]);
});

test('phrases that are rare among frequent words are found over several requests', async () => {
  const phrase = await index('iota kappa');
  const statement = `insert into transcript_words (bot_id, team_id, indexed_at, words, utterances)
    select gen_random_uuid(), team_id, indexed_at + number * interval '1 second', words, $2
    from transcript_words, generate_series(1, 150) number where bot_id = $1`;
  await database.query(statement, [phrase, JSON.stringify([[0, 1, 'Ann', 1, 'kappa iota']])]);
  const first = await search('"iota kappa"');
  expect(first).toMatchObject({ found: [], next: { id: expect.any(String) } });
  expect(await found('"iota kappa"', { after: first.next })).toEqual([phrase]);
});
