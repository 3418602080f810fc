import { z } from 'zod';
import { captureStrategy, meetingPlatform, platformNames } from '@rapporteur/contracts';
import type { MeetingPlatformName, CaptureStrategyName } from '@rapporteur/contracts';

/** The capture strategy of the bots of each platform. */
export type CaptureStrategies = Readonly<Record<MeetingPlatformName, CaptureStrategyName>>;

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
