import { describe, expect, test } from '@jest/globals';
import type { RecorderHealth } from '@rapporteur/recorder';
import { watchRecording } from './recording-watch.ts';

const health = (lastAudioChunkAtMs: number | null, lastVideoChunkAtMs: number | null): RecorderHealth => ({
  lastVideoChunkAtMs,
  lastAudioChunkAtMs,
  framesReceived: 0,
  framesEncoded: 0,
  framesDropped: 0,
  fragmentsClosed: 0,
  fragmentsWaiting: 0,
  bytes: 0,
  audioLevel: { peak: 0, rms: 0, tracks: 1, lastDataAtMs: null, captureAlive: true },
  lastError: null,
});
const at = (nowMs: number, withPicture = true) => ({ startedAtMs: 0, withPicture, nowMs });

describe('watchRecording', () => {
  test('is content while sound and picture arrive, and patient at the start', () => {
    expect(watchRecording(health(59_000, 59_900), at(60_000))).toBeNull();
    expect(watchRecording(health(null, null), at(7_000))).toBeNull();
  });

  test('worries when one of them stands still for 8 s, and says which', () => {
    expect(watchRecording(health(50_000, 60_000), at(60_000))).toMatchObject({
      what: 'The sound of the recording stands still.',
      hopeless: false,
    });
    expect(watchRecording(health(60_000, 50_000), at(60_000))).toMatchObject({
      what: 'The picture of the recording stands still.',
      hopeless: false,
    });
  });

  test('gives up after 20 s without sound, but not for the picture alone', () => {
    expect(watchRecording(health(40_000, 60_000), at(60_000))?.hopeless).toBe(true);
    expect(watchRecording(health(60_000, 10_000), at(60_000))?.hopeless).toBe(false);
  });

  test('looks anew after a pause: what came before it is no sign of standing still', () => {
    const since = { ...at(60_000), startedAtMs: 55_000 };
    expect(watchRecording(health(10_000, 10_000), since)).toBeNull();
    expect(watchRecording(health(10_000, 10_000), { ...since, nowMs: 76_000 })?.hopeless).toBe(true);
  });

  test('asks for no picture where only sound is recorded', () => {
    expect(watchRecording(health(60_000, null), at(60_000, false))).toBeNull();
  });
});
