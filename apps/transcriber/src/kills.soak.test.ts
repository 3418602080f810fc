import { expect, test } from '@jest/globals';
import { runKillCampaign } from './testing/kill-campaign.ts';

// A request that a killed process had received is redelivered after its acknowledgement timeout of a minute.
test('killed while it takes requests and while it works it loses no job, submits none twice and leaves no copy at a provider', async () => {
  expect(await runKillCampaign({ jobs: 64, kills: 12, seed: 1, strikes: 'requests' })).toEqual({
    completed: 64,
    kills: 12,
    repeated: 0,
    left: 0,
  });
}, 600_000);

// The long form of kills.integration.test.ts.

test('killed 100 times over 200 jobs it loses no job, submits none twice and leaves no copy at a provider', async () => {
  expect(await runKillCampaign({ jobs: 200, kills: 100, seed: 2, strikes: 'jobs' })).toEqual({
    completed: 200,
    kills: 100,
    repeated: 0,
    left: 0,
  });
}, 1_800_000);
