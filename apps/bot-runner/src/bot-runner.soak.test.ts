import { execFile } from 'node:child_process';
import type { BotInvocation } from '@rapporteur/contracts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { RunningBot } from './testing/run-bot.ts';
import type { Room, SimulatedMeeting } from './testing/simulated-meetings.ts';
import { speechRight } from './testing/speech-right.ts';
import type { StubScheduler } from './testing/stub-scheduler.ts';
import type { StubStorage } from './testing/stub-storage.ts';
import { probeMedia } from './testing/probe-media.ts';
import {
  finalizeAfterKill,
  recordingStartedAtMs,
  storedIntegrity,
  suiteMeetings,
  untilStored,
} from './testing/suite-meetings.ts';

// `npm test` covers SIGKILL and SIGTERM of a runner in tools/bench/src/kills; here the figures of its report are
// judged.

let meeting: SimulatedMeeting;
let storage: StubStorage;
let scheduler: StubScheduler;
const meetings = suiteMeetings();

async function openRoom(options: object = {}): Promise<Room> {
  meeting = await meetings.open(options);
  ({ storage, scheduler } = meeting);
  return meeting.room;
}

const sendBot = (more: Partial<BotInvocation> = {}): Promise<RunningBot> => meeting.sendBot(more);
/** Amplitude of the loudest 10 ms of 1000 Hz. */
async function loudestBeep(audio: Buffer): Promise<number> {
  const file = join(meetings.folder(), `${crypto.randomUUID()}.media`);
  await writeFile(file, audio);
  const decode = ['-v', 'error', '-i', file, '-ac', '1', '-ar', '48000', '-f', 'f32le', '-'];
  const options = { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 } as const;
  const { stdout } = await promisify(execFile)('ffmpeg', decode, options);
  const samples = new Float32Array(stdout.buffer, stdout.byteOffset, Math.floor(stdout.length / 4));
  let loudest = 0;
  for (let start = 0; start + 480 <= samples.length; start += 240) {
    const window = samples.subarray(start, start + 480);
    const part = (wave: (angle: number) => number): number =>
      window.reduce((sum, sample, index) => sum + sample * wave((Math.PI * index) / 24), 0);
    loudest = Math.max(loudest, (2 * Math.hypot(part(Math.cos), part(Math.sin))) / window.length);
  }
  return loudest;
}

describe('a bot in a simulated meeting', () => {
  test('a run killed in the middle loses nothing that was uploaded: a finalize run makes the artifacts', async () => {
    await openRoom();
    const bot = await sendBot();
    await untilStored(meeting, 5_000);
    await finalizeAfterKill(meeting, bot);
    const stored = scheduler.find('recording-stored');
    expect(stored?.attempt).toBe(2);
    expect(stored?.durationMs).toBeGreaterThanOrEqual(5_000);
    expect(stored?.participants).toHaveLength(3);
    expect((await probeMedia(storage.objects.get('artifacts/video.mp4')!, meetings.folder())).streams).toEqual([
      'aac',
      'h264',
    ]);
    expect((await probeMedia(storage.objects.get('artifacts/audio.m4a')!, meetings.folder())).streams).toEqual(['aac']);
    expect((await probeMedia(storage.objects.get('artifacts/poster.jpg')!, meetings.folder())).streams).toEqual([
      'mjpeg',
    ]);
    // The resource usage of the killed run is stored up to its last fragment.
    const { resourceUsage, endedCleanly } = storedIntegrity(meeting);
    expect([endedCleanly, resourceUsage.filesMade]).toEqual([false, 'after_call']);
    expect(resourceUsage.runs.map(({ attempt, complete }) => ({ attempt, complete }))).toEqual([
      { attempt: 1, complete: false },
      { attempt: 2, complete: true },
    ]);
    const [first, second] = resourceUsage.runs.map(({ cpuMs }) => cpuMs ?? 0);
    expect(first).toBeGreaterThan(1_000);
    expect(second).toBeGreaterThan(100);
    expect(resourceUsage.cpuMs).toBe((first ?? 0) + (second ?? 0));
  }, 120_000);

  test('leaves on a stop request, saves and reports what it has, within 25 s', async () => {
    await openRoom();
    const bot = await sendBot();
    await untilStored(meeting, 5_000);
    const reportedAtMs = performance.now();
    bot.child.kill('SIGTERM');
    expect(await bot.exited).toBe(143);
    expect(performance.now() - reportedAtMs).toBeLessThan(25_000);
    expect(scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'SIGTERM', recorded: true });
    expect(scheduler.find('recording-stored')).toBeDefined();
  }, 120_000);

  test("records Teams' light client: one sound although the page gets two, the picture, and who spoke when", async () => {
    const room = await openRoom({ platform: 'teams', teams: { client: 'light', deviceWarning: 'after' } });
    await sendBot({ meeting: { platform: 'teams', joinUrl: room.realUrl, meetingId: room.code } });
    await untilStored(meeting, 12_000);
    scheduler.lease.leaveRequested = true;
    const stored = await waitFor(() => scheduler.find('recording-stored'), { what: 'the result' });
    expect((await probeMedia(storage.objects.get('artifacts/video.mp4')!, meetings.folder())).streams).toEqual([
      'aac',
      'h264',
    ]);
    expect(stored.participants.map(({ name }) => name)).toEqual(['Alice Martin', 'Bruno Keller', 'Callum Reid']);
    // The beep of each second is sent at 0.5; with the double it would be near 1.
    const beep = await loudestBeep(storage.objects.get('artifacts/audio.flac')!);
    expect(beep).toBeGreaterThan(0.4);
    expect(beep).toBeLessThan(0.75);
    const startedAtMs = recordingStartedAtMs(meeting);
    const diarization = String(storage.objects.get('artifacts/diarization.jsonl'));
    expect(speechRight(diarization, room, startedAtMs, stored.durationMs)).toBeGreaterThan(0.9);
  }, 150_000);
});
