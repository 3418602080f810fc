import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { coverageTable } from '../testing/coverage-table.ts';
import { notCovered } from '../testing/coverage-reasons.ts';
import { coveredPlatforms, coveredRuns, uncovered } from '../testing/coverage.ts';
import { guestScenarios } from './guest-scenarios.ts';
import { layerScenarios } from './layer-scenarios.ts';
import { mediaScenarios } from './media-scenarios.ts';
import { conformancePlatforms, layersOnTurn, sampledSelection, wholeSelection } from './selection.ts';
import { outcomeScenarios } from './scenarios.ts';

const byName = (one: { readonly name: string }, other: { readonly name: string }) => one.name.localeCompare(other.name);

describe('the conformance suite', () => {
  test.each(coveredPlatforms)(
    'goes through every state, every fault and every variant of %s, or says why not (testing/coverage-reasons.ts)',
    (platform) => {
      const missing = uncovered(platform);
      expect(missing.filter((what) => notCovered[platform][what] === undefined)).toEqual([]);
    },
  );

  test.each(
    conformancePlatforms.flatMap((platform) => conformancePlatforms.map((onTurn) => [platform, onTurn] as const)),
  )(
    'samples %s so that every state and variant of its scenarios is reached, while the layers of %s are on turn',
    (platform, onTurn) => {
      const reachedBy = (scenarios: readonly { readonly name: string }[]): string[] => {
        const names = new Set(scenarios.map(({ name }) => name));
        const runs = coveredRuns(platform).filter(({ name }) => names.has(name));
        return runs.flatMap(({ states, variants }) => [...states, ...variants]);
      };
      const { outcomes, attended, layers } = sampledSelection(platform, onTurn);
      const reached = new Set(reachedBy([...outcomes, ...attended, ...(layers ?? [])]));
      const reachable = reachedBy(
        wholeSelection(platform).outcomes.filter(({ longFormOnly }) => longFormOnly !== true),
      );
      expect(reachable.filter((what) => !reached.has(what))).toEqual([]);
    },
  );

  test('samples every fault and every shared scenario on some platform', () => {
    const samples = conformancePlatforms.map((platform) => sampledSelection(platform, 'meet'));
    const sampled = new Set(
      samples.flatMap(({ outcomes, attended }) => [...outcomes, ...attended]).map(({ name }) => name),
    );
    const shared = [
      ...outcomeScenarios.filter(({ longFormOnly }) => longFormOnly !== true),
      ...guestScenarios,
      ...mediaScenarios,
    ].filter(({ platforms }) => platforms === undefined || platforms.length > 1);
    expect(shared.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  test('listens to the layers of one platform per commit, of each in turn, and to all of them in the whole selection', () => {
    const listened = ['00000000', '00000001', '00000002', 'ffffffff'].map((start) => {
      const onTurn = layersOnTurn(start.padEnd(40, '0'));
      return conformancePlatforms.filter((platform) => sampledSelection(platform, onTurn).layers !== null);
    });
    expect(listened).toEqual([['meet'], ['teams'], ['zoom'], ['meet']]);
    const layers = conformancePlatforms.flatMap((platform) => wholeSelection(platform).layers ?? []);
    expect(layers.toSorted(byName)).toEqual(layerScenarios.toSorted(byName));
    expect(() => layersOnTurn('no hash')).toThrow('no hash is no hash of a commit.');
  });

  test('names its scenarios differently', () => {
    const names = outcomeScenarios.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('is described as it is; write it anew with: npm run conformance -- --write-coverage', () => {
    const written = readFileSync(new URL('../../../../tools/simulator/COVERAGE.md', import.meta.url), 'utf8');
    expect(written).toBe(coverageTable());
  });
});
