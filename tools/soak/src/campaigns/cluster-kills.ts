import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'cluster-kills',
  purpose:
    '200 kills of schedulers, API server and runners while 1,000 bots run as Jobs: none lost, none twice in a meeting',
  usualMinutes: 25,
  run: async ({ runClusterSuites }) => resultOf(await runClusterSuites('cluster-kills'), /kills: |failed$/),
};
