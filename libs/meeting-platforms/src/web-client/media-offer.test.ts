import { describe, expect, test } from '@jest/globals';
import { MediaOffer } from './media-offer.page.ts';
import type { OfferedVideo } from './media-offer.page.ts';

const track = { readyState: 'live' } as MediaStreamTrack;

function offerOf(captured: string[]): MediaOffer {
  const video: OfferedVideo = {
    id: 'alice',
    kind: 'camera',
    participantName: 'Alice',
    track: () => {
      captured.push('alice');
      return track;
    },
  };
  return new MediaOffer({
    audioTracks: () => [],
    videos: () => [video],
    participants: () => [],
    speaking: () => ['alice'],
  });
}

describe('the offer to the recorder', () => {
  test('captures no video before the first request, and keeps choosing after it', () => {
    const captured: string[] = [];
    const offer = offerOf(captured);
    let changes = 0;
    offer.source.onChange(() => (changes += 1));
    offer.refresh(false);
    offer.poll(Date.now() + 60_000);
    expect([captured, changes]).toEqual([[], 0]);
    expect(offer.source.shownVideo()).toMatchObject({ id: 'alice', track });
    offer.refresh(false);
    expect(captured.length).toBeGreaterThan(1);
  });
});
