import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'transcripts',
  purpose: '100 kills of the transcriber, 5,000 hostile responses, an hour of live transcription with 20 reconnects',
  usualMinutes: 70,
  run: async ({ runSuites }) =>
    await runSuites([
      'apps/transcriber/src/kills',
      'libs/speech-to-text/src/conformance/hostile',
      'apps/bot-runner/src/live-transcript',
    ]),
};
