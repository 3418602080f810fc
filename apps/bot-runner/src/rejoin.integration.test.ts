import { describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import { storedRecord } from './testing/stored-record.ts';
import { framesPerSecond } from './testing/simulated-meetings.ts';
import {
  configurationFor,
  leave,
  storedJson,
  suiteMeetings,
  untilStored,
  videoFile,
} from './testing/suite-meetings.ts';

const meetings = suiteMeetings();

interface Integrity {
  readonly durationMs: number;
  readonly gaps: readonly { readonly startMs: number; readonly endMs: number; readonly reason: string }[];
}

describe('a bot whose page is lost', () => {
  test('comes back with a new page, then with a new browser, in one recording that says what it lacks', async () => {
    const meeting = await meetings.open();
    const { scheduler } = meeting;
    const botId = crypto.randomUUID();
    const bot = await meeting.sendBot({ botId });
    await untilStored(meeting, 4_000);
    await meeting.strike({ kind: 'reload' });
    await untilStored(meeting, meeting.storedMs() + 6_000);
    await bot.kill('browser');
    await untilStored(meeting, meeting.storedMs() + 4_000);
    const paused = await scheduler.command(botId, { kind: 'pause-recording', chatMessage: null });
    expect(paused.outcome).toBe('done');
    expect((await scheduler.command(botId, { kind: 'resume-recording', chatMessage: null })).outcome).toBe('done');
    await untilStored(meeting, meeting.storedMs() + 3_000);
    await leave(meeting, bot);

    expect(meeting.statuses()).toEqual([
      'joining_call',
      'in_waiting_room',
      'in_call_not_recording',
      'in_call_recording',
      'recording_paused',
      'recording_resumed',
    ]);
    const ends = scheduler.reports.filter(({ kind }) => kind === 'attendance-ended');
    expect(ends).toMatchObject([{ end: { code: 'API_REQUEST', recorded: true } }]);
    const joins = (await meeting.log()).filter(({ kind, who }) => kind === 'admitted' && who === 'Rapporteur');
    expect(joins).toHaveLength(3);

    const stored = scheduler.find('recording-stored')!;
    expect(stored.participants.map(({ name }) => name)).toEqual(['Alice Martin', 'Bruno Keller', 'Callum Reid']);
    const integrity = storedJson(meeting, 'artifacts/integrity.json') as Integrity;
    expect(integrity.gaps.map(({ reason }) => reason)).toEqual(['page_lost', 'page_lost']);
    for (const { startMs, endMs } of integrity.gaps) expect(endMs - startMs).toBeLessThan(30_000);
    const video = await videoFile(meeting, meetings.folder());
    const { report } = await checkRecording(video, { framesPerSecond });
    expect(report.decodeErrors).toEqual([]);

    expect(Math.abs(report.file.durationMs - stored.durationMs)).toBeLessThan(500);
    // Beep and flash of each second are still synchronous after the gaps.
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(120);
  }, 180_000);
});

describe('a runner that is killed', () => {
  test('is continued by another run, in one recording that states the time between them', async () => {
    const meeting = await meetings.open();
    const { scheduler, storage } = meeting;
    const botId = crypto.randomUUID();
    const configuration = configurationFor(meeting, { captions: { language: null } });
    const killed = await meeting.sendBot({ botId, configuration });
    const captioned = (): boolean => {
      for (let sequence = 1; ; sequence += 1) {
        const record = storedRecord(storage, { sequence });
        if (record === null || record.events.some(({ kind }) => kind === 'caption')) return record !== null;
      }
    };
    await waitFor(captioned, { what: 'captions beside the fragments' });
    await untilStored(meeting, 6_000);
    killed.child.kill('SIGKILL');
    await killed.exited;
    await killed.clear();
    const [first] = scheduler.reports.flatMap((report) =>
      report.kind === 'status' && report.code === 'in_call_recording' ? [report] : [],
    );
    const rejoin = { recordingSince: first!.at };
    const bot = await meeting.sendBot({ botId, attempt: 2, fencing: 2, rejoin, configuration });
    await waitFor(() => meeting.storedMs(2) >= 5_000, { what: '5 s of the second run' });
    await leave(meeting, bot);

    const ends = scheduler.reports.filter(({ kind }) => kind === 'attendance-ended');
    expect(ends).toMatchObject([{ attempt: 2, end: { code: 'API_REQUEST', recorded: true } }]);
    const stored = scheduler.find('recording-stored')!;
    expect(stored.participants.map(({ name }) => name)).toEqual(['Alice Martin', 'Bruno Keller', 'Callum Reid']);
    const firstCaption = String(storage.objects.get('artifacts/captions.jsonl')).split('\n')[0];
    const integrity = storedJson(meeting, 'artifacts/integrity.json') as Integrity;
    expect(integrity.gaps.map(({ reason }) => reason)).toContain('between_attempts');
    // Captions of the killed run, from its stored fragments.
    expect((JSON.parse(firstCaption ?? '') as { end: number }).end * 1_000).toBeLessThan(
      integrity.gaps.find(({ reason }) => reason === 'between_attempts')!.endMs,
    );
    const gap = integrity.gaps.find(({ reason }) => reason === 'between_attempts')!;
    expect(gap.startMs).toBeGreaterThan(4_000);
    expect(integrity.durationMs - gap.endMs).toBeGreaterThan(4_000);
    const video = await videoFile(meeting, meetings.folder());
    const { report } = await checkRecording(video, { framesPerSecond });
    expect(report.decodeErrors).toEqual([]);
    expect(Math.abs(report.file.durationMs - stored.durationMs)).toBeLessThan(500);
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(120);
  }, 180_000);
});
