import { findChromium } from '@rapporteur/local-stack/chromium';
import { describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { finalizeRecording } from './index.ts';
import type { RecordingSummary } from './index.ts';
import type { EncodedRoomOptions } from './testing/encoded-room.page.ts';
import { chromiumFlags, encodedRoom, untilRecorded } from './testing/record-scene.ts';
import type { RecordedScene } from './testing/record-scene.ts';
import { sceneBrowser } from './testing/scene-browser.ts';

// Real-time recordings of rare events in a room whose video is copied as it comes. `npm test` covers the decisions in
// page/strategies.test.ts and page/video-strategies.test.ts.

const wide = { width: 640, height: 360 };

const scenes = sceneBrowser(() => chromium.launch({ executablePath: findChromium(), args: chromiumFlags }));

/** The page can tell how often a receiver's frames were given to somebody, and end its workers. */
const watched = `
  globalThis.transformsSet = 0;
  const { get, set } = Object.getOwnPropertyDescriptor(RTCRtpReceiver.prototype, 'transform');
  Object.defineProperty(RTCRtpReceiver.prototype, 'transform', {
    get, set(transform) { globalThis.transformsSet += 1; set.call(this, transform); } });
  const workers = [];
  globalThis.Worker = class extends Worker { constructor(...from) { super(...from); workers.push(this); } };
  globalThis.endWorkers = () => workers.splice(0).map((worker) => worker.terminate()).length;`;

async function open(options: EncodedRoomOptions): Promise<RecordedScene> {
  return await scenes.open({
    room: encodedRoom,
    scene: options,
    mode: 'speaker_view',
    videoSize: 'received',
    before: watched,
  });
}
const inRoom = async <ServiceResponse>(call: string): Promise<ServiceResponse> =>
  (await scenes.page.evaluate(`rapporteurEncodedRoom.${call}`)) as ServiceResponse;
const received = (participant: number) =>
  inRoom<{ width: number; decoded: number; keyFramesRequested: number; freezes: number }>(`received(${participant})`);
const finish = (room: RecordedScene, summary: RecordingSummary) =>
  finalizeRecording({
    attempts: [{ init: room.init, fragments: room.fragments, startedAtMs: summary.startedAtMs }],
    summaries: [summary],
    workFolder: join(room.folder, 'artifacts'),
    ffmpegPath: 'ffmpeg',
    mode: 'speaker_view',
  });

const strategiesOf = (summary: RecordingSummary) =>
  summary.switches.filter(({ media }) => media === 'video').map(({ to, reason }) => `${to}: ${reason}`);

describe('a room whose pictures are H.264', () => {
  test('goes on decoded when they turn to another codec, without a broken picture', async () => {
    const room = await open({ codec: 'H264', frames: [wide] });
    await room.recorder.start();
    await untilRecorded(room, 5_000);
    await inRoom('switchTo("VP8")');
    await untilRecorded(room, 12_000);
    const { width } = await received(0);
    const summary = await room.recorder.stop();
    expect(strategiesOf(summary)).toEqual(['encoded: chosen', 'tracks: refused']);
    expect(width).toBeGreaterThan(200);
    const { video = '' } = await finish(room, summary);
    const { report } = await checkRecording(video);
    expect(report).toMatchObject({ decodeErrors: [], video: { counterBackwards: 0, frozenSeconds: 0 } });
    expect(report.video?.longestStillMs ?? 9_999).toBeLessThan(3_000);
  });

  test('shows its people while somebody looks at the page, and the recording goes on', async () => {
    const room = await open({ codec: 'H264', frames: [wide, wide] });
    await room.recorder.start();
    await untilRecorded(room, 5_000);
    const shown = async () =>
      (await scenes.page.evaluate(
        `[...document.querySelectorAll('video')].map(({ videoWidth }) => videoWidth)`,
      )) as number[];
    expect(await shown()).toEqual([64, 64]);
    expect(await room.recorder.whileShown(shown)).toEqual([640, 640]);
    await untilRecorded(room, 10_000);
    expect(await shown()).toEqual([64, 64]);
    const summary = await room.recorder.stop();
    expect(strategiesOf(summary)).toEqual(['encoded: chosen']);
    const { video = '' } = await finish(room, summary);
    const { report } = await checkRecording(video);
    expect(report).toMatchObject({ decodeErrors: [], video: { counterBackwards: 0, frozenSeconds: 0 } });
  });

  test('is recorded as they came from a frame of the page', async () => {
    const room = await open({ codec: 'H264', frames: [wide], framed: true });
    await room.recorder.start();
    await untilRecorded(room, 6_000);
    const { width } = await received(0);
    const summary = await room.recorder.stop();
    expect(strategiesOf(summary)).toEqual(['encoded: chosen']);
    expect(width).toBe(64);
    const { video = '' } = await finish(room, summary);
    const { report } = await checkRecording(video);
    expect(report).toMatchObject({ decodeErrors: [], video: { counterBackwards: 0, frozenSeconds: 0 } });
  });

  test('goes on as it came when the engine is lost', async () => {
    const room = await open({ codec: 'H264', frames: [wide] });
    await room.recorder.start();
    await untilRecorded(room, 5_000);
    expect(await scenes.page.evaluate('endWorkers()')).toBe(1);
    await untilRecorded(room, 11_000);
    const { width } = await received(0);
    const summary = await room.recorder.stop();
    expect(summary).toMatchObject({ thread: 'worker', endedCleanly: true });
    expect(summary.gaps.map(({ reason }) => reason)).toEqual(['capture_restarted']);
    expect(strategiesOf(summary)).toEqual(['encoded: chosen']);
    expect(width).toBe(64);
    const { video = '' } = await finish(room, summary);
    const { report } = await checkRecording(video);
    expect(report).toMatchObject({ decodeErrors: [], video: { counterBackwards: 0, frozenSeconds: 0 } });
  });
});
