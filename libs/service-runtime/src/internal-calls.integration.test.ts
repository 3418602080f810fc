import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fail } from '@rapporteur/failures';
import type { Failure, FailureCode } from '@rapporteur/failures';
import { z } from 'zod';
import { createApp, sendFailures } from './http.ts';
import { createClient, serveCall } from './internal-calls.ts';
import type { InternalCall } from './internal-calls.ts';
import { callerOf, createInternalAuth } from './internal-auth.ts';
import { jsonBody } from './json-body.ts';
import { createService } from './run-service.ts';
import { Secret } from './secret.ts';

const internalSecret = new Secret('a secret of more than thirty-two characters');
const keeper = createService({ name: 'keeper', logLevel: 'silent', internalSecret });
const requester = createService({ name: 'asker', logLevel: 'silent', internalSecret });
const readSecret = {
  path: '/secret',
  callers: ['asker'],
  body: z.object({ internalRequest: z.string() }),
  reply: z.object({ secret: z.string(), caller: z.string() }),
  bodyLimitBytes: 1_000,
};
let baseUrl = '';
beforeAll(async () => {
  const app = createApp(keeper);
  app.use(
    serveCall(keeper.auth, readSecret, async ({ internalRequest }, request) => ({
      secret: `canary of ${internalRequest}`,
      caller: callerOf(request).service,
    })),
  );
  app.use(keeper.auth.require(['asker']), jsonBody({ limitBytes: 10_000 }));
  app.post('/page', (_request, response) => void response.send('<html>canary</html>'));
  app.post('/refuses/:code', ({ params }) => {
    throw fail(params.code as FailureCode, { message: `No such ${params.code}.` });
  });
  app.post('/never', () => undefined);
  app.use(...sendFailures(keeper));
  baseUrl = (await keeper.listen(app, { host: '127.0.0.1', port: 0, drainMs: 0 })).url;
});
afterAll(async () => {
  await requester.stop();
  await keeper.stop();
});

const target = { auth: requester.auth, service: 'keeper', unreachable: 'The service does not respond.' };
const body = { internalRequest: 'all' };
const send = async (call: InternalCall, more: { readonly timeoutMs?: number } = {}): Promise<unknown> =>
  createClient({ call }, { ...target, baseUrl }).call(body, more);

describe('a call of another service', () => {
  test('returns its response', async () => {
    expect(await send(readSecret)).toEqual({ secret: 'canary of all', caller: 'asker' });
  });

  test.each([
    ['a caller that is not listed', 'other', body, 401],
    ['a body that does not fit', 'asker', { internalRequest: 1 }, 400],
    ['a body over the limit', 'asker', { internalRequest: 'x'.repeat(2_000) }, 413],
  ])('refuses %s', async (_what, from, given, status) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) };
    const response = await createInternalAuth(from, internalSecret).fetch('keeper', `${baseUrl}/secret`, init);
    expect(response.status).toBe(status);
    if (status === 400)
      expect((await response.json()) as unknown).toMatchObject({
        message: expect.stringMatching(/^internalRequest: /),
      });
  });

  test.each([
    ['another shape', { ...readSecret, reply: z.object({ secret: z.number() }) }, 'in an unknown shape: secret.'],
    ['no JSON', { ...readSecret, path: '/page' }, 'is not JSON'],
    ['an error', { ...readSecret, path: '/nowhere' }, 'keeper responded with 404 to /nowhere.'],
    ['nothing in time', { ...readSecret, path: '/never', timeoutMs: 100 }, 'timeout'],
  ])('that responds with %s is UNAVAILABLE, and no error contains the response', async (_what, call, cause) => {
    const failure = (await send(call).catch((error: unknown) => error)) as Failure;
    expect(failure).toMatchObject({ code: 'UNAVAILABLE', message: 'The service does not respond.' });
    expect(String(failure.cause)).toContain(cause);
    expect(String(failure.cause)).not.toContain('canary');
  });

  test.each(['BOT_NOT_FOUND', 'BOT_STATUS', 'VALIDATION', 'CREDENTIAL_UNUSABLE'] as const)(
    'that is refused with %s is refused so where refusals pass, and UNAVAILABLE elsewhere',
    async (code) => {
      const refusalOf = (passesRefusals: boolean) =>
        createClient({ refuses: { ...readSecret, path: `/refuses/${code}` } }, { ...target, baseUrl, passesRefusals })
          .refuses(body)
          .catch((error: unknown) => error);
      expect(await refusalOf(true)).toMatchObject({ code, message: `No such ${code}.` });
      expect(await refusalOf(false)).toMatchObject({ code: 'UNAVAILABLE' });
    },
  );

  test.each(['INTERNAL_TOKEN_REJECTED', 'RATE_LIMITED', 'UNAVAILABLE'] as const)(
    'that fails with %s is UNAVAILABLE also where refusals pass',
    async (code) => {
      const calls = { refuses: { ...readSecret, path: `/refuses/${code}` } };
      const { auth, service } = target;
      const client = createClient(calls, { auth, service, baseUrl, passesRefusals: true });
      await expect(client.refuses(body)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: 'A part of the service is not reachable right now. Try again in a moment.',
      });
    },
  );
});
