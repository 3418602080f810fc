import type { PageMediaSource, PageSoundOwners, PageTile, PageVideo } from '@rapporteur/contracts';
import { ShownPersonChooser } from '../shown-person.page.ts';
import type { PictureCandidate } from '../shown-person.page.ts';

/** A picture that could be shown. */
export interface OfferedPicture extends PictureCandidate {
  readonly personName: string | null;
  /** What its track comes from, where the page has one. */
  readonly receiver: RTCRtpReceiver | null;
  /** Everybody in one picture, where the page paints no other: its names and faces are large enough only when it is. */
  readonly showsEverybody?: boolean;
  /** Called only for pictures that are recorded; the same picture gives the same track. */
  track(): MediaStreamTrack | null;
}

/** Somebody in the call. */
export interface OfferedPerson {
  /** That of the person's picture, where there is one. */
  readonly id: string;
  readonly name: string | null;
}

export interface MediaParts {
  audioTracks(): MediaStreamTrack[];
  pictures(): readonly OfferedPicture[];
  /** Everybody but the bot, with or without a camera, in an order that stays. */
  people(): readonly OfferedPerson[];
  /** Ids of people who speak now. */
  speaking(): readonly string[];
  /** Where tracks are people's. */
  readonly soundOwners?: PageSoundOwners;
}

const takeOverMs = 800;
/** How often it is asked whose picture to show, unless a track changes. */
const choosePollMs = 200;

/** Answers the recorder: every sound, and the picture of whoever is to be shown. */
export class MediaOffer {
  readonly source: PageMediaSource;
  readonly #parts: MediaParts;
  readonly #chooser = new ShownPersonChooser(takeOverMs);
  readonly #listeners = new Set<() => void>();
  #shown: PageVideo | null = null;
  /** Until somebody asks for pictures none is chosen: a chosen one may have to be captured. */
  #picturesWanted = false;
  #chosenAtMs = 0;

  constructor(parts: MediaParts) {
    this.#parts = parts;
    this.source = {
      version: 2,
      audioTracks: () => parts.audioTracks().filter((track) => track.readyState === 'live'),
      shownVideo: () => {
        if (!this.#picturesWanted) {
          this.#picturesWanted = true;
          this.#choose(Date.now());
        }
        return this.#shown;
      },
      tiles: () => this.#tiles(),
      onChange: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      ...(parts.soundOwners ? { soundOwners: parts.soundOwners } : {}),
    };
  }

  /** Chooses anew, at most every 200 ms. */
  poll(nowMs: number): void {
    if (nowMs - this.#chosenAtMs >= choosePollMs) this.refresh(false);
  }

  /** Chooses anew and tells who listens, when anything has changed. */
  refresh(tracksChanged: boolean): void {
    this.#chosenAtMs = Date.now();
    if (!this.#choose(this.#chosenAtMs) && !tracksChanged) return;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        console.error('A listener of the media source failed.', error);
      }
    }
  }

  #tiles(): PageTile[] {
    const speaking = new Set(this.#parts.speaking());
    const pictures = new Map(this.#parts.pictures().map((picture) => [picture.id, picture]));
    const people = this.#parts.people().map(({ id, name }): PageTile => {
      const picture = pictures.get(id);
      pictures.delete(id);
      const personName = name ?? picture?.personName ?? null;
      return tileOf({ id, kind: 'camera', personName, speaking: speaking.has(id) }, picture);
    });
    // Screens, and whoever is seen before any record names them.
    const others = [...pictures.values()].map((picture): PageTile => {
      const { id, personName } = picture;
      const kind = picture.showsEverybody === true ? 'screen' : picture.kind;
      return tileOf({ id, kind, personName, speaking: speaking.has(id) }, picture);
    });
    return [...people, ...others];
  }

  #choose(nowMs: number): boolean {
    if (!this.#picturesWanted) return false;
    const pictures = this.#parts.pictures();
    const id = this.#chooser.choose(pictures, this.#parts.speaking(), nowMs);
    const picture = pictures.find((candidate) => candidate.id === id);
    const track = picture?.track() ?? null;
    const before = this.#shown;
    if (picture === undefined || track === null) this.#shown = null;
    else {
      const { id: shownId, receiver, personName, kind } = picture;
      this.#shown = { id: shownId, track, receiver, personName, kind };
    }
    return (
      this.#shown?.id !== before?.id ||
      this.#shown?.track !== before?.track ||
      this.#shown?.personName !== before?.personName ||
      this.#shown?.kind !== before?.kind
    );
  }
}

/** Its track is asked for when somebody reads it: whoever only wants to know who speaks captures nothing. */
function tileOf(about: Omit<PageTile, 'track'>, picture: OfferedPicture | undefined): PageTile {
  return {
    ...about,
    get track() {
      return picture?.track() ?? null;
    },
  };
}
