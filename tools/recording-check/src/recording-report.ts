import type { FrameFacts } from './judge-frames.ts';
import type { AudioOffset, Beats } from './judge-audio.ts';
import type { FileFacts } from './probe.ts';

export interface RecordingReport {
  readonly path: string;
  readonly file: FileFacts;
  /** Null without video. */
  readonly video: FrameFacts | null;
  /** Null without video. */
  readonly flashes: Beats | null;
  /** Null without audio. */
  readonly beeps: Beats | null;
  readonly beepsMs: readonly number[];
  readonly offset: AudioOffset;
  /** Spans below -60 dBFS of at least `silenceMs`. */
  readonly silences: readonly { readonly startMs: number; readonly endMs: number }[];
  /** The length of the decoded audio, from the file's time zero. */
  readonly audioMs: number;
  /** The decoder's errors. */
  readonly decodeErrors: readonly string[];
}
