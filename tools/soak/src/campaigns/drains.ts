import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'drains',
  purpose: 'SIGTERM during recordings: nothing is lost, the end is reported once',
  usualMinutes: 50,
  run: async ({ seed, scaled, runProgram }) =>
    resultOf(
      await runProgram('tools/bench/src/main.ts', ['drains', '--times', String(scaled(100)), '--seed', String(seed)]),
      /^\| (?:SIG|want)|^FAILED/,
    ),
};
