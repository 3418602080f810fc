import { expect, test } from '@jest/globals';
import { runKillCampaign } from './testing/kill-campaign.ts';

test('killed again and again it loses no job, submits none twice and leaves no copy at a provider', async () => {
  expect(await runKillCampaign({ jobs: 8, kills: 2, seed: 1, strikes: 'jobs' })).toEqual({
    completed: 8,
    kills: 2,
    repeated: 0,
    left: 0,
  });
}, 240_000);
