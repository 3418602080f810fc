import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { storedRecord } from './testing/stored-record.ts';
import { finalizeAfterKill, reportsOf, storedJson, suiteMeetings, untilStored } from './testing/suite-meetings.ts';

// A complete bot that is killed during a pause, and its finalize run.

const meetings = suiteMeetings();

describe('a bot that gets commands in its meeting', () => {
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
    await finalizeAfterKill(meeting, bot, { botId });
    expect(Math.abs((scheduler.find('recording-stored')?.durationMs ?? 0) - endMs)).toBeLessThan(100);
    expect(storedJson(meeting, 'artifacts/integrity.json')).toMatchObject({ gaps: [], pauses: [{ lastedMs: null }] });
  }, 120_000);

  test('joins at that second, never before, and keeps its lease while it waits', async () => {
    const meeting = await meetings.open();
    const joinAtMs = Date.now() + 20_000;
    const bot = await meeting.sendBot({ joinAt: new Date(joinAtMs).toISOString() });
    await waitFor(() => meeting.statuses().includes('in_call_recording'), { what: 'the recording' });
    const requested = (await meeting.log()).find(({ kind }) => kind === 'joinRequested')!;
    expect(requested.at).toBeGreaterThanOrEqual(joinAtMs);
    expect(requested.at).toBeLessThan(joinAtMs + 1_500);
    expect((await bot.log()).find((line) => 'lateMs' in line)?.['lateMs']).toBeLessThan(1_500);
    const [joining] = reportsOf(meeting, 'status');
    expect(Date.parse(joining!.at)).toBeGreaterThanOrEqual(joinAtMs - 11_000);
    expect(meeting.scheduler.requests).toBeGreaterThan(10);
  }, 120_000);
});
