import { describe, expect, test } from '@jest/globals';
import { asFailure, callerFailureOf, catalogue, fail, toEnvelope } from './index.ts';

describe('the failure catalogue', () => {
  test('is in alphabetical order, so that two people adding a code meet in one place', () => {
    const codes = Object.keys(catalogue);
    expect(codes).toEqual([...codes].sort());
  });

  test.each(Object.entries(catalogue))(
    '%s has a status, a wire code and a sentence that a person can act on',
    (_code, entry) => {
      expect(entry.status).toBeGreaterThanOrEqual(400);
      expect(entry.status).toBeLessThan(600);
      expect(entry.wireCode).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(entry.sentence).toMatch(/^(Forbidden|[A-Z].*\.)$/);
      expect(entry.fault === 'caller').toBe(entry.status < 500);
    },
  );

  test('the envelope carries what specification 7.1 names', () => {
    expect(toEnvelope(fail('RATE_LIMITED', { retryAfterSeconds: 1 }))).toEqual({
      success: false,
      error: 'Rate Limited',
      code: 'FST_ERR_TOO_MANY_REQUESTS',
      statusCode: 429,
      message: 'Too many requests in this second for this team.',
      details: null,
      retryAfter: 1,
    });
  });

  test('the validation variant has no details', () => {
    expect(toEnvelope(fail('VALIDATION', { details: 'body' }))).not.toHaveProperty('details');
  });

  test('a key without permission gets exactly the body of specification 5.4', () => {
    expect(JSON.stringify(toEnvelope(fail('FORBIDDEN')))).toBe(
      '{"success":false,"error":"Forbidden","code":"FST_ERR_FORBIDDEN","statusCode":403,"message":"Forbidden"}',
    );
  });

  test("a caller's failure is read back from its envelope, one of the service is not", () => {
    for (const code of Object.keys(catalogue) as (keyof typeof catalogue)[]) {
      const read = callerFailureOf(toEnvelope(fail(code, { message: 'Why.' })));
      expect(read).toEqual(catalogue[code].fault === 'caller' ? fail(code, { message: 'Why.' }) : null);
    }
    for (const body of [null, 'no', {}, { code: 'FST_ERR_UNHEARD' }, { code: 5 }])
      expect(callerFailureOf(body)).toBe(null);
  });

  test('an unknown error leaves as a bland 500 with the request id and nothing of its own text', () => {
    const failure = asFailure(new Error('relation "bots" does not exist at 10.0.0.3'), 'req-1');
    expect(JSON.stringify(toEnvelope(failure))).not.toContain('relation');
    expect(failure.details).toBe('request id req-1');
    expect((failure.cause as Error).message).toContain('relation');
  });
});
