import { onOrOff, videoSize } from '@rapporteur/contracts';
import type { BotInvocation, MeetingPlatformName } from '@rapporteur/contracts';
import { withDefault } from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { captureStrategies, noStrategyPinned } from './capture-strategy.ts';

/** Settings of recordings, which the runner of every bot gets in its invocation. */
export const recordingConfig = {
  /** Capture strategy: `auto`, one strategy for all platforms, or `meet=tracks,teams=tab`; see docs/operating.md. */
  captureStrategy: withDefault(captureStrategies(), noStrategyPinned),
  /** `fixed`: 1280x720 throughout. `received`: video as received, with much less CPU; see docs/operating.md. */
  recordingSize: withDefault(videoSize, 'fixed'),
  /** Whether each participant's audio is also stored separately, where the platform provides it. */
  recordingParticipantAudio: withDefault(onOrOff, 'on'),
} as const;

export type RecordingSettings = ConfigOf<typeof recordingConfig>;

/** Their members of the invocation. */
export function recordingMembersOf(settings: RecordingSettings, platform: MeetingPlatformName) {
  return {
    captureStrategy: settings.captureStrategy[platform],
    videoSize: settings.recordingSize,
    participantAudio: settings.recordingParticipantAudio,
  } satisfies Partial<BotInvocation>;
}
