import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signSdkSignature } from './sdk-signature.ts';

const nowMs = Date.UTC(2026, 10, 21, 12);
const signature = signSdkSignature({ key: 'sdk-key', secret: 'sdk-secret' }, '12345678901', nowMs);
const [head, claims, mark] = signature.split('.') as [string, string, string];
const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

describe('a signature for the SDK', () => {
  test('names the app and one meeting, as a guest, from a little ago for two hours', () => {
    const iat = nowMs / 1_000 - 30;
    expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(read(claims)).toEqual({
      appKey: 'sdk-key',
      sdkKey: 'sdk-key',
      mn: 12_345_678_901,
      role: 0,
      iat,
      exp: iat + 7_200,
      tokenExp: iat + 7_200,
    });
  });

  test('is the HMAC of both parts as they stand, and never holds the secret', () => {
    expect(mark).toBe(createHmac('sha256', 'sdk-secret').update(`${head}.${claims}`).digest('base64url'));
    expect(mark).not.toMatch(/[+/=]/);
    expect(Buffer.from(claims, 'base64url').toString()).not.toContain('sdk-secret');
  });

  test('of another secret is another one', () => {
    expect(signSdkSignature({ key: 'sdk-key', secret: 'other' }, '12345678901', nowMs)).not.toBe(signature);
  });

  test('is made as RFC 7515 (appendix A.1) has it', () => {
    const given =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
    const key = Buffer.from(
      'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
      'base64url',
    );
    expect(createHmac('sha256', key).update(given).digest('base64url')).toBe(
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    );
  });
});
