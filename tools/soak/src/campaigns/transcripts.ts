import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'transcripts',
  purpose: '5,000 hostile responses, an hour of live transcription with 20 reconnects',
  usualMinutes: 62,
  run: async ({ runSuites }) =>
    await runSuites(['libs/speech-to-text/src/conformance/hostile', 'apps/bot-runner/src/live-transcript']),
};
