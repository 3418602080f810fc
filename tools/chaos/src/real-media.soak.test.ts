// A recording of a real browser that lasts six minutes: too long for `npm test`.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startStack } from '@rapporteur/local-stack/stack';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import { checkRecording } from '@rapporteur/recording-check';
import { createCustomer } from './customer.ts';
import type { Customer } from './customer.ts';
import { injectProcessFault, services } from './inject-fault.ts';
import type { Target } from './inject-fault.ts';

const root = join(import.meta.dirname, '../../..');
const frozenMs = 60_000;
const recoveryMs = 20_000;
const roomSeconds = 290;

let folder: string;
let stack: RunningStack;
let customer: Customer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-frozen-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(folder, 0o755);
  stack = await startStack(
    {
      dataFolder: join(folder, 'data'),
      ports: { api: 0, files: 0, simulator: 0 },
      simulator: true,
      maxConcurrentBots: 2,
      logLevel: 'info',
      settings: { 'bot-scheduler': { WAITS_FOR_CPU: 'false' } },
    },
    { root, say: () => undefined },
  );
  customer = createCustomer(stack.apiUrl, stack.firstKey ?? '');
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, 60_000);

interface Room {
  readonly url: string;
  readonly framesPerSecond: number;
  readonly loopSeconds: number;
}

async function post<T>(url: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as T;
}

async function waitForStatus(botId: string, wanted: string, timeoutMs: number): Promise<void> {
  const untilMs = Date.now() + timeoutMs;
  for (let status = ''; status !== wanted; await sleep(500)) {
    ({ status } = await customer.detailsOf(botId));
    if (status === 'failed' || Date.now() > untilMs) throw new Error(`The bot is ${status}, expected ${wanted}.`);
  }
}

const freeze = async (frozen: readonly Target[]): Promise<void> => {
  await Promise.all(
    frozen.map((target) => injectProcessFault(stack, { kind: 'freeze', target, pauseMs: 0, lastsMs: frozenMs })),
  );
};

test('a bot records through a minute each without PostgreSQL, NATS and every service, and nothing is missing', async () => {
  const room = await post<Room>(`${stack.simulatorUrl}/rooms`, { speakers: 2, durationSeconds: roomSeconds });
  const { data } = await post<{ data: { bot_id: string } }>(
    `${stack.apiUrl}/v2/bots`,
    { bot_name: 'Recorder', meeting_url: room.url },
    { 'x-service-api-key': stack.firstKey ?? '' },
  );
  const botId = data.bot_id;
  await waitForStatus(botId, 'in_call_recording', 60_000);
  const recordingAtMs = Date.now();
  for (const frozen of [['postgres'], ['nats'], services] as const) {
    await freeze(frozen);
    await sleep(recoveryMs);
    expect((await customer.detailsOf(botId)).status).toBe('in_call_recording');
  }
  const frozenForMs = Date.now() - recordingAtMs;
  await waitForStatus(botId, 'completed', 120_000);

  const { video, integrity } = await customer.detailsOf(botId);
  const { gaps, endedCleanly } = (await (await fetch(integrity ?? '')).json()) as {
    gaps: unknown;
    endedCleanly: boolean;
  };
  expect({ gaps, endedCleanly }).toEqual({ gaps: [], endedCleanly: true });
  const file = join(folder, 'video.mp4');
  writeFileSync(file, Buffer.from(await (await fetch(video ?? '')).arrayBuffer()));
  const { report, problems } = await checkRecording(file, {
    width: 1280,
    height: 720,
    durationMs: { least: frozenForMs, most: (roomSeconds + 5) * 1_000 },
    beatShare: 0.98,
    offsetMostMs: 120,
    framesPerSecond: room.framesPerSecond,
    loopSeconds: room.loopSeconds,
  });
  expect({ problems, report }).toMatchObject({ problems: [] });
}, 480_000);
