import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { waitFor } from '@rapporteur/testbed';
import express from 'express';
import type { RedeemDependencies } from './redeem-ticket.ts';
import { ticketRoutes } from './ticket.routes.ts';

test('a burst of tickets is redeemed in parts, and requests whose clients have gone are left out', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let begun = 0;
  const query = async (): Promise<never> => {
    begun += 1;
    await released;
    throw fail('TICKET_GONE');
  };
  const dependencies = { database: { query }, now: () => 0 } as unknown as RedeemDependencies;
  const server = express().use(ticketRoutes(dependencies)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${internalRoutes.redeemTicket}`;
  const clients = new AbortController();
  const redeem = (signal: AbortSignal | null) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket: 'a ticket of some length', runner: randomUUID() }),
      signal,
    });
  const all = Promise.allSettled(Array.from({ length: 40 }, () => redeem(clients.signal)));
  const openConnections = promisify(server.getConnections.bind(server));
  await waitFor(async () => begun === 32 && (await openConnections()) === 40, {
    what: 'the requests to arrive',
  });
  clients.abort();
  await all;
  await waitFor(async () => (await openConnections()) === 0, { what: 'the clients to be gone' });
  release();
  await redeem(null);
  expect(begun).toBe(33);
  server.closeAllConnections();
  server.close();
});
