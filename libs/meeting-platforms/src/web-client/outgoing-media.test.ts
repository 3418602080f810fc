import { describe, expect, jest, test } from '@jest/globals';
import type { Frame } from 'playwright-core';
import type { SessionPorts } from '../platform.ts';
import { OutgoingMedia, AudioQueue } from './outgoing-media.ts';

/** A page's frame that records what it is given, or is gone. */
class StandInFrame {
  readonly said: { samples: number; run: number }[] = [];
  readonly shown: (string | null)[] = [];
  decodes = true;
  here = true;

  get frame(): Frame {
    const evaluate = async (_call: unknown, [first, second]: readonly [string | null, number | string]) => {
      if (!this.here) throw new Error('Frame was detached');
      if (typeof second === 'number') {
        this.said.push({ samples: Buffer.from(first ?? '', 'base64').length / 2, run: second });
        return true;
      }
      this.shown.push(first);
      return this.decodes;
    };
    return Object.assign(this, { evaluate, isDetached: () => !this.here }) as unknown as Frame;
  }

  get samples(): number {
    return this.said.reduce((sum, { samples }) => sum + samples, 0);
  }
}

const warnings: object[] = [];
const clock = { nowMs: 0 };
const ports: SessionPorts = {
  clock: { now: () => clock.nowMs, sleep: async () => undefined },
  log: { debug: () => undefined, info: () => undefined, warn: (fields) => void warnings.push(fields) },
};
const both = { camera: true, microphone: true };
const image = (text: string) => ({ bytes: Buffer.from(text), contentType: 'image/png' });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const seconds = (count: number): Buffer => Buffer.alloc(count * 2 * 48_000);

describe('what the bot says', () => {
  test('goes to the page a second and a half ahead of its time', () => {
    const media = new OutgoingMedia(both, ports);
    const page = new StandInFrame();
    media.playAudio(seconds(5), 48_000);
    expect(page.samples).toBe(0);
    media.receive(page.frame, { kind: 'microphone-opened' });
    expect(page.samples).toBe(72_000);
    media.receive(page.frame, { kind: 'audio-reported', run: page.said[0]!.run, samples: 36_000 });
    expect(page.samples).toBe(120_000);
    expect(media.finishedAudioMs()).toBe(750);
  });

  test('believes no page that says more than it was given, or speaks of another run', () => {
    const media = new OutgoingMedia(both, ports);
    const page = new StandInFrame();
    media.receive(page.frame, { kind: 'microphone-opened' });
    media.playAudio(seconds(1), 48_000);
    const { run } = page.said[0]!;
    media.receive(page.frame, { kind: 'audio-reported', run: run + 1, samples: 48_000 });
    expect(media.finishedAudioMs()).toBe(0);
    media.receive(page.frame, { kind: 'audio-reported', run, samples: 1e12 });
    expect(media.finishedAudioMs()).toBe(1_000);
    media.receive(page.frame, { kind: 'audio-reported', run, samples: -5 });
    expect(media.finishedAudioMs()).toBe(1_000);
    media.receive(page.frame, { kind: 'audio-reported', run: 'no', samples: null });
    media.receive(page.frame, null);
  });

  test('goes on where it was after the page was loaded anew', () => {
    const media = new OutgoingMedia(both, ports);
    const before = new StandInFrame();
    media.receive(before.frame, { kind: 'microphone-opened' });
    media.playAudio(seconds(3), 48_000);
    media.receive(before.frame, { kind: 'audio-reported', run: before.said[0]!.run, samples: 24_000 });
    const after = new StandInFrame();
    media.receive(after.frame, { kind: 'microphone-opened' });
    expect(media.finishedAudioMs()).toBe(500);
    expect(after.samples).toBe(72_000);
  });

  test('waits when the page is gone', async () => {
    const media = new OutgoingMedia(both, ports);
    const page = new StandInFrame();
    media.receive(page.frame, { kind: 'microphone-opened' });
    page.here = false;
    media.playAudio(seconds(1), 48_000);
    await new Promise(setImmediate);
    const after = new StandInFrame();
    media.receive(after.frame, { kind: 'microphone-opened' });
    expect(after.samples).toBe(48_000);
  });

  test('ends at once when it is cleared, and counts as played', () => {
    const media = new OutgoingMedia(both, ports);
    const page = new StandInFrame();
    media.receive(page.frame, { kind: 'microphone-opened' });
    media.playAudio(seconds(10), 48_000);
    const { run } = page.said[0]!;
    media.clearAudio();
    expect(media.finishedAudioMs()).toBe(10_000);
    expect(page.said.at(-1)).toEqual({ samples: 0, run: run + 1 });
    media.receive(page.frame, { kind: 'audio-reported', run, samples: 100 });
    media.playAudio(seconds(1), 48_000);
    expect(media.finishedAudioMs()).toBe(10_000);
  });

  test('is logged once when it is too much, not each time', () => {
    warnings.length = 0;
    const media = new OutgoingMedia(both, ports);
    for (let index = 0; index < 40; index += 1) media.playAudio(seconds(1), 48_000);
    expect(warnings).toEqual([{ droppedMs: 1_000 }]);
    clock.nowMs += 10_000;
    media.playAudio(seconds(1), 48_000);
    expect(warnings).toEqual([{ droppedMs: 1_000 }, { droppedMs: 11_000 }]);
  });

  test('is nothing without a microphone', () => {
    const media = new OutgoingMedia({ camera: true, microphone: false }, ports);
    media.playAudio(seconds(1), 48_000);
    expect(media.finishedAudioMs()).toBe(0);
  });
});

