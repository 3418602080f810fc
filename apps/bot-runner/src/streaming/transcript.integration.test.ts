import { describe, expect, test } from '@jest/globals';
import { runLiveCampaign } from '../testing/live-campaign.ts';

const providers = ['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'elevenlabs'] as const;

describe('a meeting that is transcribed live', () => {
  test('loses and repeats no word when connections to any provider and to the receiver are cut', async () => {
    const campaign = { minutes: 1, speed: 12, cuts: 2, seed: 7 };
    const results = await Promise.all(
      providers.map(async (provider) => ({ provider, ...(await runLiveCampaign({ ...campaign, provider })) })),
    );
    const good = { lost: 0, repeated: 0, outOfOrder: 0, wrongSpeaker: 0, providerSessions: 2 };
    expect(results).toMatchObject(providers.map((provider) => ({ provider, ...good })));
    for (const { words } of results) expect(words).toBeGreaterThan(50);
  }, 120_000);

  test('goes to the provider once', async () => {
    const result = await runLiveCampaign({ provider: 'deepgram', minutes: 0.5, speed: 12, cuts: 0, seed: 3 });
    expect(result).toMatchObject({ lost: 0, repeated: 0, providerSessions: 1, audioShare: 1 });
  }, 60_000);
});
