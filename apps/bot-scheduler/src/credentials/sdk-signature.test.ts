import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signSdkSignature } from './sdk-signature.ts';

const nowMs = Date.UTC(2026, 10, 21, 12);
const signature = await signSdkSignature({ key: 'sdk-key', secret: 'sdk-secret' }, '12345678901', nowMs);
const [head, claims, mark] = signature.split('.') as [string, string, string];
const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

describe('a signature for the SDK', () => {
  test('names the app and one meeting, as a guest, from a little ago for the 48 hours in which its bot may rejoin', () => {
    const iat = nowMs / 1_000 - 30;
    expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(read(claims)).toEqual({
      appKey: 'sdk-key',
      sdkKey: 'sdk-key',
      mn: 12_345_678_901,
      role: 0,
      iat,
      exp: iat + 172_800,
      tokenExp: iat + 172_800,
    });
  });

  test('is the HMAC of both parts unchanged, and never holds the secret', () => {
    expect(mark).toBe(createHmac('sha256', 'sdk-secret').update(`${head}.${claims}`).digest('base64url'));
    expect(mark).not.toMatch(/[+/=]/);
    expect(Buffer.from(claims, 'base64url').toString()).not.toContain('sdk-secret');
  });

  test('of another secret is another one', async () => {
    expect(await signSdkSignature({ key: 'sdk-key', secret: 'other' }, '12345678901', nowMs)).not.toBe(signature);
  });
});
