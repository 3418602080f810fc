import { onOrOff, videoSize, captureStrategy, meetingPlatform, platformNames } from '@rapporteur/contracts';
import type { BotInvocation, MeetingPlatformName, CaptureStrategyName } from '@rapporteur/contracts';
import { withDefault } from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { z } from 'zod';

/** The capture strategy of the bots of each platform. */
type CaptureStrategies = Readonly<Record<MeetingPlatformName, CaptureStrategyName>>;

export const noStrategyPinned: CaptureStrategies = forAllPlatforms('auto');

function forAllPlatforms(strategy: CaptureStrategyName): CaptureStrategies {
  return Object.fromEntries(platformNames.map((name) => [name, strategy])) as CaptureStrategies;
}

/** `auto`, one strategy for all platforms, or `meet=tracks,teams=tab`: other platforms use their default. */
export function captureStrategies(): z.ZodType<CaptureStrategies, string> {
  return z.string().transform((text, context): CaptureStrategies => {
    const forAll = captureStrategy.safeParse(text.trim());
    if (forAll.success) return forAllPlatforms(forAll.data);
    const strategies: Record<MeetingPlatformName, CaptureStrategyName> = { ...noStrategyPinned };
    for (const part of text.split(',')) {
      const [platform, strategy, ...more] = part.split('=').map((word) => word.trim());
      const [known, wanted] = [meetingPlatform.safeParse(platform), captureStrategy.safeParse(strategy)];
      if (!known.success || !wanted.success || more.length > 0) {
        context.addIssue({ code: 'custom', message: wording });
        return noStrategyPinned;
      }
      strategies[known.data] = wanted.data;
    }
    return strategies;
  });
}

const wording =
  `must be one of ${captureStrategy.options.join(', ')}, ` +
  `or such words for platforms (${meetingPlatform.options.join(', ')}), like meet=tracks,teams=tab`;

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
