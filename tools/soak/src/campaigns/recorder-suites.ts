import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'recorder-suites',
  purpose: 'real-time recordings of fallbacks, codec changes, lost engines and pauses',
  usualMinutes: 6,
  run: async ({ runSuites }) => await runSuites(['libs/recorder/']),
};
