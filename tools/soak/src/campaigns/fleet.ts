import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'fleet',
  purpose:
    '10,000 bots in their meetings at the same time on a real control plane: lateness, and CPU and memory of each program',
  usualMinutes: 26,
  run: async ({ runClusterSuites }) => resultOf(await runClusterSuites('fleet'), /fleet: |failed$/),
};
