import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'transcriber-kills',
  purpose: 'the transcriber killed while it takes requests and works: no job lost, none submitted twice, no copy left',
  usualMinutes: 4,
  run: async ({ runSuites }) => await runSuites(['apps/transcriber/']),
};
