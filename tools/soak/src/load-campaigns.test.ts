import { expect, test } from '@jest/globals';
import { loadCampaigns } from './load-campaigns.ts';

test('every file in the folder is a campaign with a name, a purpose and a duration', async () => {
  const campaigns = await loadCampaigns();
  expect([...campaigns.keys()]).toEqual(expect.arrayContaining(['api-requests', 'conformance', 'kills', 'races']));
  for (const { name, purpose, usualMinutes } of campaigns.values()) {
    expect(name).toMatch(/^[a-z][a-z-]*$/);
    expect(purpose.length).toBeGreaterThan(20);
    expect(usualMinutes).toBeGreaterThan(0);
  }
});
