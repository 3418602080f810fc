/**
 * The interface between a platform's script inside the meeting page and the recorder's script there. The two libraries
 * never import each other; this shape, at `globalThis.rapporteurMediaSource`, is all they share.
 */
export interface PageMediaSource {
  readonly version: 2;
  /** Every live remote audio track, each source once. Tracks may be added and removed during the call. */
  audioTracks(): MediaStreamTrack[];
  /** The receivers of these tracks, for their statistics. Absent where the page decodes the audio itself. */
  audioReceivers?(): readonly RTCRtpReceiver[];
  /** The video of speaker_view: a presentation first, then the active speaker, then any participant with a camera. */
  shownVideo(): PageVideo | null;
  /** All participants but the bot, with or without a camera, and every shared screen; in a stable order. */
  tiles(): readonly PageTile[];
  /** Called whenever a result above may have changed. Returns a function that stops listening. */
  onChange(listener: () => void): () => void;
  /** Owners of the tracks' audio. Absent where a track is the mix of all participants. */
  readonly audioOwners?: PageAudioOwners;
}

/** A track may change to another participant at any time. */
export interface PageAudioOwners {
  /**
   * Reports the owner of every track, then each change, and a few times a second that nothing changed: an owner that is
   * not known yet must not be taken for the last one. Returns a function that stops it.
   */
  follow(listener: (news: PageAudioNews) => void): () => void;
}

/** Epoch milliseconds on the page's clock, of the moment at which the track plays the audio. */
export interface PageAudioNews {
  /** The owners are complete up to this time. */
  readonly knownUntilMs: number;
  readonly changes: readonly PageAudioChange[];
}

export interface PageAudioChange {
  readonly track: MediaStreamTrack;
  readonly sinceMs: number;
  /**
   * `several`: more than one participant in one track, none of them clearly the loudest. Null: no participant, or
   * unknown.
   */
  readonly owner: PageAudioOwner | 'several' | null;
}

export interface PageAudioOwner {
  /** From the platform's roster. */
  readonly participantId: string;
  readonly participantName: string | null;
}

export interface PageVideo {
  /** Stable for the same video. */
  readonly id: string;
  readonly track: MediaStreamTrack;
  readonly participantName: string | null;
  readonly kind: 'camera' | 'screen';
}

export interface PageTile {
  /** Stable for the same participant or screen. */
  readonly id: string;
  readonly kind: 'camera' | 'screen';
  readonly participantName: string | null;
  /** Null while no video of it arrives. Reading it may start the capture of the video: read it only to record it. */
  readonly track: MediaStreamTrack | null;
  readonly speaking: boolean;
}

export interface PageMediaSourceGlobal {
  rapporteurMediaSource?: PageMediaSource;
}
