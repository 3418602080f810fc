import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'half-hour',
  purpose: 'one bot that records for half an hour: growth of memory per recorded minute',
  usualMinutes: 35,
  run: async ({ scaled, runProgram }) =>
    resultOf(
      await runProgram('tools/bench/src/main.ts', [
        'recorder',
        '--slope',
        String(scaled(30)),
        '--views',
        'speaker_view',
      ]),
      /whole tree|^Goal|^REFUSED|^Too short/,
    ),
};
