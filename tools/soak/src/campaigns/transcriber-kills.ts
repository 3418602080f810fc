import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'transcriber-kills',
  purpose:
    '100 kills of the transcriber over 200 jobs, and 12 while it takes requests: no job lost, none submitted twice, no copy left; four hours of audio through each batch provider',
  usualMinutes: 25,
  run: async ({ runSuites }) => await runSuites(['apps/transcriber/']),
};
