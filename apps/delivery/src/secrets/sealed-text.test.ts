import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createSealer } from './sealed-text.ts';

const key = randomBytes(32).toString('base64');
const sealer = createSealer(key);
const place = { teamId: 'team-1', recordId: 'endpoint-1', field: 'secret' };

describe('a sealed secret', () => {
  test('opens in its own place and shows nothing of itself', () => {
    const blob = sealer.seal('whsec_canary', place);
    expect(blob.includes(Buffer.from('canary'))).toBe(false);
    expect(sealer.open(blob, place)).toBe('whsec_canary');
    expect(createSealer(key).open(blob, place)).toBe('whsec_canary');
  });

  test('never has the same bytes twice', () => {
    expect(sealer.seal('same', place).equals(sealer.seal('same', place))).toBe(false);
  });

  test.each([
    ['another team', { ...place, teamId: 'team-2' }],
    ['another record', { ...place, recordId: 'endpoint-2' }],
    ['another field', { ...place, field: 'previous_secret' }],
    [
      'a place whose parts only join to the same text',
      { teamId: 'team-1","endpoint-1', recordId: '', field: 'secret' },
    ],
  ])('does not open for %s', (_what, elsewhere) => {
    expect(() => sealer.open(sealer.seal('whsec_canary', place), elsewhere)).toThrow();
  });

  test('does not open after any byte was changed or cut off', () => {
    const blob = sealer.seal('whsec_canary', place);
    for (let index = 0; index < blob.byteLength; index += 1) {
      const changed = Buffer.from(blob);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.open(changed, place)).toThrow();
      expect(() => sealer.open(blob.subarray(0, index), place)).toThrow();
    }
  });

  test('does not open under another key, and the error says what to check', () => {
    const other = createSealer(randomBytes(32).toString('base64'));
    expect(() => other.open(sealer.seal('whsec_canary', place), place)).toThrow(
      'is the secret key of this service the right one?',
    );
  });

  test.each(['', 'short', randomBytes(31).toString('base64'), randomBytes(33).toString('base64')])(
    'refuses a key that is not 32 bytes, without showing it',
    (wrong) => {
      expect(() => createSealer(wrong)).toThrow('must be 32 random bytes');
    },
  );
});
