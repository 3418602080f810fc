import type { PageMediaSource, PageTile, PageVideo } from '@rapporteur/contracts';
import { ShownPersonChooser } from '../shown-person.page.ts';
import type { PictureCandidate } from '../shown-person.page.ts';

/** A picture that could be shown. */
export interface OfferedPicture extends PictureCandidate {
  readonly personName: string | null;
  /** What its track comes from, where the page has one. */
  readonly receiver: RTCRtpReceiver | null;
  /** Called only for the picture that is chosen; the same picture gives the same track. */
  track(): MediaStreamTrack | null;
}

export interface MediaParts {
  audioTracks(): MediaStreamTrack[];
  pictures(): readonly OfferedPicture[];
  /** Ids of people who speak now. */
  speaking(): readonly string[];
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
  #chosenAtMs = 0;

  constructor(parts: MediaParts) {
    this.#parts = parts;
    this.source = {
      version: 2,
      audioTracks: () => parts.audioTracks().filter((track) => track.readyState === 'live'),
      shownVideo: () => this.#shown,
      tiles: () => this.#tiles(),
      onChange: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
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
    return this.#parts.pictures().map((picture) => {
      const { id, kind, personName } = picture;
      return { id, kind, personName, track: picture.track(), speaking: speaking.has(id) };
    });
  }

  #choose(nowMs: number): boolean {
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
