import type { PageMediaSource, PageTile } from '@rapporteur/contracts';
import { GallerySeats } from '../mixer/gallery-seats.page.ts';
import type { EngineCommand } from '../messages.ts';
import { framesOf } from './track-frames.page.ts';

/** Only the newest video of a participant is painted. */
const tileFramesWaiting = 2;

/** Sends the engine the seats of the gallery and the frames of the seated participants only. */
export class GalleryFollower {
  readonly #send: (command: EngineCommand) => void;
  readonly #seats = new GallerySeats();
  readonly #tracks = new Map<string, MediaStreamTrack>();
  #reported = '';

  constructor(send: (command: EngineCommand) => void) {
    this.#send = send;
  }

  follow(source: PageMediaSource, nowMs: number): void {
    // A track is requested once: where a platform has to capture it, that costs something.
    const tiles = new Map(source.tiles().map((tile) => [tile.id, { tile, track: liveTrackOf(tile) }]));
    const view = this.#seats.update(
      [...tiles.values()].map(({ tile: { id, kind, participantName, speaking }, track }) => {
        return { id, kind, participantName, speaking, hasVideo: track !== null };
      }),
      nowMs,
    );
    const text = JSON.stringify(view);
    if (text !== this.#reported) this.#send({ kind: 'tiles', view });
    this.#reported = text;
    const seated = new Set(view.seats.map(({ id }) => id));
    // The engine drops the frames of participants without a seat.
    for (const id of this.#tracks.keys()) if (!seated.has(id)) this.#tracks.delete(id);
    for (const id of seated) {
      const tile = tiles.get(id);
      // A participant that the page omits for a moment keeps its video.
      if (tile) this.#show(id, tile.track);
    }
  }

  /** The engine has no video of this seat any more. */
  forget(id: string): void {
    this.#tracks.delete(id);
  }

  /** The engine has dropped all frames: they are handed over again. */
  forgetAll(): void {
    this.#tracks.clear();
    this.#reported = '';
  }

  #show(id: string, track: MediaStreamTrack | null): void {
    if (track === (this.#tracks.get(id) ?? null)) return;
    const frames = track && framesOf(track, tileFramesWaiting);
    if (track && frames) this.#tracks.set(id, track);
    else this.#tracks.delete(id);
    this.#send({ kind: 'tile-video', id, frames });
  }
}

function liveTrackOf({ track }: PageTile): MediaStreamTrack | null {
  return track?.readyState === 'live' ? track : null;
}
