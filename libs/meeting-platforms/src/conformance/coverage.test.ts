import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { coverageTable } from '../testing/coverage-table.ts';
import { notCovered } from '../testing/coverage-reasons.ts';
import { coveredPlatforms, uncovered } from '../testing/coverage.ts';
import { outcomeScenarios } from './scenarios.ts';

describe('the conformance suite', () => {
  test.each(coveredPlatforms)(
    'goes through every state, every fault and every variant of %s, or says why not (testing/coverage-reasons.ts)',
    (platform) => {
      const missing = uncovered(platform);
      expect(missing.filter((what) => notCovered[platform][what] === undefined)).toEqual([]);
    },
  );

  test('names its scenarios differently', () => {
    const names = outcomeScenarios.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('is described as it is; write it anew with: npm run conformance -- --write-coverage', () => {
    const written = readFileSync(new URL('../../../../tools/simulator/COVERAGE.md', import.meta.url), 'utf8');
    expect(written).toBe(coverageTable());
  });
});
