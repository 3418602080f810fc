import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';
import { storedRecord } from './testing/stored-record.ts';

// A complete bot that is killed during a pause, and its finalize run.

let meetings: SimulatedMeetings;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  // Renders the media of the participants once.
  await meetings.open();
  await meetings.clear();
}, 300_000);
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());
const untilStored = (meeting: SimulatedMeeting, ms: number) =>
  waitFor(() => meeting.storedMs() >= ms, { what: `${ms} ms to be stored` });
const reportsOf = <K extends string>(meeting: SimulatedMeeting, kind: K) =>
  meeting.scheduler.reports.filter((report) => report.kind === kind);
const json = (meeting: SimulatedMeeting, key: string): unknown =>
  JSON.parse(String(meeting.storage.objects.get(key))) as unknown;

describe('a bot that is told things in its meeting', () => {
  test('killed in a pause, it leaves a recording that ends where the pause began', async () => {
    const meeting = await meetings.open();
    const { scheduler } = meeting;
    const botId = crypto.randomUUID();
    const bot = await meeting.sendBot({ botId });
    await untilStored(meeting, 3_000);
    await scheduler.command(botId, { kind: 'pause-recording', chatMessage: null });
    const lastRecord = () => {
      const sequences = [...meeting.storage.objects.keys()].flatMap(
        (key) => /0001\/(\d{6})\.m4s$/.exec(key)?.[1] ?? [],
      );
      return storedRecord(meeting.storage, { sequence: Math.max(...sequences.map(Number)) });
    };
    const { endMs } = await waitFor(
      () => {
        const last = lastRecord();
        const pausedAtMs = last?.pauses[0]?.startMs ?? Infinity;
        return last !== null && Math.abs(last.startedAtMs + last.endMs - pausedAtMs) < 1 && last;
      },
      { what: 'everything before the pause to be stored' },
    );
    bot.child.kill('SIGKILL');
    await bot.exited;
    const end = { code: 'FORCE_KILLED', message: 'Killed.', joinedAt: null, exitedAt: null, recorded: true };
    const finalizer = await meeting.sendBot({ botId, mode: 'finalize', attempt: 2, fencing: 2, attendanceEnd: end });
    expect(await finalizer.exited).toBe(0);
    expect(Math.abs((scheduler.find('recording-stored')?.durationMs ?? 0) - endMs)).toBeLessThan(100);
    expect(json(meeting, 'artifacts/integrity.json')).toMatchObject({ gaps: [], pauses: [{ lastedMs: null }] });
  }, 120_000);

  test('knocks at that second, never before, and keeps its lease while it waits', async () => {
    const meeting = await meetings.open();
    const joinAtMs = Date.now() + 20_000;
    const bot = await meeting.sendBot({ joinAt: new Date(joinAtMs).toISOString() });
    await waitFor(() => meeting.statuses().includes('in_call_recording'), { what: 'the recording' });
    const knocked = (await meeting.log()).find(({ kind }) => kind === 'joinRequested')!;
    expect(knocked.at).toBeGreaterThanOrEqual(joinAtMs);
    expect(knocked.at).toBeLessThan(joinAtMs + 1_500);
    expect((await bot.log()).find((line) => 'lateMs' in line)?.['lateMs']).toBeLessThan(1_500);
    const [joining] = reportsOf(meeting, 'status');
    expect(Date.parse(joining!.at)).toBeGreaterThanOrEqual(joinAtMs - 11_000);
    expect(meeting.scheduler.requests).toBeGreaterThan(10);
  }, 120_000);
});
