import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { fail } from '@rapporteur/failures';
import { callerOf, createApp, createLogger, createService, jsonBody, Secret, sendFailures } from './index.ts';

const secret = new Secret('a secret of more than thirty-two characters');
const lines: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const service = createService({ name: 'owner', internalSecret: secret, logger: createLogger('owner', 'info', sink) });
const gateway = createService({ name: 'api-gateway', internalSecret: secret, logLevel: 'silent' });
const stranger = createService({ name: 'api-gateway', internalSecret: new Secret('x'.repeat(40)), logLevel: 'silent' });
let url = '';

beforeAll(async () => {
  const app = createApp(service);
  app.post('/echo', jsonBody({ limitBytes: 100 }), (received, response) => void response.json(received.body));
  app.post('/hasty', jsonBody({ limitBytes: 10, deadlineMs: 200 }), (_request, response) => void response.end());
  app.get('/broken', () => {
    throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
  });
  app.get('/busy', () => {
    throw fail('RATE_LIMITED', { retryAfterSeconds: 1 });
  });
  app.get(
    '/internal',
    service.auth.require(['api-gateway']),
    (received, response) => void response.json(callerOf(received)),
  );
  app.use(...sendFailures(service));
  ({ url } = await service.listen(app, { host: '127.0.0.1', port: 0 }));
});
afterAll(async () => {
  await Promise.all([service.stop(), gateway.stop(), stranger.stop()]);
});

describe('a service over HTTP', () => {
  test('responds to an unknown error with a generic 500 whose request id is in the log beside the cause', async () => {
    const { text, body, headers } = await request(url).get('/broken').expect(500);
    expect(text).not.toContain('10.0.0.7');
    const requestId = String(headers['x-request-id']);
    expect(body).toMatchObject({ details: `request id ${requestId}` });
    expect(lines.find((line) => line.includes(requestId))).toContain('ECONNREFUSED');
  });

  test.each([
    ['bad JSON', '{"a":', 'application/json', 400, 'FST_ERR_VALIDATION'],
    ['a body over the limit', JSON.stringify('x'.repeat(200)), 'application/json', 413, 'FST_ERR_CTP_BODY_TOO_LARGE'],
  ])('responds to %s with the envelope', async (_what, body, type, status, code) => {
    const response = await request(url).post('/echo').type(type).send(body).expect(status);
    expect(response.body).toMatchObject({ success: false, code, statusCode: status });
  });

  test('responds to an unknown path and a path that is not valid text with the envelope', async () => {
    await request(url).get('/nothing').expect(404);
    const odd = await request(url).get('/%E0%A4%A');
    expect(odd.status).toBeLessThan(500);
    expect(odd.body).toMatchObject({ success: false });
  });

  test('states in Retry-After when to retry', async () => {
    const response = await request(url).get('/busy').expect('retry-after', '1');
    expect(response.body).toMatchObject({ retryAfter: 1 });
  });

  test.each([
    ['/broken', 500, 'error'],
    ['/busy', 429, 'info'],
    ['/nothing', 404, 'info'],
  ])('logs the response to %s, %i, at level %s', async (path, status, level) => {
    const { headers } = await request(url).get(path).expect(status);
    const requestId = headers['x-request-id'] as string;
    const written = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    // The line of the response is written when its connection has finished it.
    const line = () => written().find((one) => one['requestId'] === requestId && one['status'] === status);
    const untilMs = Date.now() + 60_000;
    while (line() === undefined && Date.now() < untilMs) await nextTurn();
    expect(line()).toMatchObject({ level });
  });

  test('shows its metrics by route pattern', async () => {
    const { text } = await request(url).get('/metrics');
    expect(text).toMatch(/duration_seconds_count\{.*route="\/broken",status="500"/);
  });
});

/** Sends a text unchanged; returns all that is received until the server ends the connection. */
const raw = async (text: string): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(text);
  let reply = '';
  for await (const chunk of socket) reply += String(chunk);
  return reply;
};

