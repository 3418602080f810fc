import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'storage-faults',
  purpose:
    "a team's bucket that refuses, fails, delays, breaks connections or is away for ten minutes during uploads: no fragment lost, no dead link",
  usualMinutes: 25,
  run: async ({ runSuites }) => await runSuites(['tools/bench/src/storage/faults']),
};
