import { afterEach, expect, jest, test } from '@jest/globals';
import { BotCamera } from './outgoing-media.page.ts';

class FakeTrack {
  readyState: 'live' | 'ended' = 'live';

  clone(): FakeTrack {
    return new FakeTrack();
  }
}

afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'document');
});

test('the camera is drawn while the page keeps a clone of a track that it stopped', async () => {
  jest.useFakeTimers();
  let drawn = 0;
  const context = { fillRect: () => (drawn += 1) };
  const captureStream = () => ({ getVideoTracks: () => [new FakeTrack()] });
  Object.assign(globalThis, { document: { createElement: () => ({ getContext: () => context, captureStream }) } });
  const track = new BotCamera(() => undefined).open() as unknown as FakeTrack;
  const clone = track.clone().clone();
  track.readyState = 'ended';
  await jest.advanceTimersByTimeAsync(5_000);
  const before = drawn;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(drawn).toBeGreaterThan(before);
  clone.readyState = 'ended';
});
