import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { Failure } from '@rapporteur/failures';
import express from 'express';
import type { ErrorRequestHandler } from 'express';
import { meetSsoRoutes } from './meet-sso.routes.ts';

const onError: ErrorRequestHandler = (error, _request, response, _next) =>
  void response.status(error instanceof Failure ? error.statusCode : 500).end();

test.each(
  ['HEAD', 'POST', 'PUT', 'OPTIONS'].flatMap((method) => ['sign-in', 'sign-out'].map((page) => [method, page])),
)('%s /v2/meet-sso/%s uses up no ticket and ends no session', async (method, page) => {
  const forwarded: unknown[] = [];
  const forwards = async (body: unknown) => Promise.reject(new Error(String(forwarded.push(body))));
  const app = express()
    .use(meetSsoRoutes({ signIn: forwards, signOut: forwards }))
    .use(onError);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method, path: `/v2/meet-sso/${page}`, headers: { cookie: 'rapporteur_sign_in=t' } });
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  response.resume();
  server.close();
  expect(forwarded).toEqual([]);
  expect(response.statusCode).toBe(405);
  expect([response.headers.allow, response.headers['set-cookie']]).toEqual(['GET', undefined]);
});
