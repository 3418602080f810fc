import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'restore',
  purpose: 'a backup of a running service is restored into empty servers: nothing is lost but what came after it',
  usualMinutes: 2,
  run: async ({ runSuites }) => await runSuites(['tools/chaos/src/restore']),
};
