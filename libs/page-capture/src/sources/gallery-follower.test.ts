import type { PageMediaSource, PageTile } from '@rapporteur/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GalleryFollower } from './gallery-follower.page.ts';
import type { EngineCommand } from '../messages.ts';

const processors = globalThis as { MediaStreamTrackProcessor?: unknown };

/** Gives each track a stream with its name; none for a track that cannot be read. */
class FakeProcessor {
  readonly readable: unknown;
  constructor({ track }: { track: MediaStreamTrack }) {
    if (track.label === 'unreadable') throw new Error('It has ended.');
    this.readable = track.id;
  }
}
beforeAll(() => {
  processors.MediaStreamTrackProcessor = FakeProcessor;
});
afterAll(() => {
  delete processors.MediaStreamTrackProcessor;
});

const track = (id: string, more: Partial<MediaStreamTrack> = {}): MediaStreamTrack =>
  ({ id, label: '', readyState: 'live', ...more }) as MediaStreamTrack;
const tile = (id: string, video: MediaStreamTrack | null, more: Partial<PageTile> = {}): PageTile => ({
  id,
  kind: 'camera',
  participantName: id,
  track: video,
  speaking: false,
  ...more,
});

/** Streams are known by the names of their tracks here. */
const nameOf = (frames: unknown): string => (typeof frames === 'string' ? frames : 'none');

/** What the engine receives from each poll of the page. */
function following(): { sample(tiles: readonly PageTile[]): string[]; follower: GalleryFollower } {
  const sent: EngineCommand[] = [];
  const follower = new GalleryFollower((command) => sent.push(command));
  let nowMs = 0;
  return {
    follower,
    sample: (tiles) => {
      nowMs += 250;
      follower.follow({ tiles: () => tiles } as unknown as PageMediaSource, nowMs);
      return sent.splice(0).map((command) => {
        if (command.kind === 'tile-video') return `${command.id}: ${nameOf(command.frames)}`;
        return command.kind === 'tiles' ? command.view.seats.map(({ id }) => id).join(' ') : command.kind;
      });
    },
  };
}

describe('the gallery that the engine gets', () => {
  test('names everybody first, then hands over the pictures of those who have one, and nothing twice', () => {
    const { sample } = following();
    const tiles = [tile('a', track('camera-a')), tile('b', null)];
    expect(sample(tiles)).toEqual(['a b', 'a: camera-a']);
    expect(sample(tiles)).toEqual([]);
    expect(sample([tile('a', track('camera-a2')), tile('b', track('camera-b'))])).toEqual([
      'a: camera-a2',
      'b: camera-b',
    ]);
  });

  test('takes a picture back whose camera went, or whose track ended', () => {
    const { sample } = following();
    const [a, b] = [track('camera-a'), track('camera-b')];
    sample([tile('a', a), tile('b', b)]);
    const ended = Object.assign(b, { readyState: 'ended' });
    expect(sample([tile('a', null), tile('b', ended)])).toEqual(['a: none', 'b: none']);
  });

  test('keeps the video of a participant that is absent from the page for a moment', () => {
    const { sample } = following();
    const [a, b] = [track('camera-a'), track('camera-b')];
    sample([tile('a', a), tile('b', b)]);
    expect(sample([tile('b', b)])).toEqual([]);
    for (let times = 0; times < 5; times += 1) expect(sample([tile('b', b)])).toEqual([]);
    expect(sample([tile('b', b)])).toEqual(['b']);
    // After rejoining, the video is handed over again.
    expect(sample([tile('a', a), tile('b', b)])).toEqual(['b a', 'a: camera-a']);
  });

  test('tries a picture again that could not be read, or that the engine has lost', () => {
    const { sample, follower } = following();
    const unreadable = [tile('a', track('camera-a', { label: 'unreadable' }))];
    expect(sample(unreadable)).toEqual(['a', 'a: none']);
    expect(sample(unreadable)).toEqual(['a: none']);
    const tiles = [tile('a', track('camera-a'))];
    expect(sample(tiles)).toEqual(['a: camera-a']);
    follower.forget('a');
    expect(sample(tiles)).toEqual(['a: camera-a']);
    follower.forgetAll();
    expect(sample(tiles)).toEqual(['a', 'a: camera-a']);
  });

  test('reads the track of a tile once in a poll: where a platform has to capture it, that costs something', () => {
    const { sample } = following();
    let reads = 0;
    const counted = {
      ...tile('a', null),
      get track() {
        reads += 1;
        return track('camera-a');
      },
    };
    sample([counted]);
    expect(reads).toBe(1);
  });
});
