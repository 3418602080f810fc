import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { GrantRefused } from './grant-store.ts';
import type { GrantStore, PutObject } from './grant-store.ts';
import { UploadQueue } from './upload-queue.ts';

const object = (key: string): PutObject => ({ key, content: { bytes: Buffer.from(key) }, contentType: 'text/plain' });

function setUp(put: (key: string, attempt: number) => Error | null, longest?: number) {
  const clock = new FakeClock();
  const puts: string[] = [];
  const store: GrantStore = {
    put: async ({ key }) => {
      puts.push(key);
      const error = put(key, puts.filter((other) => other === key).length);
      if (error !== null) throw error;
      return { bytes: key.length, sha256: key };
    },
    get: async () => null,
    list: async () => [],
    release: async () => undefined,
  };
  const queue = new UploadQueue({ store, clock, logger: quietLogger, ...(longest === undefined ? {} : { longest }) });
  return { clock, puts, queue };
}

describe('UploadQueue', () => {
  test('uploads in order, one after the other, and says what is stored', async () => {
    const { puts, queue } = setUp(() => null);
    const receipts = await Promise.all(['a', 'b', 'c'].map((key) => queue.add(object(key))));
    expect(puts).toEqual(['a', 'b', 'c']);
    expect(receipts[2]).toEqual({ bytes: 1, sha256: 'c' });
  });

  test('tries again with growing pauses until it is stored', async () => {
    const { clock, puts, queue } = setUp((_key, attempt) => (attempt < 4 ? new Error('away') : null));
    const stored = queue.add(object('a'));
    await clock.advance(0);
    await clock.advance(499);
    expect(puts).toHaveLength(1);
    await clock.advance(1);
    expect(puts).toHaveLength(2);
    await clock.advance(1_000);
    expect(puts).toHaveLength(3);
    await clock.advance(2_000);
    expect(await stored).toMatchObject({ sha256: 'a' });
  });

  test('a refused grant ends all uploading', async () => {
    const { puts, queue } = setUp(() => new GrantRefused('fenced'));
    expect(await Promise.all([queue.add(object('a')), queue.add(object('b'))])).toEqual([null, null]);
    expect(await queue.add(object('c'))).toBeNull();
    expect(puts).toEqual(['a']);
  });

  test('too much waiting gives up the oldest that waits, and goes on', async () => {
    const { clock, queue } = setUp((_key, attempt) => (attempt === 1 ? new Error('away') : null), 2);
    const [first, second, third] = [queue.add(object('a')), queue.add(object('b')), queue.add(object('c'))];
    expect(await second).toBeNull();
    await clock.advance(0);
    await clock.advance(1_000);
    await clock.advance(1_000);
    expect((await first)?.sha256).toBe('a');
    expect((await third)?.sha256).toBe('c');
  });

  test('closing gives up what waits and what is being tried', async () => {
    const { clock, queue } = setUp(() => new Error('away'));
    const waiting = [queue.add(object('a')), queue.add(object('b'))];
    await clock.advance(100);
    await queue.close();
    expect(await Promise.all(waiting)).toEqual([null, null]);
    expect(await queue.add(object('c'))).toBeNull();
  });

  test('draining says whether everything was stored in time', async () => {
    const { clock, queue } = setUp((_key, attempt) => (attempt < 3 ? new Error('away') : null));
    void queue.add(object('a'));
    const tooSoon = queue.drain(300);
    await clock.advance(0);
    await clock.advance(400);
    expect(await tooSoon).toBe(false);
    const inTime = queue.drain(5_000);
    await clock.advance(5_000);
    expect(await inTime).toBe(true);
  });
});
