import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { redeemTicket, TicketRefused } from './redeem-ticket.ts';

let server: Server;
afterEach(() => {
  server.close();
});

/** A scheduler that is unreachable at first, and its received requests. */
async function failingScheduler(failures: number, status = 503) {
  const requests: { ticket: string; runner: string }[] = [];
  server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => requests.push(JSON.parse(String(chunk)) as (typeof requests)[number]));
    request.on('end', () => response.writeHead(requests.length > failures ? 410 : status).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const redeemed = redeemTicket({ schedulerUrl: `http://127.0.0.1:${port}`, ticket: 'a ticket', clock, signal }).catch(
    (error: unknown) => error,
  );
  return { clock, requests, redeemed };
}

/** Advances the time when the pause before the next attempt has begun. */
async function advanceUntil(clock: FakeClock, done: Promise<unknown>): Promise<unknown> {
  let over = false;
  void done.then(() => (over = true));
  while (!over) {
    if (clock.sleeping > 0) await clock.advance(3_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

test('a redeem without a response is repeated under the same name until the scheduler decides', async () => {
  const { clock, requests, redeemed } = await failingScheduler(8);
  expect(await advanceUntil(clock, redeemed)).toBeInstanceOf(TicketRefused);
  expect(requests).toHaveLength(9);
  expect(new Set(requests.map(({ runner }) => runner)).size).toBe(1);
});

test('a scheduler that stays away for longer than a ticket is good is given up', async () => {
  const { clock, redeemed } = await failingScheduler(Infinity);
  expect(await advanceUntil(clock, redeemed)).toMatchObject({ message: expect.stringMatching(/gave no invocation/) });
});

test('addresses of the cluster replace those of the document', async () => {
  const file = new URL('../../../../libs/contracts/examples/bot-invocation.v1/attend.json', import.meta.url);
  const document = readFileSync(file, 'utf8');
  server = createServer((_request, response) => response.end(document)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { ticket: 'a ticket', clock: new FakeClock(), signal: new AbortController().signal };
  const redeem = (addresses: { busUrl?: string; storageUrl?: string }) =>
    redeemTicket({ schedulerUrl: `http://127.0.0.1:${port}`, ...options, ...addresses });
  const { bus, storage } = await redeem({});
  expect(await redeem({ busUrl: 'tls://bus.example:4222' })).toMatchObject({
    bus: { ...bus, url: 'tls://bus.example:4222' },
    storage,
  });
  expect(await redeem({ storageUrl: 'https://files.example' })).toMatchObject({
    bus,
    storage: { ...storage, url: 'https://files.example' },
  });
});

test('a scheduler that is slower than the first timeout is given longer', async () => {
  server = createServer((_request, response) => {
    setTimeout(() => response.writeHead(410).end(), 400);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = new FakeClock();
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  const schedulerUrl = `http://127.0.0.1:${port}`;
  const options = { schedulerUrl, ticket: 'a ticket', clock, signal, responseTimeoutMs: 250 };
  const redeemed = redeemTicket(options).catch((error: unknown) => error);
  expect(await advanceUntil(clock, redeemed)).toBeInstanceOf(TicketRefused);
});
