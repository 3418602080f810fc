import { describe, expect, test } from '@jest/globals';
import { Secret } from '@rapporteur/service-runtime';
import { zoomSdkOf } from './config.ts';
import type { SchedulerConfig } from './config.ts';

const settings = (over: Partial<SchedulerConfig>) => zoomSdkOf(over as SchedulerConfig);

describe("the deployment's Meeting SDK app", () => {
  test('is there with both of its settings, and absent without them', () => {
    expect(settings({})).toBeNull();
    expect(settings({ zoomSdkKey: 'key', zoomSdkSecret: new Secret('secret') })).toEqual({
      key: 'key',
      secret: 'secret',
    });
  });

  test('with half of them keeps the service from starting, in plain words', () => {
    const words = /RAPPORTEUR_ZOOM_SDK_KEY and RAPPORTEUR_ZOOM_SDK_SECRET, or neither/;
    expect(() => settings({ zoomSdkKey: 'key' })).toThrow(words);
    expect(() => settings({ zoomSdkSecret: new Secret('secret') })).toThrow(words);
  });
});
