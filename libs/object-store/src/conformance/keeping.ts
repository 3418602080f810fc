import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { keysOf, largeBytes, newFolder, chunks, read, sha256Of, text } from './probes.ts';
import type { DriverUnderTest } from './probes.ts';

/** Bodies of every size and form are returned unchanged. */
export function describeKeeping(driver: DriverUnderTest): void {
  const store = () => driver.store();
  describe('keeping objects', () => {
    test.each([
      ['an empty Buffer', Buffer.alloc(0), (content: Buffer) => content],
      ['a small Buffer', Buffer.from('hello'), (content: Buffer) => content],
      ['a stream', randomBytes(500_001), (content: Buffer) => chunks(content)],
      ['a stream of exactly one part', randomBytes(8 * 1024 * 1024), (content: Buffer) => chunks(content)],
      ['a stream of several parts', randomBytes(largeBytes), (content: Buffer) => chunks(content)],
    ])('gives back %s with its size, type and hash', async (_what, content, bodyOf) => {
      const key = `${newFolder()}object.bin`;
      const sha256 = sha256Of(content);
      const put = await store().put(key, bodyOf(content), { contentType: 'audio/flac', sha256 });
      const head = await store().head(key);
      expect(head).toMatchObject({ key, bytes: content.byteLength, contentType: 'audio/flac', sha256 });
      expect(put).toMatchObject({
        key,
        bytes: content.byteLength,
        contentType: 'audio/flac',
        sha256,
        etag: head?.etag,
      });
      expect(head?.etag).toMatch(/^"[^"]+"$/);
      expect(Math.abs((head?.modifiedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
      expect((await read(store(), key)).equals(content)).toBe(true);
    });

    test('takes a file from the disk', async () => {
      const place = await mkdtemp(join(tmpdir(), 'object-store-'));
      const content = randomBytes(largeBytes);
      await writeFile(join(place, 'video.mp4'), content);
      const key = `${newFolder()}video.mp4`;
      await store().put(key, createReadStream(join(place, 'video.mp4')), {
        contentType: 'video/mp4',
        sha256: sha256Of(content),
      });
      expect((await read(store(), key)).equals(content)).toBe(true);
      await rm(place, { recursive: true });
    });

    test('replaces an object, its type and its etag', async () => {
      const key = `${newFolder()}manifest.json`;
      const before = await store().put(key, Buffer.from('one'), text);
      const after = await store().put(key, Buffer.from('two'), { contentType: 'application/json' });
      expect(after.etag).not.toBe(before.etag);
      expect(await store().head(key)).toMatchObject({ contentType: 'application/json', etag: after.etag });
      expect(String(await read(store(), key))).toBe('two');
    });
  });
}

/** A replacement is never partially visible. */
export function describeReplacing(driver: DriverUnderTest): void {
  const store = () => driver.store();
  describe('replacing objects', () => {
    test('shows a reader one version or the other, never a mixture, while the object is replaced', async () => {
      const key = `${newFolder()}changing`;
      const versions = ['a', 'b'].map((letter) => Buffer.alloc(300_000, letter));
      await store().put(key, versions[0] ?? Buffer.alloc(0), text);
      let writing = true;
      const writer = (async () => {
        for (let round = 1; round <= 15; round += 1)
          await store().put(key, versions[round % 2] ?? Buffer.alloc(0), text);
        writing = false;
      })();
      while (writing) {
        const { info, body } = await store().get(key);
        const content = await buffer(body);
        expect(versions.some((version) => version.equals(content))).toBe(true);
        expect(info.sha256).toBe(sha256Of(content));
      }
      await writer;
    });
  });
}

/** Allowed names of objects. */
export function describeKeys(driver: DriverUnderTest): void {
  const store = () => driver.store();
  describe('naming objects', () => {
    test.each([
      'plain',
      'a b',
      'ünïcode/日本語/😀.json',
      'quotes\'"(1)*!',
      'percent%2F..%2e',
      'plus+and&equals=;?#',
      '...',
      '.hidden',
      'a..b/c',
      'x'.repeat(240),
      Array.from({ length: 8 }, () => 'y'.repeat(100)).join('/'),
    ])('keeps the key %j as it is', async (name_) => {
      const key = newFolder() + name_;
      await store().put(key, Buffer.from(name_), text);
      expect(await keysOf(store(), key.slice(0, 42))).toEqual([key]);
      expect(String(await read(store(), key))).toBe(name_);
    });

    test.each([
      '',
      '/',
      '/absolute',
      'trailing/',
      'a//b',
      '../up',
      'a/../b',
      'a/..',
      './a',
      'a/.',
      'line\nbreak',
      'nul\0byte',
      'del\u007f',
      'back\\slash',
      '\ud800',
      'x'.repeat(241),
      `${'é'.repeat(120)}x`,
      Array.from({ length: 11 }, () => 'y'.repeat(100)).join('/'),
    ])('refuses the key %j in every method', async (key) => {
      const refused = { code: 'VALIDATION' };
      await expect(store().put(key, Buffer.from('x'), text)).rejects.toMatchObject(refused);
      await expect(store().get(key)).rejects.toMatchObject(refused);
      await expect(store().head(key)).rejects.toMatchObject(refused);
      await expect(store().delete(key)).rejects.toMatchObject(refused);
      await expect(store().deletePrefix(`${key}/`)).rejects.toMatchObject(refused);
      await expect(
        (async () => store().signedGetUrl(key, { expiresAtMs: Date.now() + 60_000 }))(),
      ).rejects.toMatchObject(refused);
    });
  });
}
