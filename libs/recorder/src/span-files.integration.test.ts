import { expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSpans } from './span-files.ts';

test('one file may be written by two at once: each leaves it whole, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spans-'));
  const path = join(folder, 'file');
  const spans = Array.from({ length: 200 }, () => ({ bytes: Buffer.alloc(1_000, 'a') }));
  try {
    await Promise.all(Array.from({ length: 4 }, () => writeSpans(path, spans)));
    expect(await readFile(path)).toEqual(Buffer.alloc(200_000, 'a'));
    expect(await readdir(folder)).toEqual(['file']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
