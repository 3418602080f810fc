import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBusAuthority } from '@rapporteur/event-bus';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-authority-'));
  scheduler = await startTestScheduler({ authority: await openBusAuthority(folder) });
});
afterAll(async () => {
  await scheduler.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('on a bus that requests credentials a bot lives its life with the ones from its invocation', async () => {
  const teamId = await addTeam(scheduler.database);
  const botId = await scheduler.sendBot(teamId, 'records');
  await scheduler.waitForStatus(botId, 'in_call_recording');
  await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
  expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({ end_code: 'API_REQUEST', attempt: 1 });
});
