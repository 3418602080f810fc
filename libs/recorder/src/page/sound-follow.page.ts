import type { EngineCommand } from './messages.ts';
import { framesOf } from './track-frames.page.ts';

/** Blocks of 10 ms that may wait for a busy thread. */
const soundWaiting = 200;

/** Hands the sound of tracks to the engine, each as long as it is among those to follow. */
export class SoundFollow {
  readonly #send: (command: EngineCommand) => void;
  readonly #sounds = new Map<MediaStreamTrack, { id: string; player: HTMLAudioElement }>();
  #number = 0;

  constructor(send: (command: EngineCommand) => void) {
    this.#send = send;
  }

  follow(tracks: readonly MediaStreamTrack[]): void {
    for (const track of this.#sounds.keys()) if (!tracks.includes(track)) this.#drop(track);
    for (const track of tracks) if (!this.#sounds.has(track)) this.#take(track);
  }

  /** The same tracks, read and played anew. */
  renew(): void {
    const tracks = [...this.#sounds.keys()];
    this.follow([]);
    this.follow(tracks.filter(({ readyState }) => readyState === 'live'));
  }

  #take(track: MediaStreamTrack): void {
    this.#number += 1;
    const id = `sound-${this.#number}`;
    const frames = framesOf(track, soundWaiting);
    if (!frames) return;
    // Chromium decodes a remote track's sound only while some element plays it, be it muted.
    const player = new Audio();
    player.muted = true;
    player.srcObject = new MediaStream([track]);
    void player.play().catch(() => undefined);
    this.#sounds.set(track, { id, player });
    this.#send({ kind: 'sound', id, frames });
  }

  #drop(track: MediaStreamTrack): void {
    const sound = this.#sounds.get(track);
    if (!sound) return;
    this.#sounds.delete(track);
    sound.player.pause();
    sound.player.srcObject = null;
    this.#send({ kind: 'sound-gone', id: sound.id });
  }
}
