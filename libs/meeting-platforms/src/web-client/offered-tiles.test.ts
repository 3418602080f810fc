import { describe, expect, test } from '@jest/globals';
import { MediaOffer } from './media-offer.page.ts';
import type { MediaParts, OfferedPicture } from './media-offer.page.ts';

const track = { readyState: 'live' } as MediaStreamTrack;
const picture = (id: string, more: Partial<OfferedPicture> = {}): OfferedPicture => ({
  id,
  kind: 'camera',
  personName: `Picture of ${id}`,
  receiver: null,
  track: () => track,
  ...more,
});

function tilesOf(parts: Partial<MediaParts>) {
  const nothing = { audioTracks: () => [], pictures: () => [], people: () => [], speaking: () => [] };
  return new MediaOffer({ ...nothing, ...parts }).source.tiles();
}

describe('the places offered for a gallery', () => {
  test('are those of all people in their own order, with the pictures that there are, then screens', () => {
    const tiles = tilesOf({
      people: () => [
        { id: 'a', name: 'Alice' },
        { id: 'b', name: 'Bruno' },
      ],
      pictures: () => [picture('s', { kind: 'screen' }), picture('b')],
      speaking: () => ['a'],
    });
    expect(tiles).toEqual([
      { id: 'a', kind: 'camera', personName: 'Alice', track: null, speaking: true },
      { id: 'b', kind: 'camera', personName: 'Bruno', track, speaking: false },
      { id: 's', kind: 'screen', personName: 'Picture of s', track, speaking: false },
    ]);
  });

  test('hold whoever is seen before any record names them, and take the name of the picture where no record has one', () => {
    expect(tilesOf({ pictures: () => [picture('x')] })).toMatchObject([{ id: 'x', personName: 'Picture of x' }]);
    expect(tilesOf({ people: () => [{ id: 'x', name: null }], pictures: () => [picture('x')] })).toMatchObject([
      { id: 'x', personName: 'Picture of x' },
    ]);
  });

  test('give one picture of everybody the large place, beside the names', () => {
    const stage = picture('stage', { personName: null, showsEverybody: true });
    expect(tilesOf({ people: () => [{ id: 'a', name: 'Alice' }], pictures: () => [stage] })).toMatchObject([
      { id: 'a', kind: 'camera', track: null },
      { id: 'stage', kind: 'screen', track },
    ]);
  });
});
