import { describe, expect, test } from '@jest/globals';
import { ReceivedFromBrowsers } from '../rooms/room-registry.ts';
import { readOggOpus } from './audio-track.ts';
import { writeOggOpus } from './ogg-opus-writer.ts';
import { readIvf, writeIvf } from './ivf.ts';
import { ReceivedMedia } from './received-media.ts';

const key = (name: string): Buffer => Buffer.from([0x10, ...Buffer.from(name)]);
const delta = (name: string): Buffer => Buffer.from([0x11, ...Buffer.from(name)]);
const namesOf = (frames: readonly Buffer[]): string[] => frames.map((frame) => frame.subarray(1).toString());
const audio = (value: number): Buffer => Buffer.from([0xf8, value]);

describe('what a browser sends', () => {
  test('of its video is kept from the last key frame on', () => {
    const received = new ReceivedMedia(() => 5);
    expect(received.video(delta('too early'), true)).toBe(true);
    for (const frame of [key('a'), delta('b'), key('c'), delta('d')]) received.video(frame, true);
    expect(namesOf(received.frames)).toEqual(['c', 'd']);
    expect(received.figures).toMatchObject({ videoFrames: 5, lastFrameAt: 5, audioPackets: 0, lastAudioAt: null });
  });

  test('gets a request for a key frame when something is missing or too much is kept', () => {
    const received = new ReceivedMedia(Date.now);
    received.video(key('a'), true);
    expect(received.video(delta('b'), false)).toBe(true);
    expect(namesOf(received.frames)).toEqual(['a']);
    for (let index = 0; index < 1_499; index += 1) expect(received.video(delta('c'), true)).toBe(false);
    expect(received.video(delta('d'), true)).toBe(true);
  });

  test('of its sound is kept for 30 s', () => {
    const received = new ReceivedMedia(Date.now);
    for (let index = 0; index < 1_600; index += 1) received.audio(audio(index % 200), index * 960);
    expect(received.packets).toHaveLength(1_500);
    expect(received.packets[0]?.[1]).toBe(100);
  });

  test('and never came is silence, also over the end of the clock', () => {
    const received = new ReceivedMedia(Date.now);
    const start = 2 ** 32 - 960;
    received.audio(audio(1), start);
    received.audio(audio(2), 3 * 960 - 960);
    expect(received.packets.map((packet) => packet.length)).toEqual([2, 3, 3, 2]);
    received.audio(audio(3), start);
    expect(received.packets).toHaveLength(4);
  });

  test('is kept for the newest browsers only', () => {
    const received = new ReceivedFromBrowsers(Date.now);
    const first = received.of('0');
    expect(received.of('0')).toBe(first);
    for (let index = 1; index <= 60; index += 1) received.of(String(index));
    expect([received.find('0'), received.find('60') !== null]).toEqual([null, true]);
  });
});

describe('the files it is decoded from', () => {
  test('hold the frames', () => {
    const frames = [Buffer.concat([key('video'), Buffer.alloc(10)]), delta('more')];
    expect(readIvf(writeIvf(frames)).frames).toEqual(frames);
  });

  test('hold the packets, long ones and many of them', () => {
    const packets = Array.from({ length: 600 }, (_, index) => Buffer.alloc(index % 7 === 0 ? 510 : 60, index));
    expect(readOggOpus(writeOggOpus(packets)).packets).toEqual(packets);
  });
});
