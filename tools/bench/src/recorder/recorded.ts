import type { FrameArea } from '@rapporteur/recording-check';

export interface Recorded {
  readonly by: 'ours' | 'field';
  readonly file: string;
  /** Where in the video somebody's own video lies that is to be followed; null: it fills it. */
  readonly place: FrameArea | readonly FrameArea[] | null;
  readonly audioOnly: boolean;
  /** How it was recorded, in the recorder's own words, first to last. */
  readonly captureStrategies: readonly string[];
  /** Problems where another strategy than the requested one was used. */
  readonly strategiesRefused: readonly string[];
  /** Epoch ms of its time zero where it says that. */
  readonly startedAtMs: number | null;
}
