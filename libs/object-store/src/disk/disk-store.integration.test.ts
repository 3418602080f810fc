import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeObjectStore } from '../conformance/object-store-suite.ts';
import { openDiskStore, verifySignedPath } from '../index.ts';
import type { ObjectStore } from '../index.ts';

const folders: string[] = [];
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'disk-store-'));
  folders.push(folder);
  return folder;
};
const optionsFor = (folder: string) => ({
  folder,
  signedUrlBase: 'http://127.0.0.1:1/artifacts',
  signingSecret: 'disk test secret',
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describeObjectStore('a disk', async () => ({ driver: 'disk', disk: optionsFor(await newFolder()) }));

describe('a folder as object store', () => {
  let folder = '';
  let store: ObjectStore;
  const text = { contentType: 'text/plain' };
  beforeEach(async () => {
    folder = await newFolder();
    store = await openDiskStore(optionsFor(folder));
  });

  test('keeps an object as a plain file under its own key', async () => {
    await store.put('bots/1/audio.flac', Buffer.from('fLaC'), { contentType: 'audio/flac' });
    expect(await readFile(join(folder, 'objects/bots/1/audio.flac'), 'utf8')).toBe('fLaC');
  });

  test('leaves no empty folders after a delete', async () => {
    await store.put('bots/1/segments/1', Buffer.from('x'), text);
    await store.deletePrefix('bots/1/');
    expect(await readdir(join(folder, 'objects'))).toEqual([]);
    expect(await readdir(join(folder, 'descriptions'))).toEqual([]);
  });

  test('keeps putting while the folder around is deleted again and again', async () => {
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([store.put(`deep/er/${round}`, Buffer.from('x'), text), store.delete(`deep/er/${round - 1}`)]);
    }
    expect((await store.list({ prefix: '' })).objects.map(({ key }) => key)).toEqual(['deep/er/19']);
  });

  test('guesses the type of a file that was copied into it', async () => {
    await writeFile(join(folder, 'objects/talk.mp4'), 'copied');
    expect(await store.head('talk.mp4')).toMatchObject({ bytes: 6, contentType: 'video/mp4', sha256: null });
  });

  test('still knows the old object when it was killed between the new description and the new file', async () => {
    const { sha256 } = await store.put('x', Buffer.from('old'), { contentType: 'text/old' });
    const path = join(folder, 'descriptions/x.json');
    const { versions } = JSON.parse(await readFile(path, 'utf8')) as { versions: object[] };
    await writeFile(
      path,
      JSON.stringify({
        versions: [{ bytes: 9, modifiedAtNs: '1', contentType: 'text/new', sha256: 'new' }, ...versions],
      }),
    );
    expect(await store.head('x')).toMatchObject({ contentType: 'text/old', sha256 });
  });

  test('does not follow a symbolic link, whether file or folder, in any method', async () => {
    const outside = await newFolder();
    await writeFile(join(outside, 'secret'), 'secret');
    await mkdir(join(folder, 'objects/bots'));
    await symlink(outside, join(folder, 'objects/bots/linked'));
    await symlink(join(outside, 'secret'), join(folder, 'objects/bots/file'));
    for (const key of ['bots/linked/secret', 'bots/file']) {
      expect(await store.head(key)).toBeNull();
      await expect(store.get(key)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
      await store.delete(key);
    }
    await expect(store.put('bots/linked/new', Buffer.from('x'), text)).rejects.toMatchObject({ code: 'VALIDATION' });
    expect((await store.list({ prefix: '' })).objects).toEqual([]);
    expect(await store.deletePrefix('bots/')).toBe(0);
    // A put replaces the link itself, not its target.
    await store.put('bots/file', Buffer.from('mine'), text);
    expect(await readdir(outside)).toEqual(['secret']);
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
    expect(String(await buffer((await store.get('bots/file')).body))).toBe('mine');
  });

  test('does not wait for ever on a pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'objects/pipe')]);
    expect(await store.head('pipe')).toBeNull();
  });

  test('refuses a key that would be a folder of another object, or the reverse', async () => {
    await store.put('a/b', Buffer.from('x'), text);
    await expect(store.put('a', Buffer.from('x'), text)).rejects.toMatchObject({ code: 'VALIDATION' });
    await expect(store.put('a/b/c', Buffer.from('x'), text)).rejects.toMatchObject({ code: 'VALIDATION' });
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });

  test('signs a URL that its server can verify', async () => {
    const url = new URL(await store.signedGetUrl('bots/1/a b.mp4', { expiresAtMs: 2_000_000 }));
    expect(`${url.origin}${url.pathname}`).toBe('http://127.0.0.1:1/artifacts/bots/1/a%20b.mp4');
    const request = { method: 'GET', encodedKey: url.pathname.slice('/artifacts/'.length), query: url.searchParams };
    expect(verifySignedPath('disk test secret', { ...request, nowMs: 1_999_999 })).toMatchObject({
      key: 'bots/1/a b.mp4',
    });
    expect(() => verifySignedPath('disk test secret', { ...request, nowMs: 2_000_000 })).toThrow('expired');
  });
});
