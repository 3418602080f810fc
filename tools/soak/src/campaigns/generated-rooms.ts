import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'generated-rooms',
  purpose:
    'bots in generated meetings with faults: each ends in time, once, with the right reason, and its recording plays',
  usualMinutes: 60,
  run: async ({ seed, scaled, runProgram }) =>
    resultOf(
      await runProgram('apps/bot-runner/src/testing/fuzz/fuzz.ts', [
        '--fuzz',
        String(scaled(100)),
        '--seed',
        String(seed),
      ]),
      /^\d+ rooms/,
    ),
};
