import { createZoomPlatform } from '../zoom/zoom-platform.ts';
import { startSimulatorHarness } from './simulator-harness.ts';
import type { RunningHarness } from './simulator-harness.ts';

/** As from libs/meeting-links; an invitation is `https://zoom.us/j/<number>`. */
export function joinUrlOf(invitation: string): string {
  const { pathname, search } = new URL(invitation);
  return `https://app.zoom.us/wc/${pathname.split('/').at(-1)}/join${search}`;
}

export async function startZoomHarness(): Promise<RunningHarness> {
  return await startSimulatorHarness({
    // Sooner than in production, to keep tests short.
    create: () => createZoomPlatform({ openAgainMs: 2_000 }),
    unknownMeetingUrl: 'https://app.zoom.us/wc/23456789012/join?pwd=none',
    joinUrlOf,
    bestSource: 'levels',
  });
}
