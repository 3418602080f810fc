import { beforeAll, describe, expect, test } from '@jest/globals';
import { keysOf, newFolder, text } from './probes.ts';
import type { DriverUnderTest } from './probes.ts';

/** Order, pages and prefixes. */
export function describeListing(driver: DriverUnderTest): void {
  const store = () => driver.store();
  describe('listing', () => {
    const names = ['a', 'a-b/1', 'a.b', 'b/1', 'b/10', 'b/2/x', 'b/2.x', 'b0', 'c/é', 'c/😀', 'c/\uffee'];
    const inOrder = (keys: readonly string[]) =>
      driver.options().driver === 'azure'
        ? [...keys].sort()
        : [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    let prefix = '';
    beforeAll(async () => {
      prefix = newFolder();
      for (const name_ of names) await store().put(prefix + name_, Buffer.from(name_), text);
    });

    test('lists keys in the order of their bytes, with sizes', async () => {
      const { objects, cursor } = await store().list({ prefix });
      expect(objects.map((object) => object.key)).toEqual(inOrder(names.map((name_) => prefix + name_)));
      expect(objects.map((object) => object.bytes)).toEqual(
        objects.map(({ key }) => Buffer.byteLength(key.slice(prefix.length))),
      );
      expect(cursor).toBeNull();
    });

    test.each([1, 2, 3, 10, 11])('lists every key once in pages of %d', async (limit) => {
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await store().list({ prefix, limit, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.objects.length).toBeLessThanOrEqual(limit);
        found.push(...page.objects.map((object) => object.key));
        ({ cursor } = page);
      }
      expect(found).toEqual(inOrder(names.map((name_) => prefix + name_)));
    });

    test.each(['b', 'b/', 'b/1', 'b/2', 'a', 'a/', 'c/', 'nothing'])('lists what starts with %j', async (start) => {
      const expected = inOrder(names.filter((name_) => name_.startsWith(start)).map((name_) => prefix + name_));
      expect(await keysOf(store(), prefix + start)).toEqual(expected);
    });
  });
}

/** One object, and complete folders. */
export function describeDeleting(driver: DriverUnderTest): void {
  const store = () => driver.store();
  describe('deleting', () => {
    test('deletes one object, and again without complaint', async () => {
      const own = newFolder();
      await store().put(`${own}sub/x`, Buffer.from('x'), text);
      await store().put(`${own}sub/y`, Buffer.from('y'), text);
      await store().delete(`${own}sub/x`);
      await store().delete(`${own}sub/x`);
      expect(await keysOf(store(), own)).toEqual([`${own}sub/y`]);
      await expect(store().get(`${own}sub/x`)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    });

    test('deletes a folder of any size and nothing beside it', async () => {
      const own = newFolder();
      const many = Array.from({ length: 1_050 }, (_none, index) => `${own}bot-1/${index}`);
      for (let start = 0; start < many.length; start += 50) {
        await Promise.all(many.slice(start, start + 50).map((key) => store().put(key, Buffer.from('x'), text)));
      }
      await store().put(`${own}bot-10/x`, Buffer.from('x'), text);
      expect(await store().deletePrefix(`${own}bot-1/`)).toBe(1_050);
      expect(await store().deletePrefix(`${own}bot-1/`)).toBe(0);
      expect(await keysOf(store(), own)).toEqual([`${own}bot-10/x`]);
    });
  });
}
