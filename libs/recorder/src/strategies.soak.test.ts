import { describe, expect, test } from '@jest/globals';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { readFile } from 'node:fs/promises';
import { parameterBytesMost, frameIn } from '@rapporteur/media-container';
import type { RecordingSummary } from './index.ts';
import { checkRecording } from '@rapporteur/recording-check';
import { chromium } from 'playwright-core';
import { chromiumFlags, playwrightFlagsOff, untilRecorded } from './testing/record-scene.ts';
import type { RecordedScene } from './testing/record-scene.ts';
import { judge, painted, troubledScenes, videoSwitches } from './testing/troubled-scenes.ts';

// Real-time recordings of each fallback: ten seconds and more each. `npm test` covers the decisions in page/ways.test.ts.

const { record, trouble } = troubledScenes(() =>
  chromium.launch({ executablePath: findChromium(), args: chromiumFlags, ignoreDefaultArgs: playwrightFlagsOff }),
);
const audio = ({ switches }: RecordingSummary) =>
  switches.filter(({ media }) => media === 'audio').map(({ to, reason }) => [to, reason]);

describe('a picture that is taken by another way in the call', () => {
  test('is taken from the tab when its canvas must not be read any more', async () => {
    const room = await record({ video: 'painted', audio: 'offered' });
    await trouble(room, `taint(${JSON.stringify(room.foreignAddress)})`, 8_000);
    const summary = await room.recorder.stop();
    expect(videoSwitches(summary).at(-1)).toEqual(['tracks', 'tab', 'not_readable']);
    expect(summary.gaps).toEqual([]);
    // The time marker may freeze only until the tainted canvas is detected.
    expect((await judge(room, { ...painted, frozenSecondsMost: 1 })).problems).toEqual([]);
  });

  test('is taken from the tab from the beginning where that is pinned', async () => {
    const room = await record({ video: 'received', audio: 'offered' }, { strategy: 'tab' });
    await untilRecorded(room, 6_000);
    const summary = await room.recorder.stop();
    expect(videoSwitches(summary)).toEqual([[null, 'tab', 'pinned']]);
    expect(summary.strategy).toBe('tab');
    expect((await judge(room, painted)).problems).toEqual([]);
  });

  test('is taken from the tracks where the tab is pinned and cannot be had', async () => {
    const room = await record({ video: 'received', audio: 'offered' }, { strategy: 'tab', forbids: [displayMedia] });
    const summary = await room.recorder.stop();
    expect(videoSwitches(summary)).toEqual([[null, 'tracks', 'refused']]);
    expect((await judge(room)).problems).toEqual([]);
  });
});

/** What `delete globalThis.…` takes away. */
const displayMedia = 'MediaDevices.prototype.getDisplayMedia';

describe('a picture whose sender changes', () => {
  test('goes on through other codecs and sizes', async () => {
    const room = await record({ video: 'received', audio: 'offered' }, { videoSize: 'received' });
    for (const codec of ['video/VP8', 'video/VP9', 'video/H264'])
      await trouble(room, `switchTo(${JSON.stringify(codec)})`, 2_500);
    await trouble(room, 'scaleDown(2)', 2_500);
    await trouble(room, 'scaleDown(1)', 2_500);
    const summary = await room.recorder.stop();
    expect(videoSwitches(summary)).toEqual([[null, 'tracks', 'chosen']]);
    expect((await judge(room)).problems).toEqual([]);
    // It began in the recording's size, and followed what it received.
    expect(await sizesOf(room)).toEqual(['1280x720', '640x360']);
  });
});

/** The sizes of the frames, from the fragments' key frames; each once. */
async function sizesOf(room: RecordedScene): Promise<string[]> {
  const sizes = new Set<string>();
  for (const { path } of room.fragments) {
    const bytes = await readFile(path);
    const at = bytes.indexOf('mdat') + 4;
    const found = frameIn(bytes.subarray(at, at + parameterBytesMost));
    if (found) sizes.add(`${found.width}x${found.height}`);
  }
  return [...sizes];
}

describe('audio', () => {
  test('is recorded whatever the page mutes and suspends', async () => {
    const room = await record({ video: 'received', audio: 'offered' });
    await trouble(room, 'fallSilent()', 5_000);
    const summary = await room.recorder.stop();
    expect(audio(summary)).toEqual([['tracks', 'chosen']]);
    expect((await judge(room)).problems).toEqual([]);
  });

  test('is taken from an element that plays it when the offered track is silent while a participant speaks', async () => {
    const room = await record({ video: 'received', audio: 'element' }, { mode: 'audio_only' });
    await untilRecorded(room, 14_000);
    const summary = await room.recorder.stop();
    expect(audio(summary)).toEqual([
      ['tracks', 'chosen'],
      ['played', 'silent'],
    ]);
    const { report } = await checkRecording(await room.joined(room.fragments.length), { video: false });
    expect(report.beepsMs.filter((atMs) => atMs > 9_000).length).toBeGreaterThanOrEqual(3);
  });

  test('is taken from the tab when nothing else holds it', async () => {
    const room = await record({ video: 'received', audio: 'played' }, { mode: 'audio_only' });
    await untilRecorded(room, 17_000);
    const summary = await room.recorder.stop();
    expect(audio(summary)).toEqual([
      ['tracks', 'chosen'],
      ['tab', 'silent'],
    ]);
    const { report } = await checkRecording(await room.joined(room.fragments.length), { video: false });
    expect(report.beepsMs.filter((atMs) => atMs > 12_000).length).toBeGreaterThanOrEqual(3);
  });

  test('is replaced by another worker, then by one in the page, within the same recording', async () => {
    const room = await record({ video: 'received', audio: 'offered' });
    await trouble(room, 'endWorkers()', 4_000);
    await trouble(room, 'endWorkers()', 4_000);
    const summary = await room.recorder.stop();
    expect(summary).toMatchObject({ thread: 'page', endedCleanly: true });
    expect(summary.gaps.map(({ reason }) => reason)).toEqual(['capture_restarted', 'capture_restarted']);
    for (const { startMs, endMs } of summary.gaps) expect(endMs - startMs).toBeLessThan(1_000);
    const { report } = await judge(room);
    expect(report.decodeErrors).toEqual([]);
    expect(report.video).toMatchObject({ blackSeconds: 0, frozenSeconds: 0 });
    expect(report.beeps?.share).toBeGreaterThan(0.7);
  });
});
