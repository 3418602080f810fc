import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'page-changes',
  purpose:
    'Teams and Zoom change their pages on the whole stack: a canary raises the alert in time, a signed page pack repairs, a bad one is taken back',
  usualMinutes: 8,
  run: async ({ runSuites }) => await runSuites(['tools/e2e/src/page-changes\\.soak']),
};
