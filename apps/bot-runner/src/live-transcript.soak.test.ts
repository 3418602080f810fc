import { expect, test } from '@jest/globals';
import { runLiveCampaign } from './testing/live-campaign.ts';

// Sixty minutes of replayed audio for each provider, at ten times the speed of a meeting.

test.each(['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'elevenlabs'] as const)(
  'an hour of live transcription by %s with 20 forced reconnects loses and repeats no final segment',
  async (provider) => {
    const result = await runLiveCampaign({ provider, minutes: 60, speed: 10, cuts: 20, seed: 5 });
    expect(result).toMatchObject({ lost: 0, repeated: 0, outOfOrder: 0, wrongSpeaker: 0, providerSessions: 11 });
  },
  900_000,
);
