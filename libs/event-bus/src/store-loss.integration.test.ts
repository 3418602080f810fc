import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineEvent } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { createTestDatabase, startOwnNats, waitFor } from '@rapporteur/testbed';
import type { OwnNats, TestDatabase } from '@rapporteur/testbed';
import { z } from 'zod';
import { connectBus, createInbox, createOutbox } from './index.ts';
import type { Bus, MessageFacts, Outbox } from './index.ts';
import { recordingLogger } from './testing/recording-logger.ts';
import { openServiceDatabase, unsettledIn } from './testing/service-database.ts';

const numbered = defineEvent('bots.v1.numbered', ['listener'], z.object({ number: z.int() }));
const losses = 6;
const eventsPerTransaction = 10;
/** Effects required between two losses: each loss affects a bus that works again. */
const effectsBetweenLosses = 50;

let server: TestDatabase;
let owner: Database;
let listener: Database;
let nats: OwnNats;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await createTestDatabase();
  [owner, listener, nats] = await Promise.all([
    openServiceDatabase(server.url, 'owner'),
    openServiceDatabase(server.url, 'listener'),
    startOwnNats(),
  ]);
});
afterAll(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await owner.close();
  await listener.close();
  await server.drop();
  await nats.remove();
});

type Handle = (message: unknown, facts: MessageFacts) => Promise<void>;

/** The consumer's work: one row per commit, slow enough that every loss interrupts some of it. */
function writeEffects(bus: Bus): Handle {
  const inbox = createInbox({ database: listener, bus, service: 'listener' });
  return inbox.handle(numbered, async (transaction, event) => {
    await transaction.query('insert into effects (event_id, number) values ($1, $2)', [event.id, event.data.number]);
    await sleep(5);
  });
}

async function effects(): Promise<number[]> {
  const rows = await listener.query<{ number: number }>('select number from effects order by number');
  return rows.map(({ number }) => number);
}

async function countEffects(): Promise<number> {
  const [row] = await listener.query<{ count: string }>('select count(*) from effects');
  return Number(row?.count);
}

/** Transactions of several events each, one after the other, until aborted. Returns the number of events. */
async function load(outbox: Outbox, enough: AbortSignal): Promise<number> {
  let number = 0;
  while (!enough.aborted) {
    await owner.transaction(async (transaction) => {
      for (let index = 0; index < eventsPerTransaction; index += 1) {
        await outbox.add(transaction, numbered, { number });
        number += 1;
      }
    });
    outbox.notify();
    await sleep(15);
  }
  return number;
}

describe('deleting the whole JetStream store under load', () => {
  test('loses no effect and doubles none, and every event is settled within 30 s of the last loss', async () => {
    const logger = recordingLogger();
    // Two connections: in production owner and consumer are different processes.
    const [ownersBus, listenersBus] = (await Promise.all(
      ['owner', 'listener'].map((name) => connectBus({ url: nats.url, name, logger })),
    )) as [Bus, Bus];
    stops.push(
      () => ownersBus.close(),
      () => listenersBus.close(),
    );
    await ownersBus.ensureStreams();
    const outbox = createOutbox({ database: owner, bus: ownersBus, service: 'owner', logger });
    outbox.start();
    stops.push(() => outbox.stop());
    const handle = writeEffects(listenersBus);
    const consumer = await listenersBus.consume({ consumer: 'listener', subject: numbered.type, handle });
    stops.push(() => consumer.stop());
    const enough = new AbortController();
    const loading = load(outbox, enough.signal);
    stops.push(async () => {
      enough.abort();
      await loading;
    });

    const unsettledAtLoss: number[] = [];
    for (let loss = 1; loss <= losses; loss += 1) {
      const before = await countEffects();
      await waitFor(async () => (await countEffects()) >= before + effectsBetweenLosses, {
        what: `the bus to work before loss ${loss}`,
      });
      await nats.crash({ wipeStore: true });
      unsettledAtLoss.push(await unsettledIn(owner));
      await nats.restart();
    }
    const lastLossAt = performance.now();
    enough.abort();
    const eventCount = await loading;
    await waitFor(async () => (await unsettledIn(owner)) === 0, {
      what: 'every event to be settled',
    });
    expect(performance.now() - lastLossAt).toBeLessThan(30_000);
    const expected = Array.from({ length: eventCount }, (_, number) => number);
    expect(await effects()).toEqual(expected);
    // Each loss lost a message in transit.
    expect(unsettledAtLoss.every((count) => count > 0)).toBe(true);

    await replayEverything(ownersBus, handle);
    expect(await effects()).toEqual(expected);
    // Longer than the deadlines of its waits together, so that the missed one is reported.
  }, 330_000);
});

/** Simulates a store restored from a backup after the duplicate window: every event is delivered once more. */
async function replayEverything(bus: Bus, handle: Handle): Promise<void> {
  const rows = await owner.query<{ id: string; type: string; data: object; occurred_at: Date }>('select * from outbox');
  let replayed = 0;
  const consumer = await bus.consume({
    consumer: 'listener-after-replay',
    subject: numbered.type,
    handle: async (message, facts) => {
      await handle(message, facts);
      if (facts.outbox === 'replay') replayed += 1;
    },
  });
  stops.push(() => consumer.stop());
  await Promise.all(
    rows.map(({ id, type, data, occurred_at }) =>
      bus.publish(type, { id, type, occurredAt: occurred_at.toISOString(), data }, { outbox: 'replay' }),
    ),
  );
  await waitFor(() => replayed === rows.length, { what: 'every replayed event' });
}
