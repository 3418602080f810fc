import { findChromium } from '@rapporteur/local-stack/chromium';
import { describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { finalizeRecording } from './index.ts';
import type { RecordingClock, RecordingPause, RecordingSummary } from './index.ts';
import { chromiumFlags, lateRoom, untilRecorded } from './testing/record-scene.ts';
import type { RecordedScene, SceneSetup } from './testing/record-scene.ts';
import { sceneBrowser } from './testing/scene-browser.ts';
import { TappedAudio } from './testing/tapped-audio.ts';

const wide = { width: 640, height: 360 };
const twoParticipants = { frames: [wide, wide], secondAudioAfterMs: 4_000, switchEveryMs: 2_500 };
/** The machine of a test is shared: some frames of the room itself are late. */
const expectations = { width: 1_280, height: 720, frameShare: 0.8 };

const scenes = sceneBrowser(() => chromium.launch({ executablePath: findChromium(), args: chromiumFlags }));

async function open(setup: SceneSetup): Promise<RecordedScene> {
  return await scenes.open(setup);
}

async function finish(room: RecordedScene, summary: RecordingSummary, dropped: readonly number[] = []) {
  return await finalizeRecording({
    attempts: [
      {
        init: room.init,
        fragments: room.fragments.filter((fragment) => !dropped.includes(fragment.sequence)),
        startedAtMs: summary.startedAtMs,
        pauses: summary.pauses,
      },
    ],
    summaries: [summary],
    workFolder: join(room.folder, `artifacts-without-${dropped.length}`),
    ffmpegPath: 'ffmpeg',
    mode: room.mode,
    speakerTimeline: [{ name: 'Person 0', startMs: summary.startedAtMs + 1_000, endMs: null }],
  });
}

const pausedMs = (pauses: readonly RecordingPause[]): number =>
  pauses.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0);

/**
 * Beats, in media time, that are off the room's whole seconds after the pauses are put back: a moment of a paused span,
 * or a doubled one, would be among them. A beat at a cut may be a little off.
 */
function beatsOutOfStep(beatsMs: readonly number[], clock: RecordingClock): number[] {
  const roomMs = (mediaMs: number): number =>
    clock.pauses.reduce(
      (atMs, pause) => (atMs < pause.startMs ? atMs : atMs + (pause.endMs ?? pause.startMs) - pause.startMs),
      clock.startedAtMs + mediaMs,
    );
  const first = roomMs(beatsMs[0] ?? 0);
  return beatsMs.filter((beatMs) => {
    const off = (((roomMs(beatMs) - first) % 1_000) + 1_500) % 1_000;
    return Math.abs(off - 500) > 120;
  });
}

