import { expect, test } from '@jest/globals';
import { runKillCampaign } from './testing/kill-campaign.ts';

// The long form of kills.integration.test.ts.

test('killed 100 times over 200 jobs it loses no job, submits none twice and leaves no copy at a provider', async () => {
  expect(await runKillCampaign({ jobs: 200, kills: 100, seed: 2 })).toEqual({
    completed: 200,
    kills: 100,
    repeated: 0,
    left: 0,
  });
}, 1_800_000);
