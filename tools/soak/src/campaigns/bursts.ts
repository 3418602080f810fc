import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'bursts',
  purpose:
    '1,000 bots of one second on a real control plane and 10,000 on the fake API server, at 20 and 100 Jobs per second: each joins in that second',
  usualMinutes: 13,
  run: async ({ runClusterSuites, runSuites }) => {
    const real = resultOf(await runClusterSuites('burst'), /burst: |failed$/);
    const fake = await runSuites(['scheduled/burst']);
    return { passed: real.passed && fake.passed, results: [...real.results, ...fake.results] };
  },
};
