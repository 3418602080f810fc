/**
 * What a platform's script offers inside the meeting page and the recorder's script takes there. The two libraries
 * never import each other; this shape, at `globalThis.rapporteurMediaSource`, is all they share.
 */
export interface PageMediaSource {
  readonly version: 2;
  /** Every live remote audio track, each source once. Tracks may come and go during the call. */
  audioTracks(): MediaStreamTrack[];
  /** The video speaker_view shows now: a presentation first, then the active speaker, then anyone with a camera. */
  shownVideo(): PageVideo | null;
  /** Everybody but the bot, with or without a camera, and every shared screen; in a steady order. */
  tiles(): readonly PageTile[];
  /** Called whenever a result above may have changed. Returns a function that stops listening. */
  onChange(listener: () => void): () => void;
  /** Whose audio the tracks carry. Absent where a track is the mix of everybody. */
  readonly audioOwners?: PageAudioOwners;
}

/** Tracks may pass from one participant to another at any moment. */
export interface PageAudioOwners {
  /**
   * Reports whose every track is, then each change, and a few times a second that nothing changed: what is not known yet must
   * not be taken for what was known last. Returns the way to stop.
   */
  follow(listener: (news: PageAudioNews) => void): () => void;
}

/** Times are epoch milliseconds on the page's clock, of the moment at which the audio comes out of its track. */
export interface PageAudioNews {
  /** So far it is known who was heard. */
  readonly knownUntilMs: number;
  readonly changes: readonly PageAudioChange[];
}

export interface PageAudioChange {
  readonly track: MediaStreamTrack;
  readonly sinceMs: number;
  /** `several`: more than one participant in one track, none of them clearly the loudest. Null: nobody, or nobody knows who. */
  readonly owner: PageAudioOwner | 'several' | null;
}

export interface PageAudioOwner {
  /** As the roster of the platform has it. */
  readonly participantId: string;
  readonly participantName: string | null;
}

export interface PageVideo {
  /** The same video keeps it. */
  readonly id: string;
  readonly track: MediaStreamTrack;
  readonly participantName: string | null;
  readonly kind: 'camera' | 'screen';
}

export interface PageTile {
  /** The same participant, or the same screen, keeps it. */
  readonly id: string;
  readonly kind: 'camera' | 'screen';
  readonly participantName: string | null;
  /** Null while no video of it arrives. Reading it may be what captures the video: read it only to record it. */
  readonly track: MediaStreamTrack | null;
  readonly speaking: boolean;
}

export interface PageMediaSourceGlobal {
  rapporteurMediaSource?: PageMediaSource;
}
