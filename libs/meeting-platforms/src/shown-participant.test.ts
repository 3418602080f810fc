import { describe, expect, test } from '@jest/globals';
import { ShownParticipantChooser } from './web-client/media-offer.page.ts';
import type { VideoCandidate } from './web-client/media-offer.page.ts';

const cameras = (...ids: string[]): VideoCandidate[] => ids.map((id) => ({ id, kind: 'camera' }));

describe('ShownParticipantChooser', () => {
  test('shows any participant during silence, and the first speaker at once when none was shown', () => {
    expect(new ShownParticipantChooser(800).choose(cameras('a', 'b'), [], 0)).toBe('a');
    expect(new ShownParticipantChooser(800).choose(cameras('a', 'b'), ['b'], 0)).toBe('b');
    expect(new ShownParticipantChooser(800).choose([], ['b'], 0)).toBeNull();
  });

  test('a new speaker takes over after 800 ms of speaking, not before', () => {
    const chooser = new ShownParticipantChooser(800);
    chooser.choose(cameras('a', 'b'), ['a'], 0);
    expect(chooser.choose(cameras('a', 'b'), ['b'], 100)).toBe('a');
    expect(chooser.choose(cameras('a', 'b'), ['b'], 899)).toBe('a');
    expect(chooser.choose(cameras('a', 'b'), ['b'], 900)).toBe('b');
  });

  test('a cough does not change the picture, and speaking starts to count anew after it', () => {
    const chooser = new ShownParticipantChooser(800);
    chooser.choose(cameras('a', 'b'), ['a'], 0);
    chooser.choose(cameras('a', 'b'), ['b'], 100);
    chooser.choose(cameras('a', 'b'), [], 300);
    expect(chooser.choose(cameras('a', 'b'), ['b'], 1_000)).toBe('a');
    expect(chooser.choose(cameras('a', 'b'), ['b'], 1_700)).toBe('a');
  });

  test('the shown participant stays shown while speaking, also under others', () => {
    const chooser = new ShownParticipantChooser(800);
    chooser.choose(cameras('a', 'b'), ['a'], 0);
    chooser.choose(cameras('a', 'b'), ['a', 'b'], 100);
    expect(chooser.choose(cameras('a', 'b'), ['a', 'b'], 5_000)).toBe('a');
  });

  test('a shared screen comes before every speaker, and the speaker comes back after it', () => {
    const chooser = new ShownParticipantChooser(800);
    chooser.choose(cameras('a', 'b'), ['a'], 0);
    expect(chooser.choose([...cameras('a', 'b'), { id: 's', kind: 'screen' }], ['a'], 100)).toBe('s');
    expect(chooser.choose(cameras('a', 'b'), ['b'], 200)).toBe('b');
  });

  test('when the shown video ends, the speaker is shown at once', () => {
    const chooser = new ShownParticipantChooser(800);
    chooser.choose(cameras('a', 'b'), ['a'], 0);
    expect(chooser.choose(cameras('b', 'c'), ['c'], 100)).toBe('c');
  });
});
