/** The counters of a strategy since its creation. */
export interface VideoCounts {
  /** Frames of what is shown that arrived. */
  received: number;
  /** Those of them that are in the recording. */
  encoded: number;
  /** Still or black frames added while no new one arrived. */
  repeated: number;
  skippedByRateLimit: number;
  /** In a pause. */
  unrecorded: number;
  dropped: number;
  switches: number;
  /** Restarts of encoders. */
  restarts: number;
}

/**
 * One strategy to capture the recorded video. Only the current strategy delivers; the others read nothing and cost
 * nothing. The holder of the strategies keeps times increasing across a switch.
 */
export interface VideoStrategy {
  /** Delivers from now on, beginning with a key frame it describes first. */
  begin(): void;
  /** Delivers no more. May begin again. */
  leave(): void;
  /** Repeats a still frame. Called about ten times a second. */
  tick(): void;
  /** After a pause or a loss: the next frame is a key frame. */
  wantKey(): void;
  /** Resolves when every frame taken so far has been delivered. */
  settle(): Promise<void>;
  finish(endMs: number): Promise<void>;
  /** Page time of the last frame of what is shown, or since when it is shown; null while nothing is. */
  readonly shownFrameAtMs: number | null;
  /** Page time since which a requested video has given no frame; null while each has given one. */
  readonly missingSinceMs: number | null;
  readonly counts: VideoCounts;
}

export function noVideoCounts(): VideoCounts {
  return {
    received: 0,
    encoded: 0,
    repeated: 0,
    skippedByRateLimit: 0,
    unrecorded: 0,
    dropped: 0,
    switches: 0,
    restarts: 0,
  };
}
