import { describe, expect, test } from '@jest/globals';
import { createFakeClock } from '../fake-clock.ts';
import { AudioSlots, Broadcast } from './broadcast.ts';
import type { MediaSink } from './broadcast.ts';

const frame = (key: boolean, codec: 'vp8' | 'h264' = 'vp8') => ({ codec, key, bytes: Buffer.from([key ? 0 : 1]) });
const withKeys = (every: number, codec?: 'h264') =>
  Array.from({ length: 10 }, (_, index) => frame(index % every === 0, codec));

/** Two seconds at 5 frames a second, key frame each second; participant 0 has audio in the loop's first 100 ms. */
const media = [
  {
    video: { frames: withKeys(5), entries: withKeys(5) },
    audio: Array.from({ length: 100 }, (_, place) =>
      place < 5 ? { payload: Buffer.from([place]), levelDbov: 20, startsSpurt: place === 0 } : null,
    ),
  },
];

function listen() {
  const audioRuns: { tick: number; payload: number | undefined; atMs: number }[] = [];
  const frames: { tick: number; atMs: number }[] = [];
  const clock = createFakeClock(10_000);
  const broadcast = new Broadcast({ media, clockZero: 10_000, framesPerSecond: 5, clock });
  const sink: MediaSink = {
    sendAudio: (_slot, _participant, packet, tick) =>
      audioRuns.push({ tick, payload: packet.payload[0], atMs: clock.now() - 10_000 }),
    sendFrame: (_participant, _frame, tick) => frames.push({ tick, atMs: clock.now() - 10_000 }),
  };
  return { audio: audioRuns, frames, clock, broadcast, sink };
}

describe('the broadcast', () => {
  test('sends everybody in one to listeners that take a mix, and a new mix from the next tick on', () => {
    const { clock, broadcast, sink } = listen();
    const mixed: [number, number | undefined][] = [];
    const sendMixedAudio: MediaSink['sendMixedAudio'] = ({ payload }, tick) => void mixed.push([tick, payload[0]]);
    const mixOf = (first: number) =>
      Array.from({ length: 100 }, (_, place) =>
        place < 2 ? { payload: Buffer.from([first]), levelDbov: 20, startsSpurt: place === 0 } : null,
      );
    broadcast.setMix(mixOf(7));
    broadcast.attach({ ...sink, sendMixedAudio });
    clock.advance(100);
    broadcast.setMix(mixOf(8));
    clock.advance(2000);
    expect(mixed).toEqual([
      [0, 7],
      [1, 7],
      [100, 8],
      [101, 8],
    ]);
  });

  test('sends each frame and packet at its place on the room clock, over the end of the loop', () => {
    const { audio: audioRuns, frames, clock, broadcast, sink } = listen();
    broadcast.attach(sink);
    clock.advance(2100);
    expect(frames.slice(0, 3)).toEqual([
      { tick: 0, atMs: 0 },
      { tick: 1, atMs: 200 },
      { tick: 2, atMs: 400 },
    ]);
    expect(audioRuns.map((audio) => audio.tick)).toEqual([0, 1, 2, 3, 4, 100, 101, 102, 103, 104]);
    expect(audioRuns[5]).toEqual({ tick: 100, payload: 0, atMs: 2000 });
  });

  test('begins a late listener with a key frame', () => {
    const { frames, clock, broadcast, sink } = listen();
    clock.advance(300);
    broadcast.attach(sink);
    clock.advance(1000);
    expect(frames[0]).toEqual({ tick: 5, atMs: 1000 });
  });

  test('lets a listener in by the loop with more key frames, and back into the other one at its next', () => {
    const clock = createFakeClock(10_000);
    const video = { frames: withKeys(10, 'h264'), entries: withKeys(2, 'h264') };
    const participants = [{ video, audio: [null] }];
    const broadcast = new Broadcast({ media: participants, clockZero: 10_000, framesPerSecond: 5, clock });
    const sent: [tick: number, key: boolean][] = [];
    let wanted = (_participant: number | null): void => undefined;
    clock.advance(300);
    broadcast.attach({
      sendAudio: () => undefined,
      sendFrame: (_participant, { key }, tick) => sent.push([tick, key]),
      onKeyFrameWanted: (listener) => (wanted = listener),
    });
    clock.advance(2_700);
    expect(sent.filter(([, key]) => key).map(([tick]) => tick)).toEqual([2, 4, 6, 8, 10]);
    wanted(0);
    clock.advance(1_400);
    expect(sent.filter(([, key]) => key).map(([tick]) => tick)).toEqual([2, 4, 6, 8, 10, 16, 18, 20]);
    expect(sent.map(([tick]) => tick)).toEqual(Array.from({ length: 21 }, (_, index) => index + 2));
  });

  test('switches to another video of a participant at its next key frame', () => {
    const { clock, broadcast, sink } = listen();
    const codecs: [number, string][] = [];
    broadcast.attach({ ...sink, sendFrame: (_participant, { codec }, tick) => codecs.push([tick, codec]) });
    clock.advance(1_300);
    broadcast.setVideo(0, { frames: withKeys(10, 'h264'), entries: withKeys(4, 'h264') });
    clock.advance(600);
    expect(codecs.slice(-3)).toEqual([
      [7, 'vp8'],
      [8, 'h264'],
      [9, 'h264'],
    ]);
    expect(codecs).toHaveLength(10);
  });

  test('runs no timer without listeners', () => {
    const { clock, broadcast, sink } = listen();
    const detach = broadcast.attach(sink);
    expect(clock.pending()).toBe(1);
    detach();
    detach();
    expect(clock.pending()).toBe(0);
  });

  test('sends nothing more of a person who left', () => {
    const { frames, clock, broadcast, sink } = listen();
    broadcast.attach(sink);
    clock.advance(500);
    broadcast.silence(0);
    clock.advance(2000);
    expect(frames.length).toBe(3);
  });
});

describe('the pool of audio tracks', () => {
  const speaker = (participantIndex: number, levelDbov: number) => ({ participantIndex, levelDbov });

  test('lets who speaks keep the place and gives the next one the place that is free longest', () => {
    const slots = new AudioSlots(3);
    expect([...slots.assign([speaker(0, 20)])]).toEqual([[0, 0]]);
    expect([...slots.assign([speaker(0, 60), speaker(1, 20)])]).toEqual([
      [0, 0],
      [1, 1],
    ]);
    slots.assign([]);
    expect([...slots.assign([speaker(1, 20)])]).toEqual([[1, 2]]);
  });

  test('carries the loudest when more people speak than there are tracks', () => {
    const slots = new AudioSlots(2);
    slots.assign([speaker(0, 30), speaker(1, 40)]);
    const places = slots.assign([speaker(0, 30), speaker(1, 40), speaker(2, 10)]);
    expect([...places.keys()].sort((one, other) => Number(one) - Number(other))).toEqual([0, 2]);
  });
});
