import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'bot-suites',
  purpose: 'whole bots that are killed, stopped, paused or lack permission to receive video',
  usualMinutes: 9,
  run: async ({ runSuites }) => await runSuites(['apps/bot-runner/src/(?!live-transcript)']),
};
