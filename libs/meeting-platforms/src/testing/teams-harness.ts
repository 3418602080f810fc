import { createTeamsPlatform } from '../teams/teams-platform.ts';
import { startSimulatorHarness } from './simulator-harness.ts';
import type { RunningHarness } from './simulator-harness.ts';

export async function startTeamsHarness(): Promise<RunningHarness> {
  return await startSimulatorHarness({
    create: createTeamsPlatform,
    bestSource: 'active-speaker',
    unknownMeetingUrl: 'https://teams.microsoft.com/meet/1234567890123?p=wrong',
  });
}
