import { createMeetPlatform } from '../meet/meet-platform.ts';
import { startSimulatorHarness } from './simulator-harness.ts';
import type { RunningHarness } from './simulator-harness.ts';

export async function startMeetHarness(): Promise<RunningHarness> {
  return await startSimulatorHarness({
    create: createMeetPlatform,
    unknownMeetingUrl: 'https://meet.google.com/zzz-zzzz-zzz',
  });
}
