import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'storage-kills',
  purpose:
    'SIGKILL of runners and of storage-config during direct uploads: at most 4 s lost, no multipart upload is left after the sweep',
  usualMinutes: 6,
  run: async ({ runSuites }) => await runSuites(['tools/bench/src/storage/kills']),
};
