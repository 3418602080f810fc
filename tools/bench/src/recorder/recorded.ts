import type { FrameArea } from '@rapporteur/recording-check';

export interface Recorded {
  readonly by: 'ours' | 'field';
  readonly file: string;
  /** Rectangle of the followed participant's video; null: the whole video. */
  readonly place: FrameArea | readonly FrameArea[] | null;
  readonly audioOnly: boolean;
  /** The strategies of the recording, first to last. */
  readonly captureStrategies: readonly string[];
  /** Problems where another strategy than the requested one was used. */
  readonly strategiesRefused: readonly string[];
  /** Epoch ms of its time zero, where the file has it. */
  readonly startedAtMs: number | null;
}
