import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

const said = (text: string, startMs = 1_000): AttributedUtterance => ({
  text,
  startMs,
  endMs: startMs + 900,
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
  text: string | readonly string[],
  { botId = randomUUID(), team = teamId }: { botId?: string; team?: string } = {},
): Promise<string> {
  const now = new Date((clock += 1_000));
  const utterances = [text].flat().map((one, number) => said(one, 1_000 * number));
  await database.transaction((transaction) => indexTranscript(transaction, { botId, teamId: team, utterances, now }));
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

describe('a transcript', () => {
  const team = randomUUID();
  beforeAll(
    async () =>
      void (await index(
        [
          'Good morning, the budget first.',
          'The next quarter is what I want to see, not the budget of last quarter.',
          '<img src=x onerror=alert(1)> 予算会議は来週です',
          'I am here. I agree, 5 percent.',
        ],
        { team },
      )),
  );
  const startsOf = async (q: string): Promise<number[] | null> =>
    (await search(q, { teamId: team })).found[0]?.hits.map(({ startMs }) => startMs) ?? null;

  test.each([
    ['budget', [0, 1_000]],
    ['BUDGET quarter', [1_000]],
    ['morning quarter', [0, 1_000]],
    ['"next quarter"', [1_000]],
    ['"quarter next"', null],
    ['"last quarter"', [1_000]],
    ['"not the budget of last quarter"', [1_000]],
    ['"budget first"', [0]],
    ['budg*', [0, 1_000]],
    ['budg', null],
    ['budget -"good evening"', [0, 1_000]],
    ['budget -"good morning"', null],
    ['会議', [2_000]],
    ['予算会議', [2_000]],
    ['算議', null],
    ['"the bud*"', [0, 1_000]],
    ['"I am"', [3_000]],
    ['"I agree"', [3_000]],
    ['"5 percent"', [3_000]],
    ['budget -"I am"', null],
    ['budget -"am I"', [0, 1_000]],
  ])('%s', async (text, starts) => {
    expect(await startsOf(text)).toEqual(starts);
  });
});

test('phrases of a very long utterance are found, and the utterance once', async () => {
  const text = Array.from({ length: 2_000 }, (_, number) => `the lambda${number}`).join(' ');
  const botId = await index(`mu nu ${text} mu nu`);
  for (const q of ['"lambda124 the lambda125"', '"lambda1998 the lambda1999 mu nu"', '"mu nu"']) {
    const [one] = (await search(q)).found;
    expect([one?.botId, one?.hits.length]).toEqual([botId, 1]);
  }
});

test('many short words over transcripts of an hour cost this process next to nothing', async () => {
  const team = randomUUID();
  const letters = 'abcdefghijklmnopqrstuvwxyz012345'.split('');
  const filler = 'the quick brown fox jumps over the lazy dog at 012345 ';
  const hour = Array.from({ length: 900 }, () => filler.repeat(2));
  const botId = await index([...hour, letters.slice(0, 16).join(' '), letters.slice(16).join(' ')], { team });
  await database.query(
    `with copies as (
       insert into transcript_words (bot_id, team_id, indexed_at, words)
       select gen_random_uuid(), team_id, indexed_at + number * interval '1 second', words
       from transcript_words, generate_series(1, 50) number where bot_id = $1 returning bot_id
     ) insert into transcript_utterances
       select copies.bot_id, number, part, start_ms, end_ms, speaker, speaker_id, text, one.words
       from copies, transcript_utterances one where one.bot_id = $1`,
    [botId],
  );
  const before = process.cpuUsage();
  const { found: hits } = await search(letters.join(' '), { teamId: team, limit: 50 });
  const { user, system } = process.cpuUsage(before);
  expect(hits[0]?.hits.map(({ startMs }) => startMs)).toEqual([900_000, 901_000]);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test('phrases that are rare among frequent words are found over several requests', async () => {
  const phrase = await index('iota kappa');
  const statement = `insert into transcript_words (bot_id, team_id, indexed_at, words)
    select gen_random_uuid(), team_id, indexed_at + number * interval '1 second', words
    from transcript_words, generate_series(1, 150) number where bot_id = $1`;
  await database.query(statement, [phrase]);
  const first = await search('"iota kappa"');
  expect(first).toMatchObject({ found: [], next: { id: expect.any(String) } });
  expect(await found('"iota kappa"', { after: first.next })).toEqual([phrase]);
});
