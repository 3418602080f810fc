import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { integrityReport } from '@rapporteur/contracts';
import { checkRecording } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import { processesBelow } from './testing/bot-processes.ts';
import { framesPerSecond, loopSeconds, startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeetings } from './testing/simulated-meetings.ts';
import { storedRecord } from './testing/stored-record.ts';

const stoppedMs = 2_000;
const busyMs = 1_500;
/** A part without audio, or with one frame, that a quiet meeting does not have. */
const lostMs = 1_200;
let meetings: SimulatedMeetings;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
});
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());

/** Suspends the processes, as a machine without CPU time would, and resumes them. */
async function stop(pids: readonly number[], forMs: number): Promise<void> {
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => pids.forEach((pid) => process.kill(pid, name));
  signal('SIGSTOP');
  await sleep(forMs);
  signal('SIGCONT');
}

/** Keeps as many cores busy as there are threads. */
async function keepBusy(threads: number, forMs: number): Promise<void> {
  const loop = `const until = Date.now() + ${forMs}; while (Date.now() < until);`;
  const workers = Array.from({ length: threads }, () => new Worker(loop, { eval: true }));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
}

test('a recording on a machine that stalls is as long as the meeting, and its integrity report states what it lacks', async () => {
  const meeting = await meetings.open();
  const { scheduler, storage } = meeting;
  const bot = await meeting.sendBot();
  await waitFor(() => meeting.storedMs() >= 3_000, { what: '3 s to be stored' });
  const browser = (await processesBelow(bot.child.pid ?? 0)).map(({ pid }) => pid);
  await stop(browser, stoppedMs);
  await waitFor(() => meeting.storedMs() >= 7_000, { what: '7 s to be stored' });
  await stop([bot.child.pid ?? 0], stoppedMs);
  await keepBusy(4, busyMs);
  const recordedMs = meeting.storedMs();
  await waitFor(() => meeting.storedMs() >= recordedMs + 4_000, { what: '4 s more to be stored' });
  const leftAtMs = Date.now();
  scheduler.lease.leaveRequested = true;
  expect(await bot.exited).toBe(0);

  const integrity = integrityReport.parse(JSON.parse(String(storage.objects.get('artifacts/integrity.json'))));
  const file = join(meetings.folder, 'stalled.mp4');
  await writeFile(file, storage.objects.get('artifacts/video.mp4')!);
  const { report } = await checkRecording(file, { framesPerSecond, loopSeconds, silenceMs: lostMs });
  // The recording follows the meeting's clock: missing media is silence and a repeated frame, not a shorter recording.
  const meetingMs = leftAtMs - (storedRecord(storage)?.startedAtMs ?? 0);
  expect(Math.abs(report.file.durationMs - meetingMs)).toBeLessThan(2_500);
  expect(report.decodeErrors).toEqual([]);
  const { gapMs, audioDiscontinuities, lateAudioMs, framesRepeated, framesDropped } = integrity;
  const lost = { audio: report.silences.length > 0, video: (report.video?.longestFrameGapMs ?? 0) > lostMs };
  const stated = {
    audio: gapMs + (audioDiscontinuities ?? 0) + (lateAudioMs ?? 0) > 0,
    video: gapMs + (framesRepeated ?? 0) + (framesDropped ?? 0) > 0,
  };
  expect({ lost, stated, integrity }).toMatchObject({
    lost: { audio: true, video: true },
    stated: { audio: true, video: true },
  });
  // Recorded data always reaches the store, whichever process is suspended.
  expect(integrity).toMatchObject({
    gaps: [],
    missingSequences: [],
    framesSkippedByRateLimit: 0,
    endedCleanly: true,
  });
  // Afterwards video and audio are synchronous again.
  const [first = 0] = report.beepsMs;
  const later = report.beepsMs.filter((atMs) => atMs > report.file.durationMs - 3_000);
  const offsets = later.map((atMs) => ((((atMs - first) % 1_000) + 1_500) % 1_000) - 500);
  expect({
    later: later.length >= 2,
    offsets: offsets.filter((offMs) => Math.abs(offMs) > 150),
    beepsMs: report.beepsMs,
  }).toMatchObject({ later: true, offsets: [] });
});
