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
  const lastHeard = new WeakMap<RTCRtpReceiver, Map<string, number>>();
  return (tracks) => {
    const levels = new Map<string, number>();
    for (const { receiver, track } of tracks) {
      if (track.readyState !== 'live') continue;
      const before = lastHeard.get(receiver);
      const now = new Map<string, number>();
      const sources = receiver.getContributingSources();
      seen?.(track, sources);
      for (const entry of sources) {
        const key = String(entry.source);
        now.set(key, entry.timestamp);
        if (before?.get(key) === entry.timestamp) continue;
        levels.set(key, Math.max(levels.get(key) ?? 0, entry.audioLevel ?? 0));
      }
      lastHeard.set(receiver, now);
    }
    return levels;
  };
}
