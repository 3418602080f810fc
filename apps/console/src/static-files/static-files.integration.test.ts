import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConsole, smallPage } from '../testing/console-under-test.ts';
import type { ConsoleUnderTest } from '../testing/console-under-test.ts';

let server: ConsoleUnderTest;

beforeAll(async () => {
  server = await startConsole({ apiUrl: 'http://127.0.0.1:1' });
});
afterAll(() => server?.stop());

describe('the page', () => {
  test.each(['/console', '/console/bots/1', '/console/webhooks'])('is at %s, under a strict policy', async (path) => {
    const response = await fetch(`${server.url}${path}`);
    expect(await response.text()).toBe(smallPage.html);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const again = await fetch(`${server.url}${path}`, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test('is where the root of the address leads', async () => {
    const response = await fetch(server.url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console']);
  });
});

describe('a file of the page', () => {
  test('is kept for good, and compressed for who takes it', async () => {
    const url = `${server.url}/console/assets/page-A1.js`;
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect([await plain.text(), plain.headers.get('cache-control')]).toEqual([
      'plain',
      'public, max-age=31536000, immutable',
    ]);
    const head = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    expect(head.headers.get('content-encoding')).toBe('gzip');
  });

  test.each(['/console/assets/page.json', '/console/assets/..%2fmain.js'])('is nothing else: %s', async (path) => {
    expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });
});
