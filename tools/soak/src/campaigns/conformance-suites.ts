import type { Campaign } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'conformance-suites',
  purpose:
    'the whole conformance suite: every scenario, every media check and every layer of signals on every platform',
  usualMinutes: 20,
  run: async ({ runSuites }) => await runSuites(['libs/meeting-platforms/']),
};
