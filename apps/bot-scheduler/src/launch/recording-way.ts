import { z } from 'zod';
import { meetingPlatform, recordingWay } from '@rapporteur/contracts';
import type { MeetingPlatformName, RecordingWayName } from '@rapporteur/contracts';

/** How the bots of each platform take their pictures. */
export type RecordingWays = Readonly<Record<MeetingPlatformName, RecordingWayName>>;

export const noWayPinned: RecordingWays = { meet: 'auto', teams: 'auto', zoom: 'auto' };

/** `auto`, one way for all platforms, or `meet=tracks,teams=encoded`: platforms that are not named choose themselves. */
export function recordingWays(): z.ZodType<RecordingWays, string> {
  return z.string().transform((text, context): RecordingWays => {
    const forAll = recordingWay.safeParse(text.trim());
    if (forAll.success) return { meet: forAll.data, teams: forAll.data, zoom: forAll.data };
    const ways: Record<MeetingPlatformName, RecordingWayName> = { ...noWayPinned };
    for (const part of text.split(',')) {
      const [platform, way, ...more] = part.split('=').map((word) => word.trim());
      const [known, wanted] = [meetingPlatform.safeParse(platform), recordingWay.safeParse(way)];
      if (!known.success || !wanted.success || more.length > 0) {
        context.addIssue({ code: 'custom', message: wording });
        return noWayPinned;
      }
      ways[known.data] = wanted.data;
    }
    return ways;
  });
}

const wording =
  `must be one of ${recordingWay.options.join(', ')}, ` +
  `or such words for platforms (${meetingPlatform.options.join(', ')}), like meet=tracks,teams=encoded`;
