import type { PageSoundChange, PageSoundNews, PageSoundOwners } from '@rapporteur/contracts';
import type { EngineCommand } from './messages.ts';
import { framesOf } from './track-frames.page.ts';

/** Blocks of 10 ms that may wait for a busy thread. */
const soundWaiting = 200;

/** Hands the sound of tracks to the engine, each as long as it is among those to follow, and whose it is where that is wanted. */
export class SoundFollow {
  readonly #send: (command: EngineCommand) => void;
  readonly #wantsOwners: boolean;
  readonly #sounds = new Map<MediaStreamTrack, { id: string; player: HTMLAudioElement }>();
  /** The last word on each track. */
  readonly #owners = new WeakMap<MediaStreamTrack, PageSoundChange>();
  #asked: { readonly owners: PageSoundOwners; readonly stop: () => void } | null = null;
  #number = 0;

  constructor(send: (command: EngineCommand) => void, wantsOwners: boolean) {
    this.#send = send;
    this.#wantsOwners = wantsOwners;
  }

  /** @param owners who says whose the tracks are */
  follow(tracks: readonly MediaStreamTrack[], owners?: PageSoundOwners): void {
    this.#ask(owners);
    for (const track of this.#sounds.keys()) if (!tracks.includes(track)) this.#drop(track);
    for (const track of tracks) if (!this.#sounds.has(track)) this.#take(track);
  }

  /** The same tracks, read and played anew. */
  renew(): void {
    const tracks = [...this.#sounds.keys()];
    const owners = this.#asked?.owners;
    this.follow([], owners);
    this.follow(
      tracks.filter(({ readyState }) => readyState === 'live'),
      owners,
    );
  }

  #ask(owners: PageSoundOwners | undefined): void {
    if (!this.#wantsOwners || this.#asked?.owners === owners) return;
    this.#asked?.stop();
    this.#asked = owners ? { owners, stop: owners.follow((news) => this.#hear(news)) } : null;
  }

  #hear({ knownUntilMs, changes }: PageSoundNews): void {
    for (const change of changes) this.#owners.set(change.track, change);
    const told = changes.flatMap(({ track, sinceMs, owner }) => {
      const sound = this.#sounds.get(track);
      return sound ? [{ id: sound.id, sinceMs, owner }] : [];
    });
    this.#send({ kind: 'sound-owners', knownUntilMs, changes: told });
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
    const said = this.#owners.get(track);
    if (said)
      this.#send({
        kind: 'sound-owners',
        knownUntilMs: 0,
        changes: [{ id, sinceMs: said.sinceMs, owner: said.owner }],
      });
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
