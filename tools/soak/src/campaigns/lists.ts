import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'lists',
  purpose: 'deep, filtered and sorted pages of lists of a million bots',
  usualMinutes: 25,
  run: async ({ scaled, runProgram }) =>
    resultOf(
      await runProgram('tools/bench/src/main.ts', ['lists', '--bots', String(scaled(1_000_000))]),
      /walked to its end|goal .*: (?:met|MISSED)/,
    ),
};