describe('a body that never ends', () => {
  const head = 'POST /hasty HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';

  test.each([
    ['of an announced length', `${head}content-length: 9\r\n\r\n{`],
    ['in chunks', `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
    ['and is too large', `${head}content-length: 11\r\n\r\n{`],
  ])('%s gets REQUEST_TIMEOUT, and its connection ends', async (_what, text) => {
    const reply = await raw(text);
    expect(reply).toMatch(/^HTTP\/1.1 408 [^]*connection: close/i);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n{')))).toMatchObject({
      success: false,
      code: 'FST_ERR_REQUEST_TIMEOUT',
      statusCode: 408,
    });
  });
});

describe('what is no HTTP request', () => {
  test.each([
    [
      'headers beyond 16 KiB',
      `GET / HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'FST_ERR_HEADERS',
    ],
    ['nonsense', 'nonsense\r\n\r\n', 400, 'FST_ERR_VALIDATION'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400, 'FST_ERR'],
  ])('%s gets a response in the envelope, with a request id', async (_what, text, status, code) => {
    const reply = await raw(text);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*x-request-id: [0-9a-f-]{36}\r\n\r\n`));
    expect(JSON.parse(reply.slice(reply.indexOf('{')))).toMatchObject({
      success: false,
      statusCode: status,
      code: expect.stringContaining(code),
    });
  });
});

describe('an internal token', () => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'api-gateway', aud: 'owner', iat: now, exp: now + 30, team: 'team-1' };
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = (header: unknown, body: unknown, key = secret.reveal()) => {
    const signed = `${encoded(header)}.${encoded(body)}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  };
  const alg = { alg: 'HS256' };
  const status = async (token: string) => (await request(url).get('/internal').auth(token, { type: 'bearer' })).status;

  test('is a plain JSON Web Token', async () => {
    expect(await status(forged(alg, claims))).toBe(200);
  });

  test.each([
    ['that has expired', forged(alg, { ...claims, exp: now - 60 })],
    ['that never expires', forged(alg, { ...claims, exp: undefined })],
    ['of no algorithm', `${encoded({ alg: 'none' })}.${encoded(claims)}.`],
    ['of another algorithm', forged({ alg: 'HS512' }, claims)],
    ['signed with another key', forged(alg, claims, 'x'.repeat(40))],
    ['whose claims were changed', forged(alg, claims).replace(/\..*\./, `.${encoded({ ...claims, team: 'team-2' })}.`)],
    ['with one part too many', `${forged(alg, claims)}.x`],
    ['without a signature', forged(alg, claims).replace(/[^.]*$/, '')],
    ['for another audience', forged(alg, { ...claims, aud: 'delivery' })],
    ['from another issuer', forged(alg, { ...claims, iss: 'delivery' })],
    ['without an issuer', forged(alg, { ...claims, iss: undefined })],
    ['that is no token', 'x'],
  ])('%s is refused', async (_what, token) => {
    expect(await status(token)).toBe(401);
  });
});

describe('an internal route', () => {
  test('lets the named service in and knows for whom it calls', async () => {
    const response = await gateway.auth.fetch('owner', `${url}/internal`, {
      teamId: 'team-1',
      permission: 'full',
      requestId: 'r-1',
    });
    expect(response.headers.get('x-request-id')).toBe('r-1');
    expect(await response.json()).toEqual({
      service: 'api-gateway',
      teamId: 'team-1',
      permission: 'full',
      keyId: null,
      requestId: 'r-1',
      user: null,
    });
  });

  test.each([
    ['no token', async () => request(url).get('/internal')],
    ['a token for another service', () => gateway.auth.fetch('delivery', `${url}/internal`)],
    ['a token signed with another secret', () => stranger.auth.fetch('owner', `${url}/internal`)],
    ['a token of a service that is not named', () => service.auth.fetch('owner', `${url}/internal`)],
  ])('refuses %s', async (_what, call) => {
    expect((await call()).status).toBe(401);
  });
});

describe('a service process', () => {
  const folder = mkdtempSync(join(import.meta.dirname, '..', '.process-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const entry = join(folder, 'main.ts');
  writeFileSync(
    entry,
    `import { runService, integer } from '../src/index.ts';
     await runService({ name: 'probe', config: { port: integer(0, 65535) }, start: async (service) => {
       service.onStop('first opened', () => console.log('closed first opened'));
       service.onStop('second opened', () => console.log('closed second opened'));
       setInterval(() => undefined, 1000);
     } });`,
  );
  const run = (environment: Record<string, string>, ...args: string[]) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
      env: { PATH: '/usr/bin', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += String(chunk)));
    child.stderr?.on('data', (chunk: Buffer) => (output += String(chunk)));
    return { child, text: () => output };
  };

  test('stops with exit code 78 and a plain sentence on a setting it does not know', async () => {
    const { child, text } = run({ RAPPORTEUR_PORT: '0', RAPPORTEUR_PROT: '1' });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(78);
    expect(text()).toContain(
      'probe does not start. The configuration does not fit:\n- RAPPORTEUR_PROT is not a setting',
    );
  });

  test.each([
    ['fits', { RAPPORTEUR_PORT: '0' }, 0, ''],
    ['does not fit', { RAPPORTEUR_PORT: 'zero' }, 78, 'RAPPORTEUR_PORT has a value that does not fit'],
  ])('only checks a configuration that %s when requested', async (_how, environment, wanted, said) => {
    const { child, text } = run(environment, 'check-configuration');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(wanted);
    expect(text()).toContain(said);
    expect(text()).not.toContain('opened');
  });

  test('without a schema cannot migrate one', async () => {
    const { child, text } = run({ RAPPORTEUR_DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'migrate');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(text()).toContain('it has no schema');
  });

  test.each(['SIGTERM', 'disconnect'])('closes what it opened in reverse order on %s', async (how) => {
    const { child, text } = run({ RAPPORTEUR_PORT: '0' });
    await once(child, 'message');
    if (how === 'disconnect') child.disconnect();
    else child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
    expect(text()).toMatch(/closed second opened[\s\S]*closed first opened/);
  });
});
