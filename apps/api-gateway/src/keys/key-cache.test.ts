import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { createKeyCache } from './key-cache.ts';
import type { KnownKey } from './keys.store.ts';

const good: KnownKey = {
  keyId: 'k',
  user: null,
  teamId: 't',
  permission: 'full',
  expiresAtMs: null,
  revoked: false,
  requestsPerSecond: 5,
};
const keyHash = Buffer.alloc(32, 1);

function cacheOver(response: () => Promise<KnownKey | null>) {
  const clock = new FakeClock();
  let requested = 0;
  const cache = createKeyCache(() => {
    requested += 1;
    return response();
  }, clock);
  return { cache, clock, requested: () => requested };
}

describe('the key cache', () => {
  test('reads once for requests that come together and for those shortly after', async () => {
    const { cache, clock, requested } = cacheOver(() => Promise.resolve(good));
    await Promise.all([cache.find(keyHash), cache.find(keyHash)]);
    await clock.advance(800);
    expect(await cache.find(keyHash)).toBe(good);
    expect(requested()).toBe(1);
  });

  test('sees a revoked key within one second', async () => {
    let known: KnownKey = good;
    const { cache, clock } = cacheOver(() => Promise.resolve(known));
    await cache.find(keyHash);
    known = { ...good, revoked: true };
    await clock.advance(1_000);
    expect(await cache.find(keyHash)).toMatchObject({ revoked: true });
  });

  test('does not keep a failure to look up', async () => {
    let broken = true;
    const { cache } = cacheOver(() => (broken ? Promise.reject(new Error('no database')) : Promise.resolve(good)));
    await expect(cache.find(keyHash)).rejects.toThrow('no database');
    broken = false;
    expect(await cache.find(keyHash)).toBe(good);
  });

  test('forgets the oldest when it is full', async () => {
    const { cache, requested } = cacheOver(() => Promise.resolve(null));
    const numbered = (number: number): Buffer => {
      const own = Buffer.alloc(32);
      own.writeUInt32BE(number);
      return own;
    };
    for (let number = 0; number <= 10_000; number += 1) await cache.find(numbered(number));
    const before = requested();
    await cache.find(numbered(10_000));
    expect(requested()).toBe(before);
    await cache.find(numbered(0));
    expect(requested()).toBe(before + 1);
  });
});
