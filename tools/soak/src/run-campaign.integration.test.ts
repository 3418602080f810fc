import { describe, expect, test } from '@jest/globals';
import { runCampaign } from './run-campaign.ts';

const runOf = (program: string, results: RegExp) =>
  runCampaign({ steps: [{ program, results }] }, { seed: 7, share: 0.1 });

describe('a campaign', () => {
  test('takes its results from the output of a program, and gets its seed and its share of the usual size', async () => {
    const run = await runOf('tools/soak/src/main.ts --names --seed SEED', /"races"/);
    expect(run).toMatchObject({ passed: true, seed: 7, results: [expect.stringContaining('"kills"')] });
    // Not a campaign: the message names what it got.
    const named = await runOf('tools/soak/src/main.ts SEED-*50', /There is no campaign/);
    expect(named.results.join()).toContain('"7-5"');
  });

  test.each([
    ['its program fails', 'tools/soak/src/main.ts --seed 0', /whole number/, '--seed must be a whole number from 1.'],
    [
      'its program states nothing of its result',
      'tools/soak/src/main.ts --names',
      /no such line/,
      'no result, exit code 0',
    ],
  ])('has failed when %s', async (_why, program, results, result) => {
    expect(await runOf(program, results)).toMatchObject({ passed: false, results: [result] });
  });
});