describe('recording speaker_view in Chromium', () => {
  test('shows every person in step, survives a lost end and a lost fragment, and finishes into playable artifacts', async () => {
    const room = await open({ mode: 'speaker_view', scene: twoParticipants });
    await room.recorder.start();
    await untilRecorded(room, 7_500);
    const health = room.recorder.health();
    expect(health.audioLevel).toMatchObject({ tracks: 2, captureAlive: true });
    expect(health.audioLevel.peak).toBeGreaterThan(0.1);
    expect(health.framesReceived).toBeGreaterThan(100);
    const summary = await room.recorder.stop();
    expect(summary).toMatchObject({
      strategy: 'tracks',
      thread: 'worker',
      gaps: [],
      framesDropped: 0,
      framesSkippedByRateLimit: 0,
      endedCleanly: true,
    });

    const [whole, beginning, done, lacking] = await Promise.all([
      checkRecording(await room.joined(room.fragments.length), expectations),
      checkRecording(await room.joined(room.fragments.length - 2), expectations),
      finish(room, summary),
      finish(room, summary, [2]),
    ]);
    expect(whole.problems).toEqual([]);
    expect(new Set(whole.report.video?.participants.map((shown) => shown.participant))).toEqual(new Set([0, 1]));
    expect(Math.max(...room.fragments.map((fragment) => fragment.endMs - fragment.startMs))).toBeLessThanOrEqual(2_400);

    const lastKept = room.fragments.at(-3);
    expect(beginning.problems).toEqual([]);
    expect(beginning.report.file.durationMs - (lastKept?.endMs ?? 0)).toBeGreaterThan(-60);
    expect(beginning.report.file.durationMs - (lastKept?.endMs ?? 0)).toBeLessThan(60);

    const [video, audio, { report }] = await Promise.all([
      checkRecording(done.video ?? '', expectations),
      checkRecording(done.audio, { video: false }),
      checkRecording(lacking.video ?? '', expectations),
    ]);
    expect(video.problems).toEqual([]);
    expect(video.report.file).toMatchObject({ startMs: 0, video: { codec: 'h264' }, audio: { codec: 'aac' } });
    expect(audio.problems).toEqual([]);
    expect(audio.report.file.audio?.codec).toBe('flac');
    expect(Math.abs(audio.report.file.durationMs - summary.durationMs)).toBeLessThan(30);
    expect(done.integrity).toMatchObject({ gaps: [], missingSequences: [], endedCleanly: true });
    expect(await readFile(done.diarization ?? '', 'utf8')).toMatch(
      /^\{"speaker":"Person 0","start_time":1,"end_time":\d/,
    );

    const gap = room.fragments[1];
    expect(lacking.integrity.missingSequences).toEqual([{ attempt: 0, sequences: [2] }]);
    expect(lacking.integrity.gaps).toEqual([
      { startMs: Math.round(gap?.startMs ?? 0), endMs: Math.round(gap?.endMs ?? 0), reason: 'missing_fragments' },
    ]);
    expect(report.decodeErrors).toEqual([]);
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(80);
    expect(Math.abs(report.file.durationMs - summary.durationMs)).toBeLessThan(60);
  });

  test('begins with the first picture of a call that is just connecting, and not with black', async () => {
    const room = await open({ mode: 'speaker_view', room: lateRoom, scene: { afterMs: 500, video: wide } });
    await room.recorder.start();
    await untilRecorded(room, 4_000);
    await room.recorder.stop();
    const { report, problems } = await checkRecording(await room.joined(room.fragments.length), expectations);
    expect(problems).toEqual([]);
    expect(report.video?.participants).toEqual([{ atMs: 0, participant: 0 }]);
  });

  test('two pauses are cut out: what is stored says so at once, and picture and sound go on in step', async () => {
    const tapped = new TappedAudio(48_000);
    const room = await open({
      mode: 'speaker_view',
      scene: { ...twoParticipants, secondAudioAfterMs: 0, switchEveryMs: 0 },
      audioTap: tapped,
    });
    const { startedAtMs } = await room.recorder.start();
    await untilRecorded(room, 3_000);
    const pauseFor = async (lastsMs: number) => {
      const { atMs } = await room.recorder.pause();
      const recordedMs = atMs - startedAtMs - pausedMs(room.recorder.pauses);
      // Storing does not wait for the resumption: a runner killed in a pause loses nothing.
      await untilRecorded(room, recordedMs - 1);
      expect(room.fragments.at(-1)?.endMs).toBeCloseTo(recordedMs, 0);
      await scenes.page.waitForFunction((until) => performance.timeOrigin + performance.now() > until, atMs + lastsMs);
      expect((await room.recorder.resume()).atMs).toBe(room.recorder.pauses.at(-1)?.endMs);
      await untilRecorded(room, recordedMs + 2_500);
    };
    await pauseFor(1_500);
    await pauseFor(2_300);
    // Ended in a pause, it ends where that began.
    const { atMs: stoppedAtMs } = await room.recorder.pause();
    const summary = await room.recorder.stop();
    expect(summary.pauses.map(({ endMs }) => endMs !== null)).toEqual([true, true, false]);
    expect(Math.abs(summary.durationMs - (stoppedAtMs - startedAtMs - pausedMs(summary.pauses)))).toBeLessThan(500);

    const done = await finish(room, summary);
    const { report, problems } = await checkRecording(done.video ?? '', {
      ...expectations,
      timeJumpsMost: 2,
      beatShare: 0.7,
    });
    expect(problems).toEqual([]);
    expect(Math.abs(report.file.durationMs - summary.durationMs)).toBeLessThan(60);
    const lengths = summary.pauses.flatMap(({ startMs, endMs }) => (endMs === null ? [] : [endMs - startMs]));
    expect(report.video?.timeJumps).toHaveLength(2);
    report.video?.timeJumps.forEach(({ byMs }, index) =>
      expect(Math.abs(byMs - (lengths[index] ?? 0))).toBeLessThan(150),
    );
    for (const beats of [report.beepsMs, report.video?.flashesMs ?? []])
      expect(beatsOutOfStep(beats, done.clock)).toEqual([]);
    expect(done.integrity.pauses.map(({ lastedMs }) => lastedMs)).toEqual([...lengths.map(Math.round), null]);
    // The tap receives everything except the pauses; a pause cuts a block short.
    expect(tapped.jumpsMs()).toHaveLength(2);
    tapped.jumpsMs().forEach((byMs, index) => expect(Math.abs(byMs - (lengths[index] ?? 0))).toBeLessThan(150));
    // The message of a failure shows all that is needed to find its cause.
    const found = { onsetsMs: tapped.onsetsMs(), pauses: summary.pauses };
    const outOfStep = beatsOutOfStep(found.onsetsMs, { startedAtMs: 0, durationMs: 0, pauses: [] });
    expect({ ...found, outOfStep }).toEqual({ ...found, outOfStep: [] });
  });

  test('where the page forbids workers and shows an upright picture, it is recorded in the page with borders', async () => {
    const room = await open({
      mode: 'speaker_view',
      scene: { frames: [{ width: 480, height: 480 }], secondAudioAfterMs: 0, switchEveryMs: 0 },
      policy: "script-src 'unsafe-inline'; worker-src 'none'; require-trusted-types-for 'script'",
    });
    await room.recorder.start();
    await untilRecorded(room, 3_000);
    const summary = await room.recorder.stop();
    expect(summary).toMatchObject({ strategy: 'tracks', thread: 'page' });
    const { report, problems } = await checkRecording(await room.joined(room.fragments.length), expectations, {
      frameArea: { left: 280, top: 0, width: 720, height: 720 },
    });
    expect(problems).toEqual([]);
    expect(report.video?.markedFrames).toBe(report.video?.frames);
  });

  test('is black, with audio, while no video is shown', async () => {
    const room = await open({ mode: 'speaker_view', scene: { frames: [], secondAudioAfterMs: 0, switchEveryMs: 0 } });
    await room.recorder.start();
    await untilRecorded(room, 3_000);
    const { videoMissing } = await room.recorder.stop();
    expect(videoMissing).toEqual([]);
    const { report } = await checkRecording(await room.joined(room.fragments.length), expectations);
    expect(report.video?.blackSeconds).toBeGreaterThanOrEqual(3);
    expect(report.beeps?.share).toBe(1);
    expect(report.video?.longestFrameGap.lastedMs).toBeLessThanOrEqual(1_100);
  });

  test('a page that died leaves what it had sent', async () => {
    const room = await open({ mode: 'speaker_view', scene: twoParticipants });
    await room.recorder.start();
    await untilRecorded(room, 2_000);
    await scenes.page.close();
    const summary = await room.recorder.stop();
    expect(summary.endedCleanly).toBe(false);
    const { problems } = await checkRecording(await room.joined(room.fragments.length), {
      ...expectations,
      // The last frames were in transit before the last audio.
      audioLengthMaxMs: 1_000,
      durationMs: { least: 2_000, most: 4_500 },
    });
    expect(problems).toEqual([]);
  });
});

describe('recording audio_only in Chromium', () => {
  test('holds every beep and no picture', async () => {
    const tapped = new TappedAudio(24_000);
    const room = await open({
      mode: 'audio_only',
      scene: { ...twoParticipants, secondAudioAfterMs: 2_000 },
      audioTap: tapped,
    });
    const { startedAtMs } = await room.recorder.start();
    await untilRecorded(room, 4_000);
    const summary = await room.recorder.stop();
    expect(summary).toMatchObject({ framesReceived: 0, gaps: [] });
    // The same audio went out beside it, in blocks without a gap, silence included.
    expect(tapped.blocks[0]?.startMs).toBeCloseTo(startedAtMs, 0);
    expect(tapped.blocks.length).toBe(Math.ceil(summary.durationMs / 100));
    expect(tapped.jumpsMs()).toEqual([]);
    const steps = tapped.onsetsMs().map((atMs, index, all) => atMs - (all[index - 1] ?? atMs - 1_000));
    expect(steps.length).toBeGreaterThanOrEqual(3);
    for (const stepMs of steps) expect(Math.abs(stepMs - 1_000)).toBeLessThan(40);
    const { problems } = await checkRecording(await room.joined(room.fragments.length), { video: false });
    expect(problems).toEqual([]);
    const done = await finish(room, summary);
    expect(done.video).toBeUndefined();
    expect((await checkRecording(done.audio, { video: false })).problems).toEqual([]);
  });
});
