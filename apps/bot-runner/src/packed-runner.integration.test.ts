import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { packApp } from '@rapporteur/packer';

const root = join(import.meta.dirname, '../../..');
let packed: string;

beforeAll(async () => {
  packed = await packApp(root, 'bot-runner');
}, 300_000);

describe('a packed runner', () => {
  test('is made once for the same sources, and reads none of them', async () => {
    const madeAt = (await stat(packed)).mtimeMs;
    expect(await packApp(root, 'bot-runner')).toBe(packed);
    expect((await stat(packed)).mtimeMs).toBe(madeAt);
    const names = (await readdir(dirname(packed))).filter((name) => name.endsWith('.js'));
    for (const name of names) {
      expect(await readFile(join(dirname(packed), name), 'utf8')).not.toMatch(/new URL\(\s*['"]\.[^'"]*\.page\.ts/);
    }
  });
});
