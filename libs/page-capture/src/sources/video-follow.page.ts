import type { EngineCommand } from '../messages.ts';
import { framesOf } from './track-frames.page.ts';

/** Frames that may wait for a busy thread. */
const framesWaiting = 4;

/** Hands the shown video's frames to the engine. */
export class VideoFollow {
  readonly #send: (command: EngineCommand) => void;
  readonly #now: () => number;
  #track: MediaStreamTrack | null = null;
  /** Since when the track is read. */
  sinceMs = 0;
  /** A live track whose frames the browser does not deliver. */
  unreadable: MediaStreamTrack | null = null;

  constructor(send: (command: EngineCommand) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
    this.sinceMs = now();
  }

  show(track: MediaStreamTrack | null): void {
    const wanted = track?.readyState === 'live' ? track : null;
    if (wanted === this.#track) return;
    const frames = wanted && framesOf(wanted, framesWaiting);
    this.unreadable = frames === null ? wanted : null;
    this.#track = frames ? wanted : null;
    this.sinceMs = this.#now();
    this.#send({ kind: 'video', frames });
  }

  /** Reads the same track again. */
  renew(): void {
    const track = this.#track;
    this.#track = null;
    if (track !== null) this.show(track);
  }

  /** The engine reads no track any more: the shown one is handed over again. */
  forget(): void {
    this.#track = null;
  }
}
