import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createSecretBox } from './secret-box.ts';

const key = (): string => randomBytes(32).toString('base64');
const place = { teamId: 'team', recordId: 'record', field: 'api_key' };

describe('a secret box', () => {
  test('gives back what was sealed, of any length', () => {
    const box = createSecretBox({ current: key() });
    for (const text of ['', 'a', 'ключ 🔑', 'x'.repeat(20_000)])
      expect(box.open(box.seal(text, place), place)).toBe(text);
  });

  test('never seals the same text to the same bytes, and shows none of it', () => {
    const box = createSecretBox({ current: key() });
    const blobs = Array.from({ length: 200 }, () => box.seal('the canary', place));
    expect(new Set(blobs.map((blob) => blob.toString('hex'))).size).toBe(200);
    for (const blob of blobs) expect(blob.includes('canary')).toBe(false);
  });

  test.each([
    { ...place, teamId: 'another' },
    { ...place, recordId: 'another' },
    { ...place, field: 'another' },
  ])('opens nowhere but where it was sealed: %j', (elsewhere) => {
    const box = createSecretBox({ current: key() });
    expect(() => box.open(box.seal('secret', place), elsewhere)).toThrow();
  });

  test('notices every single changed byte, and every cut', () => {
    const box = createSecretBox({ current: key() });
    const blob = box.seal('secret', place);
    for (let at = 0; at < blob.byteLength; at += 1) {
      const changed = Buffer.from(blob);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(changed, place)).toThrow();
      expect(() => box.open(blob.subarray(0, at), place)).toThrow();
    }
  });

  test('the wrapped key of one blob does not open the text of another', () => {
    const box = createSecretBox({ current: key() });
    const [one, other] = [box.seal('one', place), box.seal('other', place)];
    expect(() => box.open(Buffer.concat([one.subarray(0, 69), other.subarray(69)]), place)).toThrow();
  });

  test('changes its key without losing a secret, and can then do without the old one', () => {
    const [old, young] = [key(), key()];
    const blob = createSecretBox({ current: old }).seal('secret', place);
    const both = createSecretBox({ current: young, former: [old] });
    expect(both.needsRewrap(blob)).toBe(true);
    expect(both.open(blob, place)).toBe('secret');
    const rewrapped = both.rewrap(blob, place);
    expect(both.needsRewrap(rewrapped)).toBe(false);
    expect(createSecretBox({ current: young }).open(rewrapped, place)).toBe('secret');
    expect(() => createSecretBox({ current: young }).open(blob, place)).toThrow('another key');
  });

  test('refuses a key of the wrong size without showing it', () => {
    expect(() => createSecretBox({ current: 'c2hvcnQ=' })).toThrow('32 random bytes');
    expect(() => createSecretBox({ current: key(), former: ['c2hvcnQ='] })).toThrow('32 random bytes');
  });
});
