import { describe, expect, test } from '@jest/globals';
import { resultOf } from './campaign.ts';
import type { Campaign } from './campaign.ts';
import { runCampaign } from './run-campaign.ts';

const campaign = (run: Campaign['run']): Campaign => ({ name: 'example', purpose: 'none', usualMinutes: 1, run });

describe('a campaign', () => {
  test('takes its results from the output of a program, and gets its seed and its share of the usual size', async () => {
    const listed = campaign(async ({ seed, scaled, runProgram }) => {
      const end = await runProgram('tools/soak/src/main.ts', ['--names']);
      const { passed, results } = resultOf(end, /"races"/);
      return { passed, results: [...results, `seed ${seed}`, `${scaled(50)} times`] };
    });
    const run = await runCampaign(listed, { seed: 7, share: 0.1 });
    expect(run).toMatchObject({ passed: true, seed: 7 });
    expect(run.results).toEqual([expect.stringContaining('"kills"'), 'seed 7', '5 times']);
  });

  test('has failed when its program fails, states nothing of its result, or it throws', async () => {
    const wrongSeed = campaign(async ({ runProgram }) =>
      resultOf(await runProgram('tools/soak/src/main.ts', ['--seed', '0']), /whole number/),
    );
    expect(await runCampaign(wrongSeed, { seed: 1, share: 1 })).toMatchObject({
      passed: false,
      results: ['--seed must be a whole number from 1.'],
    });
    const silent = campaign(async ({ runProgram }) =>
      resultOf(await runProgram('tools/soak/src/main.ts', ['--names']), /no such line/),
    );
    expect(await runCampaign(silent, { seed: 1, share: 1 })).toMatchObject({
      passed: false,
      results: ['no result, exit code 0'],
    });
    const throwing = campaign(() => Promise.reject(new Error('No browser.')));
    expect(await runCampaign(throwing, { seed: 1, share: 1 })).toMatchObject({
      passed: false,
      results: ['No browser.'],
    });
  });
});