describe('what the bot shows', () => {
  test('is there as soon as the page opens the camera, and again after it was loaded anew', async () => {
    const media = new OutgoingMedia(both, ports);
    expect(await media.showImage(image('one'))).toBe(true);
    const before = new StandInFrame();
    media.receive(before.frame, { kind: 'camera-opened' });
    expect(before.shown).toEqual([base64('one')]);
    before.here = false;
    expect(await media.showImage(image('two'))).toBe(true);
    const after = new StandInFrame();
    media.receive(after.frame, { kind: 'camera-opened' });
    expect(after.shown).toEqual([base64('two')]);
  });

  test('stays what it was when the page cannot decode the next', async () => {
    const media = new OutgoingMedia(both, ports);
    const page = new StandInFrame();
    media.receive(page.frame, { kind: 'camera-opened' });
    await media.showImage(image('good'));
    page.decodes = false;
    expect(await media.showImage(image('bad'))).toBe(false);
    const after = new StandInFrame();
    media.receive(after.frame, { kind: 'camera-opened' });
    expect(after.shown).toEqual([base64('good')]);
  });

  test('is nothing without a camera', async () => {
    const media = new OutgoingMedia({ camera: false, microphone: true }, ports);
    expect(await media.showImage(image('one'))).toBe(false);
  });
});

test('a page that does not say whether it shows a picture is not waited for', async () => {
  jest.useFakeTimers();
  try {
    const media = new OutgoingMedia(both, ports);
    const silent = { evaluate: () => new Promise(() => undefined), isDetached: () => false } as unknown as Frame;
    media.receive(silent, { kind: 'camera-opened' });
    const shown = media.showImage(image('one'));
    await jest.advanceTimersByTimeAsync(10_000);
    // It gets the video when it requests the camera again.
    expect(await shown).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});

const second = (rateHz = 48_000): Buffer => Buffer.alloc(2 * rateHz);

describe('AudioQueue', () => {
  test('gives back what was put in, in order and cut as asked', () => {
    const queue = new AudioQueue();
    const samples = Int16Array.from({ length: 12_000 }, (_, index) => index);
    queue.add(Buffer.from(samples.buffer), 48_000);
    const taken = [queue.take(5_000), queue.take(5_000), queue.take(5_000)];
    expect(taken.flatMap((fragment) => [...fragment!.samples])).toEqual([...samples]);
    expect(taken.map((fragment) => [fragment!.startMs, fragment!.endMs].map(Math.round))).toEqual([
      [0, 104],
      [104, 208],
      [208, 250],
    ]);
    expect(queue.take(5_000)).toBeNull();
  });

  test('holds 30 s and says how much had no room', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 30; index += 1) expect(queue.add(second(), 48_000)).toBe(0);
    expect(queue.add(second(), 48_000)).toBe(1_000);
    expect(queue.addedMs).toBe(31_000);
  });

  test('counts what was dropped as over only when what was before it is over', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 31; index += 1) queue.add(second(), 48_000);
    let last = null;
    for (let fragment = queue.take(48_000); fragment !== null; fragment = queue.take(48_000)) last = fragment;
    expect(last?.endMs).toBe(31_000);
    expect(queue.startMs).toBe(31_000);
  });

  test('has room again for what was taken, and takes back what was not said', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 30; index += 1) queue.add(second(), 48_000);
    const taken = queue.take(24_000)!;
    expect(queue.add(Buffer.alloc(48_000), 48_000)).toBe(0);
    queue.putBack([taken]);
    expect(queue.startMs).toBe(0);
    expect(queue.add(second(), 48_000)).toBe(1_000);
  });

  test('keeps small pieces together', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 1_000; index += 1) queue.add(Buffer.alloc(20), 48_000);
    expect(queue.take(100_000)!.samples.length).toBeGreaterThanOrEqual(4_800);
  });

  test('puts a sample together that came in two halves', () => {
    const queue = new AudioQueue();
    const pcm = Buffer.from(Int16Array.from([1_000, -2_000, 3_000]).buffer);
    queue.add(pcm.subarray(0, 3), 48_000);
    queue.add(pcm.subarray(3), 48_000);
    expect([...queue.take(10)!.samples]).toEqual([1_000, -2_000, 3_000]);
  });

  test('is empty after clearing, and all that was given counts as over', () => {
    const queue = new AudioQueue();
    queue.add(second(), 48_000);
    queue.clear();
    expect([queue.take(10), queue.startMs]).toEqual([null, 1_000]);
  });

  test('takes other rates one after the other', () => {
    const queue = new AudioQueue();
    queue.add(second(16_000), 16_000);
    queue.add(second(24_000), 24_000);
    expect(queue.addedMs).toBe(2_000);
    expect(() => queue.add(second(), 4_000)).toThrow('8000 to 96000');
  });
});
