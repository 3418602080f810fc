import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { redeemTicket, TicketRefused } from './redeem-ticket.ts';

let server: Receiver;
afterEach(() => server.close());

/** A scheduler that is unreachable at first, and its received requests. */
async function failingScheduler(failures: number, status = 503) {
  server = await startReceiver((_call, response, count) => response.writeHead(count > failures ? 410 : status).end());
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const redeemed = redeemTicket({ schedulerUrl: server.url, ticket: 'a ticket', clock, signal }).catch(
    (error: unknown) => error,
  );
  return { clock, redeemed };
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
  const { clock, redeemed } = await failingScheduler(8);
  expect(await advanceUntil(clock, redeemed)).toBeInstanceOf(TicketRefused);
  const runners = server.calls.map(({ body }) => (JSON.parse(String(body)) as { runner: string }).runner);
  expect(runners).toHaveLength(9);
  expect(new Set(runners).size).toBe(1);
});

test('a scheduler that stays away for longer than a ticket is good is given up', async () => {
  const { clock, redeemed } = await failingScheduler(Infinity);
  expect(await advanceUntil(clock, redeemed)).toMatchObject({ message: expect.stringMatching(/gave no invocation/) });
});

test('addresses of the cluster replace those of the document', async () => {
  const file = new URL('../../../../libs/contracts/examples/bot-invocation.v1/attend.json', import.meta.url);
  const document = readFileSync(file, 'utf8');
  server = await startReceiver((_call, response) => response.end(document));
  const options = { ticket: 'a ticket', clock: new FakeClock(), signal: new AbortController().signal };
  const redeem = (addresses: { busUrl?: string; storageUrl?: string }) =>
    redeemTicket({ schedulerUrl: server.url, ...options, ...addresses });
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
  server = await startReceiver((_call, response) => void setTimeout(() => response.writeHead(410).end(), 400));
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const options = { schedulerUrl: server.url, ticket: 'a ticket', clock, signal, responseTimeoutMs: 250 };
  const redeemed = redeemTicket(options).catch((error: unknown) => error);
  expect(await advanceUntil(clock, redeemed)).toBeInstanceOf(TicketRefused);
});
