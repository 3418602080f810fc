import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'api-requests',
  purpose:
    'generated requests to every operation of the API: no response outside of the contract, no 500, memory that stays bounded',
  usualMinutes: 5,
  run: async ({ seed, scaled, runProgram }) =>
    resultOf(
      await runProgram('tools/api-fuzz/src/main.ts', ['--requests', String(scaled(20_000)), '--seed', String(seed)]),
      /^seed \d+: /,
    ),
};
