import { describe, expect, test } from '@jest/globals';
import { Secret } from '@rapporteur/service-runtime';
import { alphaSdkOf } from './config.ts';
import type { SchedulerConfig } from './config.ts';

const settings = (over: Partial<SchedulerConfig>) => alphaSdkOf(over as SchedulerConfig);

describe("the deployment's Meeting SDK app", () => {
  test('is there with both of its settings, and absent without them', () => {
    expect(settings({})).toBeNull();
    expect(settings({ alphaSdkKey: 'key', alphaSdkSecret: new Secret('secret') })).toEqual({
      key: 'key',
      secret: 'secret',
    });
  });

  test('with half of them keeps the service from starting, in words', () => {
    const words = /RAPPORTEUR_ALPHA_SDK_KEY and RAPPORTEUR_ALPHA_SDK_SECRET, or neither/;
    expect(() => settings({ alphaSdkKey: 'key' })).toThrow(words);
    expect(() => settings({ alphaSdkSecret: new Secret('secret') })).toThrow(words);
  });
});
