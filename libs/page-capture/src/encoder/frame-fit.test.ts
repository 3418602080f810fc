import { describe, expect, test } from '@jest/globals';
import { matFor } from './frame-fit.page.ts';
import { h264Settings } from './frame-encoder.page.ts';

describe('matFor', () => {
  test('a narrow picture gets borders left and right', () => {
    expect(matFor(640, 480, 16 / 9)).toEqual({ width: 854, height: 480, left: 106, top: 0 });
  });

  test('an upright picture gets wide borders', () => {
    expect(matFor(360, 640, 16 / 9)).toEqual({ width: 1138, height: 640, left: 388, top: 0 });
  });

  test('a wide picture gets borders above and below', () => {
    expect(matFor(1920, 800, 16 / 9)).toEqual({ width: 1920, height: 1080, left: 0, top: 140 });
  });

  test('the right shape stays as it is', () => {
    expect(matFor(640, 360, 16 / 9)).toEqual({ width: 640, height: 360, left: 0, top: 0 });
  });
});

describe('h264Settings', () => {
  const config = {
    mode: 'speaker_view',
    framesPerSecondMax: 30,
    videoBitsPerSecond: 1,
    audioBitsPerSecond: 1,
    fragmentMs: 2_000,
    audioTapHz: null,
    participantAudio: false,
    strategy: 'auto',
    videoSize: 'fixed' as const,
  } as const;

  test('names the lowest level that holds the size', () => {
    expect(h264Settings({ ...config, width: 1280, height: 720 }).codec).toBe('avc1.42e01f');
    expect(h264Settings({ ...config, width: 1920, height: 1080 }).codec).toBe('avc1.42e028');
  });
});
