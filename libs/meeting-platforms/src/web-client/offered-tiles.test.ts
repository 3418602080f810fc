import { describe, expect, test } from '@jest/globals';
import { MediaOffer } from './media-offer.page.ts';
import type { MediaParts, OfferedVideo } from './media-offer.page.ts';

const track = { readyState: 'live' } as MediaStreamTrack;
const video = (id: string, more: Partial<OfferedVideo> = {}): OfferedVideo => ({
  id,
  kind: 'camera',
  participantName: `Picture of ${id}`,
  track: () => track,
  ...more,
});

function tilesOf(parts: Partial<MediaParts>) {
  const nothing = { audioTracks: () => [], videos: () => [], participants: () => [], speaking: () => [] };
  return new MediaOffer({ ...nothing, ...parts }).source.tiles();
}

describe('the places offered for a gallery', () => {
  test('are those of all people in their own order, with the pictures that there are, then screens', () => {
    const tiles = tilesOf({
      participants: () => [
        { id: 'a', name: 'Alice' },
        { id: 'b', name: 'Bruno' },
      ],
      videos: () => [video('s', { kind: 'screen' }), video('b')],
      speaking: () => ['a'],
    });
    expect(tiles).toEqual([
      { id: 'a', kind: 'camera', participantName: 'Alice', track: null, speaking: true },
      { id: 'b', kind: 'camera', participantName: 'Bruno', track, speaking: false },
      { id: 's', kind: 'screen', participantName: 'Picture of s', track, speaking: false },
    ]);
  });

  test('hold a participant before a record names them, with the name of the video where no record has one', () => {
    expect(tilesOf({ videos: () => [video('x')] })).toMatchObject([{ id: 'x', participantName: 'Picture of x' }]);
    expect(tilesOf({ participants: () => [{ id: 'x', name: null }], videos: () => [video('x')] })).toMatchObject([
      { id: 'x', participantName: 'Picture of x' },
    ]);
  });

  test('give one picture of everybody the large place, beside the names', () => {
    const stage = video('stage', { participantName: null, showsEverybody: true });
    expect(tilesOf({ participants: () => [{ id: 'a', name: 'Alice' }], videos: () => [stage] })).toMatchObject([
      { id: 'a', kind: 'camera', track: null },
      { id: 'stage', kind: 'screen', track },
    ]);
  });
});
