import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fail } from '@rapporteur/failures';
import type { Failure, FailureCode } from '@rapporteur/failures';
import { z } from 'zod';
import { createApp, sendFailures } from './http.ts';
import { createRequestSender } from './internal-request.ts';
import { callerOf } from './internal-auth.ts';
import { jsonBody } from './json-body.ts';
import { createService } from './run-service.ts';
import { Secret } from './secret.ts';

const internalSecret = new Secret('a secret of more than thirty-two characters');
const keeper = createService({ name: 'keeper', logLevel: 'silent', internalSecret });
const requester = createService({ name: 'asker', logLevel: 'silent', internalSecret });
let baseUrl = '';
beforeAll(async () => {
  const app = createApp(keeper);
  app.use(keeper.auth.require(['asker']), jsonBody({ limitBytes: 10_000 }));
  app.all('/told', (request, response) => {
    const { internalRequest } = request.body as { internalRequest: string };
    response.json({ secret: `canary of ${internalRequest}`, method: request.method, teamId: callerOf(request).teamId });
  });
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

const reported = z.object({ secret: z.string(), method: z.string(), teamId: z.string().nullable() });
const sendRequest: ReturnType<typeof createRequestSender> = (internalRequest) =>
  createRequestSender({
    auth: requester.auth,
    service: 'keeper',
    baseUrl,
    unreachable: 'The service does not respond.',
  })(internalRequest);
const body = { internalRequest: 'all' };

describe('a request to another service', () => {
  test('returns its response, and sends for whom it is called', async () => {
    expect(await sendRequest({ path: '/told', body, reply: reported })).toEqual({
      secret: 'canary of all',
      method: 'POST',
      teamId: null,
    });
    expect(await sendRequest({ path: '/told', body, reply: reported, method: 'DELETE', teamId: 'team' })).toMatchObject(
      {
        method: 'DELETE',
        teamId: 'team',
      },
    );
  });

  test.each([
    ['another shape', { path: '/told', reply: z.object({ secret: z.number() }) }, 'in an unknown shape: secret.'],
    ['no JSON', { path: '/page', reply: reported }, 'is not JSON'],
    ['an error', { path: '/nowhere', reply: reported }, 'keeper answered 404 to /nowhere.'],
    ['nothing in time', { path: '/never', reply: reported, timeoutMs: 100 }, 'timeout'],
  ])(
    'that responds with %s is UNAVAILABLE, and no error contains the response',
    async (_what, internalRequest, cause) => {
      const failure = (await sendRequest<unknown>({ ...internalRequest, body }).catch(
        (error: unknown) => error,
      )) as Failure;
      expect(failure).toMatchObject({ code: 'UNAVAILABLE', message: 'The service does not respond.' });
      expect(String(failure.cause)).toContain(cause);
      expect(String(failure.cause)).not.toContain('canary');
    },
  );

  test.each(['BOT_NOT_FOUND', 'BOT_STATUS', 'VALIDATION', 'CREDENTIAL_UNUSABLE'] as const)(
    'that is refused with %s is refused so where refusals pass, and UNAVAILABLE elsewhere',
    async (code) => {
      const target = { auth: requester.auth, service: 'keeper', baseUrl };
      const refusalOf = (passesRefusals: boolean) =>
        createRequestSender({ ...target, passesRefusals })({ path: `/refuses/${code}`, body, reply: reported }).catch(
          (error: unknown) => error,
        );
      expect(await refusalOf(true)).toMatchObject({ code, message: `No such ${code}.` });
      expect(await refusalOf(false)).toMatchObject({ code: 'UNAVAILABLE' });
    },
  );

  test.each(['INTERNAL_TOKEN_REJECTED', 'RATE_LIMITED', 'UNAVAILABLE'] as const)(
    'that fails with %s is UNAVAILABLE also where refusals pass',
    async (code) => {
      const sending = createRequestSender({ auth: requester.auth, service: 'keeper', baseUrl, passesRefusals: true });
      await expect(sending({ path: `/refuses/${code}`, body, reply: reported })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: 'A part of the service is not reachable right now. Try again in a moment.',
      });
    },
  );
});
