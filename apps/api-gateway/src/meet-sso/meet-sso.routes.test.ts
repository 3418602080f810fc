import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { signInTicketCookie } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import express from 'express';
import type { ErrorRequestHandler } from 'express';
import { meetSsoRoutes } from './meet-sso.routes.ts';

const onError: ErrorRequestHandler = (error, _request, response, _next) =>
  void response.status(error instanceof Failure ? error.statusCode : 500).end();

async function respond(method: string, path: string) {
  const forwarded: unknown[] = [];
  const forwards = async (body: unknown) => Promise.reject(new Error(String(forwarded.push(body))));
  const app = express()
    .use(meetSsoRoutes({ signIn: forwards, signOut: forwards }))
    .use(onError);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method, path, headers: { cookie: `${signInTicketCookie}=t` } });
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  response.resume();
  server.close();
  return { forwarded, response };
}

test.each(
  ['HEAD', 'POST', 'PUT', 'OPTIONS'].flatMap((method) => ['sign-in', 'sign-out'].map((page) => [method, page])),
)('%s /v2/meet-sso/%s uses up no ticket and ends no session', async (method, page) => {
  const { forwarded, response } = await respond(method, `/v2/meet-sso/${page}`);
  expect(forwarded).toEqual([]);
  expect(response.statusCode).toBe(405);
  expect([response.headers.allow, response.headers['set-cookie']]).toEqual(['GET', undefined]);
});

test.each(['SAMLRequest', 'RelayState'])('a repeated %s is refused, not dropped', async (name) => {
  const { forwarded, response } = await respond('GET', `/v2/meet-sso/sign-in?${name}=a&${name}=b`);
  expect([response.statusCode, forwarded]).toEqual([400, []]);
});

test('a RelayState of any length is forwarded, so that sso-idp refuses it', async () => {
  const relayState = 'r'.repeat(12_000);
  const { forwarded } = await respond('GET', `/v2/meet-sso/sign-in?RelayState=${relayState}`);
  expect(forwarded).toEqual([{ samlRequest: null, relayState, ticket: 't' }]);
});
