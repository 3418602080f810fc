import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'kills',
  purpose: 'SIGKILL of runners and browsers and lack of memory during recordings: at most the last 4 s are lost',
  usualMinutes: 75,
  run: async ({ seed, scaled, runProgram }) =>
    resultOf(
      await runProgram('tools/bench/src/main.ts', ['kills', '--times', String(scaled(50)), '--seed', String(seed)]),
      /^\| (?:SIG|want)|^FAILED/,
    ),
};
