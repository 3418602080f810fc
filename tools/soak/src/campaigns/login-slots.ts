import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'login-slots',
  purpose:
    '100 bots at once on 3 logins with 20 slots get exactly 60 through two replicas; killed runners and services leak no slot',
  usualMinutes: 3,
  run: async ({ runSuites }) => await runSuites(['tools/chaos/src/login-slots']),
};
