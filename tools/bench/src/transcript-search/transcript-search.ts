import { Operator, Random, Sender, startServiceStack } from '@rapporteur/api-fuzz';
import { indexTranscript, openTranscriptSchema } from '@rapporteur/transcriber/testing';
import type { IndexedTranscript } from '@rapporteur/transcriber/testing';
import { generateBots } from '../lists/generate-bots.ts';
import { machine } from '../measure/figures.ts';

export interface TranscriptSearchOptions {
  readonly transcripts: number;
  readonly repeats: number;
  readonly say: (text: string) => void;
}

const hourMs = 3_600_000;
const utterancesPerHour = 600;
const wordsPerUtterance = 15;
const distinctWords = 30_000;
const writers = 2;

/**
 * Times of searches through the public API among many transcripts of an hour of generated words, the size of the index
 * and the cost of writing a transcript into it. @returns whether the goal is met: a 95th percentile of 300 ms
 */
export async function measureTranscriptSearch(options: TranscriptSearchOptions): Promise<boolean> {
  const { transcripts, repeats, say } = options;
  say(machine());
  const stack = await startServiceStack({ gateways: 1, say });
  const operator = await Operator.open(stack);
  const sender = new Sender(stack.gatewayUrls[0] ?? '');
  try {
    await operator.addPlan({ name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 });
    const team = await operator.addTeam('bench', { plan: 'bench-wide', tokens: 3_600_000_000 });
    const meeting_url = 'https://meet.google.com/abc-defg-hij';
    const pattern = await operator.createBot(team.keys.full, { bot_name: 'Pattern', meeting_url });
    await operator.query(`update bots.bots set ended_at = now() where id = $1`, [pattern]);
    await generateBots(operator, { pattern, count: transcripts, say });
    const ids = await operator.query<{ id: string }>(
      'select id from bots.bots where team_id = $1 and id <> $2 order by created_at',
      [team.id, pattern],
    );
    await writeAll(stack.databaseUrl, { teamId: team.id, botIds: ids.map(({ id }) => id), say });
    await sizes(operator, say);
    const isMet = await searchAll({ sender, key: team.keys.full, repeats, say });
    say(machine());
    return isMet;
  } finally {
    sender.close();
    await operator.close();
    await stack.stop();
  }
}

interface Writing {
  readonly teamId: string;
  readonly botIds: readonly string[];
  readonly say: (text: string) => void;
}

async function writeAll(databaseUrl: string, { teamId, botIds, say }: Writing): Promise<void> {
  const database = await openTranscriptSchema(databaseUrl, writers);
  const random = new Random(1);
  const left = [...botIds.entries()];
  const costs: number[] = [];
  const startedAt = performance.now();
  const write = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [number, botId] = next;
      const utterances = generateUtterances(random, number);
      const from = performance.now();
      const now = new Date(Date.UTC(2026, 0, 1) + number * 60_000);
      await database.transaction((transaction) => indexTranscript(transaction, { botId, teamId, utterances, now }));
      costs.push(performance.now() - from);
      if (costs.length % 1_000 === 0) say(`${costs.length} transcripts written`);
    }
  };
  try {
    await Promise.all(Array.from({ length: writers }, write));
    await database.query('vacuum analyze transcript_words');
  } finally {
    await database.close();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const figures = `median ${at(costs, 0.5).toFixed(0)} ms, 95th percentile ${at(costs, 0.95).toFixed(0)} ms`;
  say(`${botIds.length} transcripts of an hour written in ${seconds.toFixed(0)} s by ${writers} at once: ${figures}`);
}

/** Words by Zipf's law: the most frequent ones are in every transcript, most are in few. */
function generateUtterances(random: Random, number: number): IndexedTranscript['utterances'] {
  const stepMs = hourMs / utterancesPerHour;
  return Array.from({ length: utterancesPerHour }, (_, index) => {
    const words = Array.from({ length: wordsPerUtterance }, () => {
      const rank = Math.floor(distinctWords ** random.fraction());
      return `word${rank}`;
    });
    if (index === 300) words[7] = `only${number}`;
    return {
      text: `${words.join(' ')}.`,
      startMs: index * stepMs,
      endMs: (index + 1) * stepMs - 500,
      speaker: `Ada ${index % 5}`,
      speakerId: index % 5,
      speakerConfidence: 1,
      language: 'en',
      confidence: 0.9,
      channel: 0,
      words: [],
    };
  });
}

async function sizes(operator: Operator, say: (text: string) => void): Promise<void> {
  const [size] = await operator.query<{ index: string; table: string }>(
    `select pg_size_pretty(pg_relation_size('transcripts.transcript_words_words')) as index,
       pg_size_pretty(pg_table_size('transcripts.transcript_words') + pg_total_relation_size('transcripts.transcript_utterances')) as table`,
  );
  say(`index ${size?.index ?? ''}, table with texts and words ${size?.table ?? ''}`);
}

interface Searching {
  readonly sender: Sender;
  readonly key: string;
  readonly repeats: number;
  readonly say: (text: string) => void;
}

const cases: readonly (readonly [name: string, q: (round: number) => string])[] = [
  ['a word in every transcript', () => 'word1'],
  ['a word in one', (round) => `only${round}`],
  ['a word in some', (round) => `word${20_000 + round}`],
  ['two words in every transcript', () => 'word2 word3'],
  ['a frequent and a rare word', (round) => `word1 word${15_000 + round}`],
  ['a phrase', (round) => `"word${1 + (round % 3)} word${2 + (round % 5)}"`],
  ['a rare phrase of frequent words', (round) => `"word${40 + round} word${60 + round}"`],
  ['the beginning of a word', (round) => `word${100 + round}*`],
  ['without a word', (round) => `word1 -word${5_000 + round}`],
  ['nothing', (round) => `absent${round}`],
];

async function searchAll({ sender, key, repeats, say }: Searching): Promise<boolean> {
  const all: number[] = [];
  for (const [name, queryOf] of cases) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < repeats + 1; round += 1) {
      const target = `/v2/transcripts/search?q=${encodeURIComponent(queryOf(round))}`;
      const from = performance.now();
      const { status, json } = await sender.send({
        method: 'GET',
        target,
        headers: { 'x-service-api-key': key },
        body: null,
      });
      if (status !== 200) throw new Error(`${target} responded ${status}: ${JSON.stringify(json)}`);
      found += (json as { data: unknown[] }).data.length;
      // The first request opens connections and plans the statement.
      if (round > 0) times.push(performance.now() - from);
    }
    all.push(...times);
    const figures = [0.5, 0.95, 1].map((share) => at(times, share).toFixed(0)).join(' / ');
    say(`${name.padEnd(34)} median / 95th percentile / longest ${figures} ms, ${found} transcripts`);
  }
  const p95 = at(all, 0.95);
  say(`all ${all.length} searches: 95th percentile ${p95.toFixed(0)} ms (goal: at most 300 ms)`);
  return p95 <= 300;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
