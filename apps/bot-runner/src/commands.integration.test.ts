import { describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import { framesPerSecond, loopSeconds } from './testing/simulated-meetings.ts';
import {
  configurationFor,
  leave,
  reportsOf,
  storedJson,
  suiteMeetings,
  untilStored,
  videoFile,
} from './testing/suite-meetings.ts';

const meetings = suiteMeetings();

const entryMessage = 'I am recording this meeting.';
interface Pauses {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly pauses: readonly { readonly startMs: number; readonly endMs: number }[];
}

describe('a bot that gets commands in its meeting', () => {
  test('writes in the chat, reports messages of others, pauses twice, and the recording holds nothing of the pauses', async () => {
    const meeting = await meetings.open();
    const { scheduler, storage } = meeting;
    const botId = crypto.randomUUID();
    const bot = await meeting.sendBot({
      botId,
      configuration: configurationFor(meeting, { entry_message: entryMessage }),
    });
    const tooEarly = await scheduler.command(botId, { kind: 'pause-recording', chatMessage: null });
    expect(tooEarly.outcome).toBe('refused');
    await untilStored(meeting, 3_000);
    await waitFor(() => reportsOf(meeting, 'chat-status').length > 0, {
      what: 'word on the chat',
    });

    expect(await scheduler.command(botId, { kind: 'send-chat-message', message: 'Good morning!' })).toMatchObject({
      outcome: 'done',
    });
    await meeting.say('Bruno Keller', 'Please pause.');
    const pauseFor = async (ms: number): Promise<void> => {
      const paused = await scheduler.command(botId, { kind: 'pause-recording', chatMessage: 'Paused.' });
      expect(paused).toMatchObject({ outcome: 'done', message: 'The recording is paused.' });
      // A client that receives the result finds the status in the database.
      expect(meeting.statuses().at(-1)).toBe('recording_paused');
      const untilMs = Date.now() + ms;
      await waitFor(() => Date.now() >= untilMs, { what: 'the pause to last' });
      const resumed = await scheduler.command(botId, { kind: 'resume-recording', chatMessage: null });
      expect(resumed).toMatchObject({ outcome: 'done' });
      expect(meeting.statuses().at(-1)).toBe('recording_resumed');
    };
    await pauseFor(2_000);
    await untilStored(meeting, meeting.storedMs() + 3_000);
    await pauseFor(1_500);
    await untilStored(meeting, meeting.storedMs() + 3_000);
    await leave(meeting, bot);

    const written = (await meeting.log()).filter(({ kind, who }) => kind === 'chat' && who === 'Rapporteur');
    expect(written.map(({ text }) => text)).toEqual([entryMessage, 'Good morning!', 'Paused.', 'Paused.']);
    expect(reportsOf(meeting, 'chat-status')).toMatchObject([{ available: true, reason: null }]);
    expect(reportsOf(meeting, 'chat-message')).toMatchObject([
      { message: { text: 'Please pause.', senderId: 2, senderName: 'Bruno Keller' } },
    ]);
    expect(storedJson(meeting, 'artifacts/chat_messages.json')).toHaveLength(5);

    const { summary } = storedJson(meeting, 'segments/0001/end.json') as { summary: Pauses };
    const stored = scheduler.find('recording-stored')!;
    expect(summary.pauses).toHaveLength(2);
    expect(Math.abs(stored.durationMs - summary.durationMs)).toBeLessThan(100);
    const file = await videoFile(meeting, meetings.folder());
    const { report } = await checkRecording(file, { framesPerSecond, loopSeconds });
    expect(report.decodeErrors).toEqual([]);
    expect(Math.abs(report.file.durationMs - stored.durationMs)).toBeLessThan(500);
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(80);
    const lengths = summary.pauses.map(({ startMs, endMs }) => endMs - startMs);
    // A busy machine delays videos by a quarter of a second; a pause is longer.
    const cuts = (report.video?.timeJumps ?? []).filter(({ byMs }) => Math.abs(byMs) > 1_000);
    expect(cuts).toHaveLength(2);
    cuts.forEach(({ byMs }, index) => expect(Math.abs(byMs - (lengths[index] ?? 0))).toBeLessThan(300));

    const frames = reportsOf(meeting, 'screenshot') as { key: string; takenAt: string }[];
    expect(frames.map(({ key }) => key)).toEqual([1, 2, 3, 4].map((number) => `screenshots/00000${number}.jpg`));
    for (const { key } of frames) expect(storage.objects.get(key)?.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  }, 180_000);
});
