import { describe, expect, test } from '@jest/globals';
import { createApiKey, hashOfApiKey } from './api-key.ts';

describe('an API key', () => {
  test('states whose it is, carries 32 random characters and ends with a checksum', () => {
    const keys = Array.from({ length: 200 }, () => createApiKey());
    for (const key of keys) expect(key.text).toMatch(/^rap_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    expect(new Set(keys.map((key) => key.text)).size).toBe(keys.length);
  });

  test('is kept as a hash and recognised by its first eight characters', () => {
    const { text, hash, start } = createApiKey();
    expect(hash).toHaveLength(32);
    expect(hashOfApiKey(text)).toEqual(hash);
    expect(start).toBe(text.slice(0, 8));
  });

  test('with any one character changed is rejected without a query', () => {
    const { text } = createApiKey();
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'a' ? 'b' : 'a';
      expect(hashOfApiKey(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
    }
  });

  test.each([
    '',
    'rap_',
    'sk_live_abc',
    `${createApiKey().text} `,
    createApiKey().text.slice(0, -1),
    '\0',
    'x'.repeat(10_000),
  ])('is not %j', (text) => {
    expect(hashOfApiKey(text)).toBeNull();
  });
});
