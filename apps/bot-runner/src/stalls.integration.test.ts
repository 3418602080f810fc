import { setTimeout as sleep } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { freezeProcesses } from '@rapporteur/testbed';
import { processesBelow } from './testing/bot-processes.ts';
import { framesPerSecond, loopSeconds } from './testing/simulated-meetings.ts';
import { leave, recordingStartedAtMs, storedIntegrity, suiteMeetings, untilStored } from './testing/suite-meetings.ts';

const stoppedMs = 2_000;
const busyMs = 1_500;
/** A part without audio, or with one frame, that a quiet meeting does not have. */
const lostMs = 1_200;
const meetings = suiteMeetings(null);

async function stop(pids: readonly number[], forMs: number): Promise<void> {
  const resume = freezeProcesses(pids);
  await sleep(forMs);
  resume();
}

/** Keeps as many cores busy as there are threads. */
async function keepBusy(threads: number, forMs: number): Promise<void> {
  const loop = `const until = Date.now() + ${forMs}; while (Date.now() < until);`;
  const workers = Array.from({ length: threads }, () => new Worker(loop, { eval: true }));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
}

test('a recording on a machine that stalls is as long as the meeting, and its integrity report states what it lacks', async () => {
  const meeting = await meetings.open();
  const { storage } = meeting;
  const bot = await meeting.sendBot();
  await untilStored(meeting, 3_000);
  const browser = (await processesBelow(bot.child.pid ?? 0)).map(({ pid }) => pid);
  await stop(browser, stoppedMs);
  await untilStored(meeting, 7_000);
  await stop([bot.child.pid ?? 0], stoppedMs);
  await keepBusy(4, busyMs);
  const recordedMs = meeting.storedMs();
  await untilStored(meeting, recordedMs + 4_000);
  const leftAtMs = Date.now();
  await leave(meeting, bot);

  const integrity = storedIntegrity(meeting);
  const file = join(meetings.folder(), 'stalled.mp4');
  await writeFile(file, storage.objects.get('artifacts/video.mp4')!);
  const { report } = await checkRecording(file, { framesPerSecond, loopSeconds, silenceMs: lostMs });
  // The recording follows the meeting's clock: missing media is silence and a repeated frame, not a shorter recording.
  const meetingMs = leftAtMs - recordingStartedAtMs(meeting);
  expect(Math.abs(report.file.durationMs - meetingMs)).toBeLessThan(2_500);
  expect(report.decodeErrors).toEqual([]);
  const { gapMs, audioDiscontinuities, lateAudioMs, framesRepeated, framesDropped } = integrity;
  const lost = { audio: report.silences.length > 0, video: (report.video?.longestFrameGap.lastedMs ?? 0) > lostMs };
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
