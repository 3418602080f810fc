import { describe, expect, test } from '@jest/globals';
import { faultKinds } from '../rooms/faults.ts';
import { roomOptionsSchema } from '../rooms/room-options.ts';
import { drawVariants, variantValues } from '../rooms/variants.ts';
import { platformNames } from '../sites/platforms.ts';
import { scenarios } from './scenarios.ts';

describe('scenarios', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s is a room that can be started on each of its platforms',
    (name, { platforms = platformNames }) => {
      for (const platform of platforms) {
        expect(roomOptionsSchema.safeParse({ scenario: name, platform })).toMatchObject({ success: true });
      }
    },
  );

  test('have names of their own', () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });

  test('let every kind of fault strike somewhere', () => {
    const struck = scenarios.flatMap(({ name }) =>
      roomOptionsSchema.parse({ scenario: name }).faults.map(({ what }) => what.kind),
    );
    expect(new Set(struck)).toEqual(new Set(faultKinds));
  });

  test('are overruled by what is requested besides, option by option', () => {
    const room = roomOptionsSchema.parse({ scenario: 'meet-german', lobby: 'wait', meet: { ids: true } });
    expect(room).toMatchObject({ lobby: 'wait', meet: { language: 'de', ids: true } });
  });

  test('that are not known are named so', () => {
    const { error } = roomOptionsSchema.safeParse({ scenario: 'no-such' });
    expect(error?.issues[0]).toMatchObject({ path: ['scenario'] });
  });
});

describe('variants', () => {
  test.each(platformNames)('of %s are sampled from all there are, the same for the same seed', (platform) => {
    expect(drawVariants(platform, 7)).toEqual(drawVariants(platform, 7));
    const values = variantValues(platform);
    const seen = new Map<string, Set<unknown>>();
    for (let seed = 0; seed < 200; seed += 1) {
      const drawn = drawVariants(platform, seed);
      expect(roomOptionsSchema.safeParse({ platform, seed })).toMatchObject({ success: true });
      for (const [name, value] of Object.entries(drawn)) seen.set(name, (seen.get(name) ?? new Set()).add(value));
    }
    for (const [name, found] of seen) expect(found.size).toBeGreaterThan(values[name]!.length - 2);
  });

  test('that are given are not sampled', () => {
    const room = roomOptionsSchema.parse({ seed: 3, meet: { lobbyShape: 'classic', language: 'hu' } });
    expect(room.meet).toMatchObject({ lobbyShape: 'classic', language: 'hu', signInWall: 'none', captcha: false });
  });

  test('of Meet may be beside the other options', () => {
    expect(roomOptionsSchema.parse({ lobbyShape: 'classic', gotIt: true }).meet).toMatchObject({
      lobbyShape: 'classic',
      gotIt: true,
    });
  });
});
