import type { RecordingPause, RecordingSummary } from '@rapporteur/recorder';
import type { StoryEvent } from '../story/meeting-story.ts';

/** What one attempt was about, as its own runner knows it. */
export interface InCallMaterial {
  readonly startedAtMs: number;
  readonly recordedMs: number;
  readonly pauses: readonly RecordingPause[];
  readonly summary: RecordingSummary | null;
  readonly events: readonly StoryEvent[];
}
