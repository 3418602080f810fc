import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'calendar-sequences',
  purpose:
    "10,000 sequences of calendar changes with faults, revoked consents, two writers and kills: the provider's events, one bot for each",
  usualMinutes: 50,
  run: async ({ runSuites }) => await runSuites(['apps/calendar-sync/']),
};
