import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { documentedCommands, waitFor } from '@rapporteur/testbed';
import pg from 'pg';
import { runCampaign } from './campaign.ts';
import { openParts } from './open-parts.ts';
import { planChaos } from './inject-fault.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const runbook = readFileSync(join(root, 'docs/runbooks/incidents.md'), 'utf8');
const lines: string[] = [];
let parts: Awaited<ReturnType<typeof openParts>>;

beforeAll(async () => {
  parts = await openParts((text) => lines.push(text));
}, 120_000);
afterAll(() => parts?.stop(), 120_000);

test('kills, freezes, network faults and a lost JetStream store lose no bot, double none and announce each end once', async () => {
  const faults = planChaos({ seed: 1, kills: 7, freezes: 2, wipes: 1, networkFaults: 4, longestFreezeMs: 4_000 });
  const report = await runCampaign(parts, { bots: 6, firstNumber: 1, faults, atOnce: 2 });
  expect({ problems: report.problems, faults: lines }).toMatchObject({ problems: [] });
  expect(report.settledAfterMs).toBeLessThan(60_000);
}, 240_000);

test('while PostgreSQL is gone for 30 s the API responds 503 in the envelope within 3 s, and it is back within 10 s', async () => {
  const { stack, customer, oracle } = parts;
  const before = await customer.sendBot(100, oracle.meetingUrl);
  await stack.servers.postgres.kill();
  const goneAtMs = Date.now();
  const refusals: { readonly tookMs: number; readonly status: number; readonly code: unknown }[] = [];
  while (Date.now() - goneAtMs < 30_000) {
    const requestedAtMs = Date.now();
    const response = await sendOnce(stack.apiUrl, stack.firstKey ?? '', oracle.meetingUrl);
    refusals.push({ tookMs: Date.now() - requestedAtMs, ...response });
    await sleep(1_000);
  }
  expect(refusals.length).toBeGreaterThan(5);
  expect(refusals.filter(({ status, code }) => status !== 503 || typeof code !== 'string')).toEqual([]);
  expect(Math.max(...refusals.map(({ tookMs }) => tookMs))).toBeLessThan(3_000);
  await stack.servers.postgres.start();
  const backAtMs = Date.now();
  const healthy = async () => (await fetch(`${stack.apiUrl}/health/ready`)).status === 200;
  await waitFor(healthy, { what: 'the API to be ready' });
  expect(Date.now() - backAtMs).toBeLessThan(10_000);
  const after = await customer.sendBot(101, oracle.meetingUrl);
  await waitFor(() => [before, after].every((botId) => oracle.finalEvents.has(botId)), {
    what: 'both bots to end',
  });
  for (const botId of [before, after])
    expect(oracle.finalEvents.get(botId)).toMatchObject([{ event: 'bot.completed' }]);
}, 180_000);

describe('the runbook of incidents on a running service', () => {
  test.each(documentedCommands(runbook, 'sql'))('%s', async (statement) => {
    const client = new pg.Client({ connectionString: parts.stack.servers.postgres.url });
    await client.connect();
    try {
      await expect(client.query(statement)).resolves.toHaveProperty('fields');
    } finally {
      await client.end();
    }
  });

  const commands = documentedCommands(runbook, 'sh').filter((command) => !command.startsWith('kubectl '));
  test.each(commands)(
    '%s',
    async (command) => {
      const { path } = parts.stack.dataFolder;
      const { ports } = JSON.parse(readFileSync(join(path, 'stack.json'), 'utf8')) as { ports: Record<string, number> };
      const env = { ...process.env, METRICS_SCHEDULER: `http://127.0.0.1:${ports['scheduler']}` };
      const located = command.startsWith('npm run -s rapporteur -- ') ? `${command} --data-folder ${path}` : command;
      const { stdout } = await run('bash', ['-c', located], { cwd: root, env, timeout: 120_000 });
      expect(stdout.trim()).not.toBe('');
    },
    90_000,
  );
});

async function sendOnce(apiUrl: string, key: string, meetingUrl: string) {
  const response = await fetch(`${apiUrl}/v2/bots`, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      bot_name: 'Chaos',
      meeting_url: 'https://meet.google.com/zzz-zzzz-zzz',
      entry_message: meetingUrl,
    }),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: response.status, code: ((await response.json()) as { code?: unknown }).code };
}
