import { expect, test } from '@jest/globals';
import { runHostileCampaign } from '../testing/hostile-campaign.ts';

test('a hostile response of any provider is a clear failure or a valid transcript, never anything else', async () => {
  const { broken, failures } = await runHostileCampaign({ responses: 300, seed: 1 });
  expect(broken).toEqual([]);
  expect(failures['unreadable']).toBeGreaterThan(50);
}, 60_000);
