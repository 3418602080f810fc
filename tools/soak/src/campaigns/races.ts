import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'races',
  purpose: 'requests to two gateways at the same moment: limits, caps and tokens are exact',
  usualMinutes: 11,
  run: async ({ scaled, runProgram }) =>
    resultOf(
      await runProgram('tools/api-fuzz/src/races.ts', ['--rounds', String(scaled(100))]),
      /rounds, \d+ problems/,
    ),
};
