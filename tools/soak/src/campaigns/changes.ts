import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'changes',
  purpose:
    'a sample of each kind of change in CONTRIBUTING.md, applied to a copy: type checking and the tests of the lists name no further file',
  usualMinutes: 8,
  run: async ({ runProgram }) =>
    resultOf(await runProgram('tools/checks/src/sample-changes/try-samples.ts', []), /^change: /),
};
