import { describe, expect, test } from '@jest/globals';
import { fail } from '@rapporteur/failures';
import { refusalIn, storeRefusal } from './store-refusal.ts';

const s3Error = (status: number, name: string, message: string) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });

describe('what a store stated about a refusal', () => {
  test('is status, code and its own sentence', () => {
    const cause = s3Error(403, 'AccessDenied', 'User: arn:aws:iam::1:user/bot is not authorized');
    const words = 'HTTP 403, AccessDenied: User: arn:aws:iam::1:user/bot is not authorized';
    expect(storeRefusal(cause)).toBe(words);
    expect(storeRefusal(fail('UNAVAILABLE', { cause }))).toBe(words);
  });

  test.each([
    ['of a response without a body', s3Error(403, 'UnknownError', 'UnknownError'), 'HTTP 403'],
    ['of a response with a status as its code', s3Error(403, '403', 'UnknownError'), 'HTTP 403'],
    [
      'of a code of a key service',
      s3Error(400, 'KMS.DisabledException', 'The key is disabled.'),
      'HTTP 400, KMS.DisabledException: The key is disabled.',
    ],
    [
      'of Azure Blob',
      Object.assign(new Error('Immutable.\nRequestId:1'), {
        name: 'RestError',
        statusCode: 409,
        code: 'BlobImmutableDueToPolicy',
      }),
      'HTTP 409, BlobImmutableDueToPolicy: Immutable. RequestId:1',
    ],
  ])('%s has nothing invented', (_what, error, words) => {
    expect(storeRefusal(error)).toBe(words);
  });

  test('is null for an error that is no response', () => {
    for (const error of [new Error('x'), null, 'x', fail('OBJECT_NOT_FOUND')]) expect(storeRefusal(error)).toBeNull();
  });

  test('is bounded, on one line and without invisible characters', () => {
    const words = storeRefusal(s3Error(400, 'InvalidRequest', `one\n\u202etwo\u0000 ${'x'.repeat(100_000)}`)) ?? '';
    expect(words).toMatch(/^HTTP 400, InvalidRequest: one two x+…$/);
    expect(words.length).toBeLessThan(340);
  });

  test('is read from the body of a response to a signed request', () => {
    const body = Buffer.from(
      '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>&lt;no&gt; &amp; never</Message></Error>',
    );
    expect(refusalIn(403, body)).toBe('HTTP 403, AccessDenied: <no> & never');
    expect(refusalIn(502, Buffer.from('<html>Bad gateway</html>'))).toBe('HTTP 502');
    expect(refusalIn(403, Buffer.from(`<Error><Message>${'<'.repeat(1_000_000)}`))).toBe('HTTP 403');
  });
});
