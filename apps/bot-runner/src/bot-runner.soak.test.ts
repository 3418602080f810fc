import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { integrityReport } from '@rapporteur/contracts';
import type { IntegrityReport } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import type { testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { Room, SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';
import { speechRight } from './testing/speech-right.ts';
import type { StubScheduler } from './testing/stub-scheduler.ts';
import type { StubStorage } from './testing/stub-storage.ts';
import { storedRecord } from './testing/stored-record.ts';

// `npm test` covers SIGKILL and SIGTERM of a runner in tools/bench/src/kills; here the figures of its report are
// judged.

let meetings: SimulatedMeetings;
let meeting: SimulatedMeeting;
let storage: StubStorage;
let scheduler: StubScheduler;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  // Renders the media of the participants once.
  await meetings.open();
  await meetings.clear();
}, 300_000);
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());

async function openRoom(options: object = {}): Promise<Room> {
  meeting = await meetings.open(options);
  ({ storage, scheduler } = meeting);
  return meeting.room;
}

const sendBot = (more: Parameters<typeof testInvocation>[1] = {}): Promise<RunningBot> => meeting.sendBot(more);
const storedMs = (): number => meeting.storedMs();
const readIntegrity = (): IntegrityReport =>
  integrityReport.parse(JSON.parse(String(storage.objects.get('artifacts/integrity.json'))));

async function probe(bytes: Buffer): Promise<{ seconds: number; streams: string[] }> {
  const file = join(meetings.folder, `${crypto.randomUUID()}.media`);
  await writeFile(file, bytes);
  const { stdout } = await promisify(execFile)('ffprobe', [
    '-v',
    'error',
    '-show_format',
    '-show_streams',
    '-of',
    'json',
    file,
  ]);
  const probed = JSON.parse(stdout) as { format: { duration: string }; streams: { codec_name: string }[] };
  return { seconds: Number(probed.format.duration), streams: probed.streams.map((stream) => stream.codec_name).sort() };
}

/** Amplitude of the loudest 10 ms of 1000 Hz. */
async function loudestBeep(audio: Buffer): Promise<number> {
  const file = join(meetings.folder, `${crypto.randomUUID()}.media`);
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
    await waitFor(() => storedMs() >= 5_000, { what: '5 s to be stored' });
    bot.child.kill('SIGKILL');
    await bot.exited;
    const end = { code: 'FORCE_KILLED', message: 'Killed.', joinedAt: null, exitedAt: null, recorded: true };
    const finalizer = await sendBot({ mode: 'finalize', attempt: 2, fencing: 2, attendanceEnd: end });
    expect(await finalizer.exited).toBe(0);
    const stored = scheduler.find('recording-stored');
    expect(stored?.attempt).toBe(2);
    expect(stored?.durationMs).toBeGreaterThanOrEqual(5_000);
    expect(stored?.participants).toHaveLength(3);
    expect((await probe(storage.objects.get('artifacts/video.mp4')!)).streams).toEqual(['aac', 'h264']);
    expect((await probe(storage.objects.get('artifacts/audio.m4a')!)).streams).toEqual(['aac']);
    expect((await probe(storage.objects.get('artifacts/poster.jpg')!)).streams).toEqual(['mjpeg']);
    // The resource usage of the killed run is stored up to its last fragment.
    const { resourceUsage, endedCleanly } = readIntegrity();
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

  test('told to stop, it leaves, saves what it has and says so, within 25 s', async () => {
    await openRoom();
    const bot = await sendBot();
    await waitFor(() => storedMs() >= 5_000, { what: '5 s to be stored' });
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
    await waitFor(() => storedMs() >= 12_000, { what: '12 s to be stored' });
    scheduler.lease.leaveRequested = true;
    const stored = await waitFor(() => scheduler.find('recording-stored'), { what: 'the result' });
    expect((await probe(storage.objects.get('artifacts/video.mp4')!)).streams).toEqual(['aac', 'h264']);
    expect(stored.participants.map(({ name }) => name)).toEqual(['Alice Martin', 'Bruno Keller', 'Callum Reid']);
    // The beep of each second is sent at 0.5; with the double it would be near 1.
    const beep = await loudestBeep(storage.objects.get('artifacts/audio.flac')!);
    expect(beep).toBeGreaterThan(0.4);
    expect(beep).toBeLessThan(0.75);
    const startedAtMs = storedRecord(storage)?.startedAtMs ?? 0;
    const diarization = String(storage.objects.get('artifacts/diarization.jsonl'));
    expect(speechRight(diarization, room, startedAtMs, stored.durationMs)).toBeGreaterThan(0.9);
  }, 150_000);
});
