import { describe, expect, test } from '@jest/globals';
import { platformNames } from '@rapporteur/contracts';
import { loadConfig, withDefault } from '@rapporteur/service-runtime';
import { noStrategyPinned, captureStrategies } from './recording-settings.ts';

const shape = { captureStrategy: withDefault(captureStrategies(), noStrategyPinned) };
const read = (text?: string) =>
  loadConfig(shape, text === undefined ? {} : { RAPPORTEUR_CAPTURE_STRATEGY: text }).captureStrategy;

const all = (strategy: string) => Object.fromEntries(platformNames.map((name) => [name, strategy]));

describe('the capture strategy of recordings', () => {
  test('is left to the runner unless it is set', () => {
    expect(read()).toEqual(all('auto'));
    expect(read('auto')).toEqual(all('auto'));
  });

  test('is set for all platforms, or for some', () => {
    expect(read('tab')).toEqual(all('tab'));
    expect(read(' meet=tracks, teams=tab ')).toEqual({ ...all('auto'), meet: 'tracks', teams: 'tab' });
  });

  test('that is not known keeps the service from starting, in plain words', () => {
    const wrong = ['screen', 'meet', 'meet=screen', 'skype=tab', 'meet=tab=tracks', 'meet=tab,'];
    for (const text of wrong)
      expect(() => read(text)).toThrow(
        /RAPPORTEUR_CAPTURE_STRATEGY has a value that does not fit: must be one of auto, tracks/,
      );
  });
});
