/**
 * What a platform's script offers inside the meeting page and the recorder's script takes there. The two libraries
 * never import each other; this shape, at `globalThis.rapporteurMediaSource`, is all they share.
 */
export interface PageMediaSource {
  readonly version: 1;
  /** Every live remote audio track, each sound once. Tracks may come and go during the call. */
  audioTracks(): MediaStreamTrack[];
  /** The picture speaker_view shows now: a presentation first, then the active speaker, then anyone with a camera. */
  shownVideo(): PageVideo | null;
  /** Called whenever an answer above may have changed. Returns the way to stop listening. */
  onChange(listener: () => void): () => void;
}

export interface PageVideo {
  readonly track: MediaStreamTrack;
  readonly personName: string | null;
  readonly kind: 'camera' | 'screen';
}

export interface PageMediaSourceGlobal {
  rapporteurMediaSource?: PageMediaSource;
}
