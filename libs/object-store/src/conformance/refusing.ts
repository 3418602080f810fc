import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { keysOf, largeBytes, newFolder, chunks, read, sha256Of, sweep, text } from './probes.ts';
import type { DriverUnderTest } from './probes.ts';

/** A failed put leaves nothing. */
export function describeRefusing(driver: DriverUnderTest): void {
  const store = () => driver.store();
  const leavesNothing = async (prefix: string) => {
    expect(await keysOf(store(), prefix)).toEqual([]);
    expect(await sweep(store())).toBe(0);
  };
  describe('refusing to store', () => {
    test.each([
      ['in one piece', 1_000],
      ['in parts', largeBytes],
    ])('stores nothing of a body %s with another hash than announced', async (_how, bytes) => {
      const prefix = newFolder();
      const put = store().put(`${prefix}x`, chunks(randomBytes(bytes)), { ...text, sha256: '0'.repeat(64) });
      await expect(put).rejects.toMatchObject({ code: 'OBJECT_DIGEST_MISMATCH' });
      await leavesNothing(prefix);
    });

    test.each([
      ['in one piece', 1_000],
      ['in parts', largeBytes],
    ])('stores nothing of a body %s over the size limit, and takes one of exactly the limit', async (_how, bytes) => {
      const prefix = newFolder();
      const put = store().put(`${prefix}x`, chunks(randomBytes(bytes)), { ...text, maxBytes: bytes - 1 });
      await expect(put).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
      await leavesNothing(prefix);
      await store().put(`${prefix}x`, chunks(randomBytes(bytes)), { ...text, maxBytes: bytes });
      expect(await keysOf(store(), prefix)).toEqual([`${prefix}x`]);
    });

    test.each([
      ['at once', 0],
      ['in the middle', 12 * 1024 * 1024],
    ])('stores nothing when the body breaks off %s, and keeps what was there before', async (_when, bytes) => {
      const prefix = newFolder();
      await store().put(`${prefix}x`, Buffer.from('before'), text);
      async function* breaking(): AsyncGenerator<Uint8Array> {
        yield* chunks(randomBytes(bytes));
        throw new Error('the sender is gone');
      }
      await expect(store().put(`${prefix}x`, breaking(), text)).rejects.toThrow('the sender is gone');
      expect(String(await read(store(), `${prefix}x`))).toBe('before');
      expect(await sweep(store())).toBe(0);
    });

    test('stores nothing when the put is aborted while its body is silent', async () => {
      const prefix = newFolder();
      const abort = new AbortController();
      async function* silent(): AsyncGenerator<Uint8Array> {
        yield* chunks(randomBytes(9 * 1024 * 1024));
        queueMicrotask(() => abort.abort(new Error('stopped')));
        await new Promise(() => undefined);
      }
      await expect(store().put(`${prefix}x`, silent(), { ...text, signal: abort.signal })).rejects.toThrow('stopped');
      await leavesNothing(prefix);
    });
  });
}

/**
 * A refused put stores nothing.
 *
 * @param isAtomic false for a store whose check of a condition and write are two steps
 */
export function describeConditions(driver: DriverUnderTest, isAtomic: boolean): void {
  const store = () => driver.store();
  const leavesNothing = async (prefix: string) => {
    expect(await keysOf(store(), prefix)).toEqual([]);
    expect(await sweep(store())).toBe(0);
  };
  describe('storing under a condition', () => {
    test.each([
      ['in one piece', 1_000],
      ['in parts', largeBytes],
    ])('stores nothing of a complete body %s that the guard holds back', async (_how, bytes) => {
      const prefix = newFolder();
      let seenByGuard: string[] | null = null;
      const guard = async (): Promise<void> => {
        seenByGuard = await keysOf(store(), prefix);
        throw new Error('a newer writer took over');
      };
      await expect(store().put(`${prefix}x`, chunks(randomBytes(bytes)), { ...text, guard })).rejects.toThrow(
        'newer writer',
      );
      expect(seenByGuard).toEqual([]);
      await leavesNothing(prefix);
    });

    test(`creates an object once, however many try ${isAtomic ? 'at the same time' : 'one after another'}`, async () => {
      const key = `${newFolder()}once`;
      const results: unknown[] = [];
      const tries = Array.from(
        { length: 8 },
        (_none, index) => () =>
          store()
            .put(key, Buffer.from(`writer ${index}`), { ...text, ifAbsent: true })
            .then(
              () => index,
              (error: { code: string }) => error.code,
            )
            .then((result) => results.push(result)),
      );
      if (isAtomic) await Promise.all(tries.map((attempt) => attempt()));
      else for (const attempt of tries) await attempt();
      const winners = results.filter((result) => typeof result === 'number');
      expect(winners).toHaveLength(1);
      expect(results.filter((result) => result === 'OBJECT_ALREADY_EXISTS')).toHaveLength(7);
      expect(String(await read(store(), key))).toBe(`writer ${winners[0]}`);
      expect((await store().head(key))?.sha256).toBe(sha256Of(Buffer.from(`writer ${winners[0]}`)));
    });

    test('does not create an object in parts over one that is there', async () => {
      const key = `${newFolder()}once`;
      await store().put(key, Buffer.from('first'), text);
      const put = store().put(key, chunks(randomBytes(largeBytes)), { ...text, ifAbsent: true });
      await expect(put).rejects.toMatchObject({ code: 'OBJECT_ALREADY_EXISTS' });
      expect(String(await read(store(), key))).toBe('first');
      expect(await sweep(store())).toBe(0);
    });
  });
}

/** A put whose process was killed. */
export function describeKilledPut(driver: DriverUnderTest): void {
  const store = () => driver.store();
  const leavesNothing = async (prefix: string) => {
    expect(await keysOf(store(), prefix)).toEqual([]);
    expect(await sweep(store())).toBe(0);
  };
  describe('a put that was killed', () => {
    test('shows nothing of a put whose process was killed, and the sweep removes what it left', async () => {
      const prefix = newFolder();
      const program = join(import.meta.dirname, 'endless-put.ts');
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', program, JSON.stringify(driver.options()), `${prefix}x`],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      await once(child.stdout, 'data');
      const ended = once(child, 'exit');
      expect(await sweep(store(), 3_600_000)).toBe(0);
      child.kill('SIGKILL');
      await ended;
      expect(await store().head(`${prefix}x`)).toBeNull();
      expect(await keysOf(store(), prefix)).toEqual([]);
      expect(await sweep(store())).toBe(1);
      await leavesNothing(prefix);
    });
  });
}
