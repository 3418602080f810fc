import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { PageMediaSource } from '@rapporteur/contracts';
import { untilFrame } from '../capture.page.ts';
import type { CaptureConfig } from '../messages.ts';

const config = { mode: 'speaker_view', strategy: 'frames' } as unknown as CaptureConfig;

interface Track {
  muted: boolean;
  readonly readyState: 'live';
}
const track = (muted: boolean): Track => ({ muted, readyState: 'live' });

function source(audio: readonly Track[], video: Track | null): PageMediaSource {
  return {
    audioTracks: () => audio,
    shownVideo: () => (video === null ? null : { track: video }),
    onChange: () => () => undefined,
  } as unknown as PageMediaSource;
}

/** Duration of the wait in ms, in steps of 50; `at` has the changes by time. */
async function waits(media: PageMediaSource, at: Readonly<Record<number, () => void>> = {}): Promise<number> {
  let over = false;
  void untilFrame(media, config).then(() => (over = true));
  for (let ms = 0; ms <= 10_000; ms += 50) {
    await Promise.resolve();
    await jest.advanceTimersByTimeAsync(0);
    if (over) return ms;
    at[ms]?.();
    await jest.advanceTimersByTimeAsync(50);
  }
  return Infinity;
}

describe('how long a recording waits for its first frame', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('not at all when a video is shown', async () => {
    expect(await waits(source([track(true)], track(false)))).toBe(0);
  });

  test('a second without audio and video', async () => {
    expect(await waits(source([], null))).toBe(1_000);
  });

  test('a second with audio and without video', async () => {
    expect(await waits(source([track(false)], null))).toBeLessThanOrEqual(1_050);
  });

  test('until a track that connects late carries its picture', async () => {
    const video = track(true);
    expect(await waits(source([track(true)], video), { 1_700: () => (video.muted = false) })).toBe(1_750);
  });

  test('a second longer when the sound arrives late and no picture does', async () => {
    const audio = track(true);
    const waited = await waits(source([audio], track(true)), { 1_700: () => (audio.muted = false) });
    expect(waited).toBeGreaterThanOrEqual(2_700);
    expect(waited).toBeLessThanOrEqual(2_800);
  });

  test('three seconds when nothing ever arrives', async () => {
    expect(await waits(source([track(true)], track(true)))).toBe(3_000);
  });
});
