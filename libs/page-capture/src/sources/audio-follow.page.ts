import type { PageAudioChange, PageAudioNews, PageAudioOwners } from '@rapporteur/contracts';
import type { EngineCommand } from '../messages.ts';
import { framesOf } from './track-frames.page.ts';

/** Blocks of 10 ms that may wait for a busy thread. */
const audioWaiting = 200;

/** Hands the audio of tracks to the engine, each while it is followed, and its owners where requested. */
export class AudioFollow {
  readonly #send: (command: EngineCommand) => void;
  readonly #wantsOwners: boolean;
  readonly #audio = new Map<MediaStreamTrack, { id: string; player: HTMLAudioElement }>();
  /** The last change of each track. */
  readonly #owners = new WeakMap<MediaStreamTrack, PageAudioChange>();
  #requested: { readonly owners: PageAudioOwners; readonly stop: () => void } | null = null;
  #number = 0;

  constructor(send: (command: EngineCommand) => void, wantsOwners: boolean) {
    this.#send = send;
    this.#wantsOwners = wantsOwners;
  }

  /** @param owners reports the owners of the tracks */
  follow(tracks: readonly MediaStreamTrack[], owners?: PageAudioOwners): void {
    this.#sendRequest(owners);
    for (const track of this.#audio.keys()) if (!tracks.includes(track)) this.#drop(track);
    for (const track of tracks) if (!this.#audio.has(track)) this.#take(track);
  }

  /** Reads and plays the same tracks again. */
  renew(): void {
    const tracks = [...this.#audio.keys()];
    const owners = this.#requested?.owners;
    this.follow([], owners);
    this.follow(
      tracks.filter(({ readyState }) => readyState === 'live'),
      owners,
    );
  }

  #sendRequest(owners: PageAudioOwners | undefined): void {
    if (!this.#wantsOwners || this.#requested?.owners === owners) return;
    this.#requested?.stop();
    this.#requested = owners ? { owners, stop: owners.follow((news) => this.#onNews(news)) } : null;
  }

  #onNews({ knownUntilMs, changes }: PageAudioNews): void {
    for (const change of changes) this.#owners.set(change.track, change);
    const reported = changes.flatMap(({ track, sinceMs, owner }) => {
      const audio = this.#audio.get(track);
      return audio ? [{ id: audio.id, sinceMs, owner }] : [];
    });
    this.#send({ kind: 'audio-owners', knownUntilMs, changes: reported });
  }

  #take(track: MediaStreamTrack): void {
    this.#number += 1;
    const id = `sound-${this.#number}`;
    const frames = framesOf(track, audioWaiting);
    if (!frames) return;
    // Chromium decodes a remote track's audio only while an element plays it, muted or not.
    const player = new Audio();
    player.muted = true;
    player.srcObject = new MediaStream([track]);
    void player.play().catch(() => undefined);
    this.#audio.set(track, { id, player });
    this.#send({ kind: 'audio', id, frames });
    const said = this.#owners.get(track);
    if (said)
      this.#send({
        kind: 'audio-owners',
        knownUntilMs: 0,
        changes: [{ id, sinceMs: said.sinceMs, owner: said.owner }],
      });
  }

  #drop(track: MediaStreamTrack): void {
    const audio = this.#audio.get(track);
    if (!audio) return;
    this.#audio.delete(track);
    audio.player.pause();
    audio.player.srcObject = null;
    this.#send({ kind: 'audio-gone', id: audio.id });
  }
}
