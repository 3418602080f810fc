import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '@rapporteur/local-stack/stack';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import { Client } from 'pg';
import { environmentOf } from '../measure/environment.ts';
import { machine } from '../measure/figures.ts';

const goalCommitsPerSecond = 0.6;
const recordingDeadlineMs = 120_000;
/** Statements of joining have ended by then. */
const settleMs = 15_000;
/** A connection's statistics appear up to ten seconds after their use. */
const shownAfterMs = 11_000;
const root = join(import.meta.dirname, '../../../..');

/** Transactions per second that one recording bot adds to those of the same stack without one. */
export async function measureOneBot({ seconds, say }: { seconds: number; say: (text: string) => void }): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rapporteur-one-bot-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(dataFolder, 0o755);
  const ports = { api: 0, files: 0, simulator: 0 };
  const options = { dataFolder, ports, simulator: true, maxConcurrentBots: 1, logLevel: 'info' } as const;
  say(machine());
  const stack = await startStack(options, { root, say });
  const database = new Client({ connectionString: databaseUrlOf(stack) });
  try {
    await database.connect();
    const idle = await transactionsPerSecond(database, seconds);
    say(`without a bot: ${idle.toFixed(2)} transactions/s`);
    await untilRecording(stack);
    await sleep(settleMs);
    const running = await transactionsPerSecond(database, seconds);
    const added = running - idle;
    say(`with one recording bot: ${running.toFixed(2)} transactions/s`);
    say(
      `one recording bot adds ${added.toFixed(2)} transactions/s; goal <= ${goalCommitsPerSecond}: ${added <= goalCommitsPerSecond ? 'met' : 'missed'}`,
    );
    say(machine());
  } finally {
    await database.end();
    await stack.stop();
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function transactionsPerSecond(database: Client, seconds: number): Promise<number> {
  const commits = async (): Promise<number> => {
    const { rows } = await database.query<{ commits: string }>(
      'select xact_commit + xact_rollback as commits from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.commits);
  };
  await sleep(shownAfterMs);
  const [before, beganMs] = [await commits(), performance.now()];
  await sleep(seconds * 1_000);
  return ((await commits()) - before) / ((performance.now() - beganMs) / 1_000);
}

async function untilRecording(stack: RunningStack): Promise<void> {
  const room = await post<{ url: string }>(`${stack.simulatorUrl}/rooms`, {}, { platform: 'meet' });
  const headers = { 'x-service-api-key': stack.firstKey ?? '' };
  const { data } = await post<{ data: { bot_id: string } }>(`${stack.apiUrl}/v2/bots`, headers, {
    bot_name: 'Bench',
    meeting_url: room.url,
  });
  for (const deadlineMs = performance.now() + recordingDeadlineMs; performance.now() < deadlineMs; await sleep(500)) {
    const response = await fetch(`${stack.apiUrl}/v2/bots/${data.bot_id}`, { headers });
    const { data: bot } = (await response.json()) as { data: { status: string } };
    if (bot.status === 'in_call_recording') return;
    if (bot.status === 'failed') throw new Error('The bot failed before it recorded.');
  }
  throw new Error(`The bot did not record within ${recordingDeadlineMs} ms.`);
}

async function post<T>(url: string, headers: Record<string, string>, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(90_000),
  });
  if (!response.ok) throw new Error(`${url} refused with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

function databaseUrlOf(stack: RunningStack): string {
  return environmentOf(stack.pidOf('api-gateway') ?? 0).get('RAPPORTEUR_DATABASE_URL') ?? '';
}
