import type { PageMediaSource, PageAudioOwners, PageTile, PageVideo } from '@rapporteur/contracts';
import { pageNow } from '@rapporteur/page-scripts/page-time';

export interface RemoteTrack {
  readonly receiver: RTCRtpReceiver;
  readonly track: MediaStreamTrack;
  readonly streamIds: readonly string[];
}

/** The remote tracks of the page that have not ended. */
export class RemoteTracks {
  readonly #tracks: RemoteTrack[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#tracks.length;
  }

  ofKind(kind: 'audio' | 'video'): RemoteTrack[] {
    return this.#tracks.filter(({ track }) => track.kind === kind);
  }

  add(receiver: RTCRtpReceiver, streamIds: readonly string[]): void {
    const { track } = receiver;
    const known = this.#tracks.findIndex((entry) => entry.track.id === track.id);
    if (known >= 0) this.#tracks.splice(known, 1);
    this.#tracks.push({ receiver, track, streamIds });
    track.addEventListener('ended', () => {
      const at = this.#tracks.findIndex((entry) => entry.track === track);
      if (at >= 0) this.#tracks.splice(at, 1);
      this.#onChange();
    });
    // Receivers whose m-line stops sending fire `mute`, not `ended`.
    track.addEventListener('mute', this.#onChange);
    track.addEventListener('unmute', this.#onChange);
    this.#onChange();
  }
}

/**
 * Levels of speech since the last call; the timestamp of a silent source does not change. Speech that moved to another
 * track stays in the old track's list for ten seconds, so timestamps are compared per track.
 * @param seen called with each track's list
 */
export function createSpeechMeter(
  seen?: (track: MediaStreamTrack, sources: readonly RTCRtpContributingSource[]) => void,
): (tracks: readonly RemoteTrack[]) => Map<string, number> {
  const timestampsOf = new WeakMap<RTCRtpReceiver, Map<string, number>>();
  return (tracks) => {
    const levels = new Map<string, number>();
    for (const { receiver, track } of tracks) {
      if (track.readyState !== 'live') continue;
      const before = timestampsOf.get(receiver);
      const now = new Map<string, number>();
      const sources = receiver.getContributingSources();
      seen?.(track, sources);
      for (const entry of sources) {
        const key = String(entry.source);
        now.set(key, entry.timestamp);
        if (before?.get(key) === entry.timestamp) continue;
        levels.set(key, Math.max(levels.get(key) ?? 0, entry.audioLevel ?? 0));
      }
      timestampsOf.set(receiver, now);
    }
    return levels;
  };
}

/** A participant, or a shared screen, with a video. */
export interface VideoCandidate {
  readonly id: string;
  readonly kind: 'camera' | 'screen';
}

/**
 * Chooses the video of speaker_view: a shared screen first, then the active speaker, then the one shown before, then
 * any. A new speaker takes over only after speaking for `takeOverMs`, so that a cough changes nothing. Pure.
 */
export class ShownParticipantChooser {
  readonly #takeOverMs: number;
  readonly #speakingSinceMs = new Map<string, number>();
  #shownId: string | null = null;

  constructor(takeOverMs: number) {
    this.#takeOverMs = takeOverMs;
  }

  /** @returns the id to show now, or null when there is no video at all */
  choose(candidates: readonly VideoCandidate[], speaking: readonly string[], atMs: number): string | null {
    this.#noteSpeaking(speaking, atMs);
    this.#shownId = this.#next(candidates, atMs);
    return this.#shownId;
  }

  #noteSpeaking(speaking: readonly string[], atMs: number): void {
    for (const id of this.#speakingSinceMs.keys()) if (!speaking.includes(id)) this.#speakingSinceMs.delete(id);
    for (const id of speaking) if (!this.#speakingSinceMs.has(id)) this.#speakingSinceMs.set(id, atMs);
  }

  #next(candidates: readonly VideoCandidate[], atMs: number): string | null {
    const screens = candidates.filter((candidate) => candidate.kind === 'screen');
    if (screens.length > 0) return screens.some(({ id }) => id === this.#shownId) ? this.#shownId : screens.at(-1)!.id;
    const shown = candidates.find((candidate) => candidate.id === this.#shownId);
    if (shown !== undefined && this.#speakingSinceMs.has(shown.id)) return shown.id;
    const speakers = candidates.filter((candidate) => this.#speakingSinceMs.has(candidate.id));
    if (shown === undefined) return speakers[0]?.id ?? candidates[0]?.id ?? null;
    const settled = speakers.find((candidate) => atMs - this.#speakingSinceMs.get(candidate.id)! >= this.#takeOverMs);
    return settled?.id ?? shown.id;
  }
}

/** A video that could be shown. */
export interface OfferedVideo extends VideoCandidate {
  readonly participantName: string | null;
  /** All participants in one frame, where the page paints no other: names and faces are legible only at full size. */
  readonly showsEverybody?: boolean;
  /** Called only for recorded videos; the same frame gives the same track. */
  track(): MediaStreamTrack | null;
}

/** A participant of the call. */
export interface OfferedParticipant {
  /** That of the participant's video, where there is one. */
  readonly id: string;
  readonly name: string | null;
}

export interface MediaParts {
  audioTracks(): MediaStreamTrack[];
  /** The receivers of these tracks; absent where the page decodes the audio itself. */
  audioReceivers?(): readonly RTCRtpReceiver[];
  videos(): readonly OfferedVideo[];
  /** All participants except the bot, with or without a camera, in a stable order. */
  participants(): readonly OfferedParticipant[];
  /** Ids of participants who speak now. */
  speaking(): readonly string[];
  /** Set where tracks have owners. */
  readonly audioOwners?: PageAudioOwners;
}

const takeOverMs = 800;
/** Interval of choosing the video, unless a track changes. */
const choosePollMs = 200;

/** Offers all audio tracks and the video to show to the recorder. */
export class MediaOffer {
  readonly source: PageMediaSource;
  readonly #parts: MediaParts;
  readonly #chooser = new ShownParticipantChooser(takeOverMs);
  readonly #listeners = new Set<() => void>();
  #shown: PageVideo | null = null;
  /** No video is chosen until one is requested: a chosen video may have to be captured. */
  #videosWanted = false;
  #chosenAtMs = 0;

  constructor(parts: MediaParts) {
    this.#parts = parts;
    this.source = {
      version: 2,
      audioTracks: () => parts.audioTracks().filter((track) => track.readyState === 'live'),
      shownVideo: () => {
        if (!this.#videosWanted) {
          this.#videosWanted = true;
          this.#choose(pageNow());
        }
        return this.#shown;
      },
      tiles: () => this.#tiles(),
      onChange: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      audioReceivers: () => parts.audioReceivers?.() ?? [],
      ...(parts.audioOwners ? { audioOwners: parts.audioOwners } : {}),
    };
  }

  /** Chooses anew, at most every 200 ms. */
  poll(nowMs: number): void {
    if (nowMs - this.#chosenAtMs >= choosePollMs) this.refresh(false);
  }

  /** Chooses anew and notifies the listeners of a change. */
  refresh(tracksChanged: boolean): void {
    this.#chosenAtMs = pageNow();
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
    const videos = new Map(this.#parts.videos().map((video) => [video.id, video]));
    const participants = this.#parts.participants().map(({ id, name }): PageTile => {
      const video = videos.get(id);
      videos.delete(id);
      const participantName = name ?? video?.participantName ?? null;
      return tileOf({ id, kind: 'camera', participantName, speaking: speaking.has(id) }, video);
    });
    // Screens, and participants whose video precedes their record.
    const others = [...videos.values()].map((video): PageTile => {
      const { id, participantName } = video;
      const kind = video.showsEverybody === true ? 'screen' : video.kind;
      return tileOf({ id, kind, participantName, speaking: speaking.has(id) }, video);
    });
    return [...participants, ...others];
  }

  #choose(nowMs: number): boolean {
    if (!this.#videosWanted) return false;
    const videos = this.#parts.videos();
    const id = this.#chooser.choose(videos, this.#parts.speaking(), nowMs);
    const video = videos.find((candidate) => candidate.id === id);
    const track = video?.track() ?? null;
    const before = this.#shown;
    if (video === undefined || track === null) this.#shown = null;
    else {
      const { id: shownId, participantName, kind } = video;
      this.#shown = { id: shownId, track, participantName, kind };
    }
    return (
      this.#shown?.id !== before?.id ||
      this.#shown?.track !== before?.track ||
      this.#shown?.participantName !== before?.participantName ||
      this.#shown?.kind !== before?.kind
    );
  }
}

/** The track is created when it is read: a reader of `speaking` only captures nothing. */
function tileOf(about: Omit<PageTile, 'track'>, video: OfferedVideo | undefined): PageTile {
  return {
    ...about,
    get track() {
      return video?.track() ?? null;
    },
  };
}
