import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'bot-costs',
  purpose: 'what each of 200 bots costs PostgreSQL, NATS and the API server; the figures are in the output',
  usualMinutes: 3,
  run: ({ runSuites }) => runSuites(['launch/costs']),
};
