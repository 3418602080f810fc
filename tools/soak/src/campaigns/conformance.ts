import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'conformance',
  purpose: 'every scenario of the conformance suite on every platform, and generated meetings',
  usualMinutes: 60,
  run: async ({ seed, scaled, runProgram }) =>
    resultOf(
      await runProgram('libs/meeting-platforms/src/conformance/matrix.ts', [
        '--draws',
        String(scaled(50)),
        '--seed',
        String(seed),
      ]),
      /came through/,
    ),
};
