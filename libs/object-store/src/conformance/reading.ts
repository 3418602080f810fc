import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { largeBytes, newFolder, text } from './probes.ts';
import type { DriverUnderTest } from './probes.ts';

/** Reading in full, in part, and without success. */
export function describeReading(driver: DriverUnderTest): void {
  const store = () => driver.store();
  describe('reading', () => {
    const content = randomBytes(100_000);
    let key = '';
    beforeAll(async () => {
      key = `${newFolder()}ranged`;
      await store().put(key, content, text);
    });

    test.each([
      [0, 0],
      [0, 99_999],
      [99_999, 99_999],
      [5_000, 70_000],
    ])('gives exactly the bytes %d to %d', async (first, last) => {
      const { info, body } = await store().get(key, { range: { first, last } });
      expect((await buffer(body)).equals(content.subarray(first, last + 1))).toBe(true);
      expect(info.bytes).toBe(100_000);
    });

    test.each([
      [100_000, 100_001],
      [0, 100_000],
      [5, 4],
      [-1, 5],
    ])('refuses the range %d to %d', async (first, last) => {
      await expect(store().get(key, { range: { first, last } })).rejects.toMatchObject({
        code: 'RANGE_NOT_SATISFIABLE',
      });
    });

    test('says when an object is not there', async () => {
      await expect(store().get(`${newFolder()}none`)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
      expect(await store().head(`${newFolder()}none`)).toBeNull();
    });

    test('refuses to go on in an object that was replaced', async () => {
      const changed = `${newFolder()}changed`;
      const { etag } = await store().put(changed, Buffer.from('one'), text);
      expect(String(await buffer((await store().get(changed, { ifEtag: etag })).body))).toBe('one');
      await store().put(changed, Buffer.from('two'), text);
      await expect(store().get(changed, { ifEtag: etag })).rejects.toMatchObject({ code: 'OBJECT_CHANGED' });
    });

    test('ends the stream of a reader who gave up', async () => {
      const large = `${newFolder()}large`;
      await store().put(large, randomBytes(largeBytes), text);
      const reader = new AbortController();
      const { body } = await store().get(large, { signal: reader.signal });
      const ended = buffer(body);
      reader.abort(new Error('gave up'));
      await expect(ended).rejects.toThrow();
      expect(body.destroyed).toBe(true);
    });
  });
}
