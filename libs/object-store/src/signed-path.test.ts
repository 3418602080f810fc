import { describe, expect, test } from '@jest/globals';
import { contentDisposition, decodeKey, encodeKey, signPath, verifySignedPath } from './index.ts';

const secret = 'a signing secret';
const nowMs = Date.UTC(2026, 0, 1);
const key = 'bots/b1/vidéo 1.mp4';

function requestOf(path: string, method = 'GET') {
  const [encodedKey = '', query = ''] = path.split('?');
  return { method, encodedKey, query: new URLSearchParams(query), nowMs };
}

describe('a signed path', () => {
  const options = { expiresAtMs: nowMs + 60_999 };
  const path = signPath(secret, key, options);

  test('gives back what was signed, with the expiry in whole seconds', () => {
    const named = signPath(secret, key, { ...options, downloadName: 'a&b.mp4', contentType: 'video/mp4' });
    expect(verifySignedPath(secret, requestOf(named))).toEqual({
      key,
      expiresAtMs: nowMs + 60_000,
      downloadName: 'a&b.mp4',
      contentType: 'video/mp4',
    });
    expect(verifySignedPath(secret, requestOf(path, 'HEAD'))).toMatchObject({ key, downloadName: null });
  });

  test.each([
    ['another key', path.replace('b1', 'b2')],
    ['a later expiry', path.replace(/expires=\d+/, `expires=${nowMs / 1_000 + 9_999}`)],
    ['an expiry that is no number', path.replace(/expires=\d+/, 'expires=1e99')],
    ['no expiry', path.replace(/expires=\d+&/, '')],
    ['no signature', path.replace(/&signature=.*/, '')],
    ['an empty signature', path.replace(/signature=.*/, 'signature=')],
    [
      'a signature with another first character',
      path.replace(/signature=(.)/, (_all, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
    ],
    ['a shorter signature', path.slice(0, -4)],
    ['an added file name', `${path}&name=evil.html`],
    ['an added type', `${path}&type=text/html`],
    ['a second expiry', `${path}&expires=99999999999`],
    ['a way up', path.replace('b1/', 'b1/../b1/')],
    ['an encoded way up', path.replace('b1/', 'b1/%2e%2e/b1/')],
    ['an encoded slash', path.replace('b1/', 'b1%2f')],
    ['a leading slash', `/${path}`],
    ['bad percent-encoding', path.replace('b1', '%E0%A4%A')],
    ['no key at all', path.replace(/^[^?]*/, '')],
  ])('is refused with %s', (_what, changed) => {
    expect(() => verifySignedPath(secret, requestOf(changed))).toThrow(
      expect.objectContaining({ code: 'SIGNED_URL_REJECTED' }),
    );
  });

  test.each(['PUT', 'POST', 'DELETE', 'PATCH', 'get'])('is refused for %s', (method) => {
    expect(() => verifySignedPath(secret, requestOf(path, method))).toThrow('not valid');
  });

  test('is refused with another secret, and from the second of its expiry on', () => {
    expect(() => verifySignedPath('another secret', requestOf(path))).toThrow('not valid');
    expect(() => verifySignedPath(secret, { ...requestOf(path), nowMs: nowMs + 60_000 })).toThrow('has expired');
    expect(verifySignedPath(secret, { ...requestOf(path), nowMs: nowMs + 59_999 }).key).toBe(key);
  });
});

describe('a key in a URL', () => {
  test.each(['a/b', 'a b/ü', '100%', 'a%2Fb', '?#&=+', '😀'])('comes back as it was: %j', (sample) => {
    expect(decodeKey(encodeKey(sample))).toBe(sample);
    expect(new URL(`http://x/${encodeKey(sample)}`).pathname).toBe(`/${encodeKey(sample)}`);
  });
});

test.each([
  ['video.mp4', 'inline; filename="video.mp4"'],
  ['a"b\\c%.mp4', `inline; filename="a_b_c_.mp4"; filename*=UTF-8''a%22b%5Cc%25.mp4`],
  ['日本(1).mp4', `inline; filename="__(1).mp4"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%281%29.mp4`],
  ['x\r\nset-cookie: a', `inline; filename="x__set-cookie: a"; filename*=UTF-8''x%0D%0Aset-cookie%3A%20a`],
])('names the file %j for every browser', (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});
