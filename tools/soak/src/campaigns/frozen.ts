import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'frozen',
  purpose:
    'PostgreSQL, NATS and every scheduler frozen for a minute each, and a replica that hangs: no bot ends, and no media is missing',
  usualMinutes: 18,
  run: async ({ runSuites }) => await runSuites(['apps/bot-scheduler/src/leases/', 'tools/chaos/src/real-media']),
};
