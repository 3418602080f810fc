import { expect, test } from '@jest/globals';
import { runHostileCampaign } from '../testing/hostile-campaign.ts';

// The long form of hostile-responses.integration.test.ts.

test('5,000 hostile responses are clear failures or valid transcripts, never anything else', async () => {
  const { broken, failures } = await runHostileCampaign({ responses: 5_000, seed: 1_000 });
  expect(broken).toEqual([]);
  expect(failures['unreadable']).toBeGreaterThan(1_000);
}, 600_000);
