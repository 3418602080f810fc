import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packRunner } from '@rapporteur/local-stack/packed-runner';
import { waitFor } from '@rapporteur/testbed';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeetings } from './testing/simulated-meetings.ts';

const root = join(import.meta.dirname, '../../..');
let meetings: SimulatedMeetings;
let packed: string;

beforeAll(async () => {
  packed = await packRunner(root);
  meetings = await startSimulatedMeetings();
}, 300_000);
afterAll(() => meetings.stop());

describe('a packed runner', () => {
  test('is made once for the same sources, and reads none of them', async () => {
    const madeAt = (await stat(packed)).mtimeMs;
    expect(await packRunner(root)).toBe(packed);
    expect((await stat(packed)).mtimeMs).toBe(madeAt);
    const names = (await readdir(dirname(packed))).filter((name) => name.endsWith('.js'));
    for (const name of names) {
      expect(await readFile(join(dirname(packed), name), 'utf8')).not.toMatch(/new URL\(\s*['"]\.[^'"]*\.page\.ts/);
    }
  });

  test('brings a whole recording home', async () => {
    const meeting = await meetings.open();
    const bot = await meeting.sendBot({}, packed);
    await waitFor(() => meeting.statuses().includes('in_call_recording'), {
      what: 'the recording to start',
      timeoutMs: 60_000,
    });
    await waitFor(() => meeting.storedMs() >= 6_000, { what: '6 s to be stored', timeoutMs: 60_000 });
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    expect(meeting.scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    const kinds = meeting.scheduler.find('recording-stored')?.artifacts.map(({ kind }) => kind) ?? [];
    expect(kinds).toEqual(expect.arrayContaining(['audio', 'diarization', 'integrity', 'video']));
    const failures = (await bot.log()).filter((line) => line['level'] === 'error');
    expect(failures).toEqual([]);
  });
});
