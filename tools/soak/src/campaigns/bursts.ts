import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'bursts',
  purpose: '1,000 bots of one second on a real control plane, at 20 and 100 Jobs per second: each joins in that second',
  usualMinutes: 5,
  run: async ({ runClusterSuites }) => resultOf(await runClusterSuites('burst'), /burst: |failed$/),
};
