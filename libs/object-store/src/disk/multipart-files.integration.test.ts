import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { multipartPartBytesMin } from '../store.ts';
import { MultipartFiles } from './multipart-files.ts';
import type { InsertRange } from './multipart-files.ts';

const chunk = (fill: number) => {
  const body = Buffer.alloc(multipartPartBytesMin, fill);
  return { body, sha256: createHash('sha256').update(body).digest('hex') };
};

describe('an object that grew, where room in front cannot be made in time', () => {
  let root = '';
  beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'multipart-files-'))));
  afterEach(async () => await rm(root, { recursive: true, force: true }));

  async function joined(insertRange: InsertRange) {
    const files = new MultipartFiles(root, insertRange);
    const name = { key: 'video.mp4', upload: await files.start('video.mp4', 'video/mp4') };
    await files.put(name, 1, chunk(2));
    await files.put(name, 'head', chunk(1));
    return await files.join(name, { parts: 1, tail: false });
  }

  test('is copied when nothing was moved', async () => {
    const { path } = await joined(() => Promise.reject(new Error('not supported')));
    const whole = await readFile(path);
    expect([whole.length, whole.at(0), whole.at(-1)]).toEqual([2 * multipartPartBytesMin, 1, 2]);
  });

  test('is refused when its body moved all the same', async () => {
    const stoppedTooLate: InsertRange = async (path, bytes) => {
      await writeFile(path, Buffer.concat([Buffer.alloc(bytes), await readFile(path)]));
      throw new Error('stopped after 60 s');
    };
    await expect(joined(stoppedTooLate)).rejects.toThrow('was stopped when it had begun');
  });
});
