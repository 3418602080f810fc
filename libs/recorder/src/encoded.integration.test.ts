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

const wide = { width: 640, height: 360 };
const large = { width: 1_280, height: 720 };

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
  test('is recorded as they came, of one person after the other, while their decoders get next to nothing', async () => {
    const room = await open({ codec: 'H264', frames: [wide, large] });
    await room.recorder.start();
    await untilRecorded(room, 5_000);
    expect((await received(1)).width).toBe(128);
    await inRoom('show(1)');
    await untilRecorded(room, 9_000);
    await inRoom('show(0)');
    await untilRecorded(room, 12_000);
    const participants = [await received(0), await received(1)];
    const transformsSet = await scenes.page.evaluate('transformsSet');
    const summary = await room.recorder.stop();
    expect(strategiesOf(summary)).toEqual(['encoded: chosen']);
    expect(participants.map(({ width }) => width)).toEqual([64, 128]);
    // Each receiver's frames go through one transform from its first moment to its last.
    expect(transformsSet).toBe(2);
    for (const { keyFramesRequested } of participants) expect(keyFramesRequested).toBeLessThan(12);
    expect(summary.framesEncoded / summary.framesReceived).toBeGreaterThan(0.9);
    const { video = '', integrity } = await finish(room, summary);
    const { report } = await checkRecording(video);
    expect(integrity.gaps).toEqual([]);
    expect(report).toMatchObject({ decodeErrors: [], video: { counterBackwards: 0 } });
    expect(report.video?.participants.map(({ participant }) => participant)).toEqual([0, 1, 0]);
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(200);
  });
});

test('a room whose pictures are AV1 is seen from its first moment, though others could be copied there', async () => {
  const room = await open({ codec: 'AV1', frames: [wide] });
  expect((await received(0)).decoded).toBeGreaterThan(10);
  await room.recorder.start();
  await untilRecorded(room, 3_000);
  const transformsSet = await scenes.page.evaluate('transformsSet');
  expect(strategiesOf(await room.recorder.stop())).toEqual(['tracks: refused']);
  expect(transformsSet).toBe(1);
});
