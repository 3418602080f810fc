import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { keysOf, newFolder, chunks, read, sha256Of, sweep } from './probes.ts';
import type { DriverUnderTest } from './probes.ts';

const mebibyte = 1024 * 1024;
const type = { contentType: 'video/mp4' };
/**
 * For an upload that has ended. Small: a store may respond and close the connection while a large body is still being
 * sent.
 */
const late = Buffer.from('too late');

const put = async (
  driver: DriverUnderTest,
  [key, upload]: readonly [string, string],
  part: number | 'head' | 'tail',
  content: Buffer,
) => driver.store().uploadPart(key, upload, part, { body: chunks(content), sha256: sha256Of(content) });

/** Multipart uploads, whose head comes last. */
export function describeMultipart(driver: DriverUnderTest): void {
  const store = () => driver.store();
  describe('an object that grows', () => {
    test.each([
      ['of whole blocks', 6 * mebibyte],
      ['of any length', 6 * mebibyte + 123],
    ])(
      'is there when its head, %s, has come, and not before; the same part may come again',
      async (_what, headBytes) => {
        const prefix = newFolder();
        const key = `${prefix}video.mp4`;
        const [head, one, two, tail] = [headBytes, 5 * mebibyte, 6 * mebibyte + 7, 1_000].map((size) =>
          randomBytes(size),
        ) as [Buffer, Buffer, Buffer, Buffer];
        const upload = await store().createMultipart(key, type);
        await put(driver, [key, upload], 1, one);
        await put(driver, [key, upload], 1, one);
        await put(driver, [key, upload], 2, two);
        await put(driver, [key, upload], 'tail', tail);
        await expect(store().completeMultipart(key, upload, { parts: 2, tail: true })).rejects.toMatchObject({
          code: 'VALIDATION',
        });
        await put(driver, [key, upload], 'head', randomBytes(headBytes));
        await put(driver, [key, upload], 'head', head);
        expect(await store().head(key)).toBeNull();
        const whole = Buffer.concat([head, one, two, tail]);
        const info = await store().completeMultipart(key, upload, { parts: 2, tail: true });
        expect(info).toMatchObject({ key, bytes: whole.length, contentType: 'video/mp4', sha256: null });
        expect((await read(store(), key)).equals(whole)).toBe(true);
        expect(await store().head(key)).toMatchObject({ bytes: whole.length, etag: info.etag });
        await expect(put(driver, [key, upload], 3, late)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
        expect(await sweep(store())).toBe(0);
      },
    );

    test('can be a head alone', async () => {
      const key = `${newFolder()}small`;
      const upload = await store().createMultipart(key, type);
      await put(driver, [key, upload], 'head', Buffer.from('small'));
      await store().completeMultipart(key, upload, { parts: 0, tail: false });
      expect(String(await read(store(), key))).toBe('small');
    });
  });
}

/** Uploads that are never completed. */
export function describeMultipartRefusals(driver: DriverUnderTest): void {
  const store = () => driver.store();
  const leavesNothing = async (prefix: string) => {
    expect(await keysOf(store(), prefix)).toEqual([]);
    expect(await sweep(store())).toBe(0);
  };
  describe('an object that grows in vain', () => {
    test('is not there when the guard holds it back, when a part is missing, damaged or too short, or when it is dropped', async () => {
      const prefix = newFolder();
      const key = `${prefix}x`;
      const content = randomBytes(5 * mebibyte);
      const guarded = await store().createMultipart(key, type);
      await put(driver, [key, guarded], 'head', content);
      const guard = () => Promise.reject(new Error('a newer writer took over'));
      await expect(store().completeMultipart(key, guarded, { parts: 0, tail: false, guard })).rejects.toThrow(
        'newer writer',
      );
      await expect(put(driver, [key, guarded], 1, late)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });

      const upload = await store().createMultipart(key, type);
      const damaged = { body: content, sha256: '0'.repeat(64) };
      await expect(store().uploadPart(key, upload, 1, damaged)).rejects.toMatchObject({
        code: 'OBJECT_DIGEST_MISMATCH',
      });
      await put(driver, [key, upload], 'head', content.subarray(1));
      await put(driver, [key, upload], 1, content);
      for (const parts of [1, 2]) {
        await expect(store().completeMultipart(key, upload, { parts, tail: false })).rejects.toMatchObject({
          code: 'VALIDATION',
        });
      }
      await store().abortMultipart(key, upload);
      await store().abortMultipart(key, upload);
      await leavesNothing(prefix);
    });

    test('is neither written, completed nor ended under another key, and ends with its prefix', async () => {
      const [mine, theirs] = [newFolder(), newFolder()];
      const upload = await store().createMultipart(`${theirs}x`, type);
      await put(driver, [`${theirs}x`, upload], 'head', late);
      const missing = { code: 'OBJECT_NOT_FOUND' };
      await expect(put(driver, [`${mine}x`, upload], 'head', late)).rejects.toMatchObject(missing);
      await expect(store().completeMultipart(`${mine}x`, upload, { parts: 0, tail: false })).rejects.toMatchObject(
        missing,
      );
      await store().abortMultipart(`${mine}x`, upload);
      await store().deletePrefix(mine);
      await put(driver, [`${theirs}x`, upload], 'head', late);
      await store().deletePrefix(theirs);
      await expect(put(driver, [`${theirs}x`, upload], 'head', late)).rejects.toMatchObject(missing);
      await leavesNothing(theirs);
    });

    test('is swept when nothing came to it for long enough', async () => {
      const prefix = newFolder();
      const upload = await store().createMultipart(`${prefix}x`, type);
      await put(driver, [`${prefix}x`, upload], 1, randomBytes(5 * mebibyte));
      expect(await sweep(store(), 3_600_000)).toBe(0);
      expect(await sweep(store())).toBe(1);
      await expect(store().completeMultipart(`${prefix}x`, upload, { parts: 1, tail: false })).rejects.toMatchObject({
        code: 'OBJECT_NOT_FOUND',
      });
      await leavesNothing(prefix);
    });
  });
}
