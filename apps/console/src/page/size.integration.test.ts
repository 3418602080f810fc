import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packApp } from '@rapporteur/packer';
import { readPageFiles } from '../static-files/page-files.ts';

const root = join(import.meta.dirname, '../../../..');
const budgetBytes = 150_000;
let folder = '';

beforeAll(async () => {
  folder = join(dirname(await packApp(root, 'console')), 'public');
}, 60_000);
let empty = '';
afterAll(() => rm(empty, { recursive: true, force: true }));

test('the first load of the page is at most 150 kB compressed', async () => {
  const { assets, html } = readPageFiles(folder);
  const total = [...assets.values()].reduce((sum, { gzip }) => sum + (gzip?.byteLength ?? Infinity), html.length);
  expect(total).toBeLessThanOrEqual(budgetBytes);
  expect(assets.size).toBe(2);
});

test('the page holds no address of another origin and no text that becomes HTML', async () => {
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  expect(texts.join('\n')).not.toMatch(/url\(|@import|\beval\(|new Function\(/);
  const { html } = readPageFiles(folder);
  expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|https?:/);
});

test('a server without its page does not start, and states why', async () => {
  empty = await mkdtemp(join(tmpdir(), 'console-page-'));
  expect(() => readPageFiles(empty)).toThrow(/page is not built: .*page\.json is missing/);
});
