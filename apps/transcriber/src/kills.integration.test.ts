import { expect, test } from '@jest/globals';
import { runKillCampaign } from './testing/kill-campaign.ts';

test('killed again and again it loses no job, submits none twice and leaves no copy at a provider', async () => {
  expect(await runKillCampaign({ jobs: 16, kills: 3, seed: 1 })).toEqual({
    completed: 16,
    kills: 3,
    repeated: 0,
    left: 0,
  });
}, 240_000);
