import type { LaunchSpec } from '../launch/launcher.ts';

/** A run for tests of launchers. */
export const launchSpec: LaunchSpec = {
  name: 'bot-one-1',
  botId: 'one',
  teamId: 'team',
  attempt: 1,
  mode: 'attend',
  waitsForCpu: true,
  platform: 'meet',
  recordingMode: 'speaker_view',
  ticket: 'a-ticket-of-some-length',
};
