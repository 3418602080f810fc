import { randomUUID } from 'node:crypto';
import { context, trace } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { defineEvent } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { isUniqueViolation } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { createMetrics, startTracing } from '@rapporteur/service-runtime';
import { createTestDatabase, testNats, waitFor } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { z } from 'zod';
import { connectBus, createInbox, createOutbox, insertOutboxRowsSql, outboxRow } from './index.ts';
import type { Bus, Outbox } from './index.ts';
import { recordingLogger } from './testing/recording-logger.ts';
import { openServiceDatabase, unsettledIn } from './testing/service-database.ts';

const shape = z.object({ number: z.int() });
const oneListener = defineEvent('bots.v1.numbered', ['listener'], shape);
const twoListeners = defineEvent('bots.v1.shared', ['listener', 'archive'], shape);
const nobodyListens = defineEvent('bots.v1.unheard', [], shape);

let server: TestDatabase;
let owner: Database;
let listener: Database;
let bus: Bus;
let logger: ReturnType<typeof recordingLogger>;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await createTestDatabase();
  owner = await openServiceDatabase(server.url, 'owner');
  listener = await openServiceDatabase(server.url, 'listener');
});
afterAll(async () => {
  await owner.close();
  await listener.close();
  await server.drop();
});
beforeEach(async () => {
  await owner.query('truncate outbox, inbox, effects');
  await listener.query('truncate outbox, inbox, effects');
  logger = recordingLogger();
  bus = await connectBus({ url: testNats().url, name: 'outbox test', logger });
  await bus.ensureStreams();
  stops.push(() => bus.close());
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

function startOutbox(settings: Partial<Parameters<typeof createOutbox>[0]> = {}): Outbox {
  const outbox = createOutbox({ database: owner, bus, service: 'owner', logger, ...settings });
  outbox.start();
  stops.push(() => outbox.stop());
  return outbox;
}

/** Writes each event's number once per time that its work commits. */
async function startListener(definition = oneListener, service = 'listener', work = noteEffect): Promise<void> {
  const inbox = createInbox({ database: listener, bus, service });
  const consumer = await bus.consume({
    consumer: service,
    subject: definition.type,
    handle: inbox.handle(definition, (transaction, event) => work(transaction, event)),
  });
  stops.push(() => consumer.stop());
}

async function noteEffect(
  transaction: { query(sql: string, parameters: unknown[]): Promise<unknown> },
  event: { id: string; data: { number: number } },
): Promise<void> {
  await transaction.query('insert into effects (event_id, number) values ($1, $2)', [event.id, event.data.number]);
}

async function effects(): Promise<number[]> {
  const rows = await listener.query<{ number: number }>('select number from effects order by number');
  return rows.map((row) => row.number);
}

const settled = (timeoutMs = 10_000) =>
  waitFor(async () => (await unsettledIn(owner)) === 0, { what: 'every event to be settled', timeoutMs });

describe('an outbox', () => {
  test('lets an event out only when its transaction commits, and settles it once it was handled', async () => {
    const outbox = startOutbox();
    await startListener();
    await expect(
      owner.transaction(async (transaction) => {
        await outbox.add(transaction, oneListener, { number: 13 });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await owner.transaction((transaction) => outbox.add(transaction, oneListener, { number: 7 }));
    outbox.ring();
    await settled();
    expect(await effects()).toEqual([7]);
  });

  test('refuses data that does not fit, data too large for the bus, and an id used before', async () => {
    const outbox = startOutbox();
    await expect(outbox.add(owner, oneListener, { number: 0.5 })).rejects.toThrow(/expected int/);
    const anything = defineEvent('bots.v1.large', ['listener'], z.object({ text: z.string() }));
    await expect(outbox.add(owner, anything, { text: 'x'.repeat(1_000_001) })).rejects.toThrow(/too large for the bus/);
    const id = await outbox.add(owner, nobodyListens, { number: 1 }, randomUUID());
    const second = await outbox.add(owner, nobodyListens, { number: 2 }, id).catch((error: unknown) => error);
    expect(isUniqueViolation(second)).toBe(true);
  });

  test('takes rows that another statement writes, and treats them as its own', async () => {
    const outbox = startOutbox();
    await startListener(twoListeners, 'listener');
    await startListener(twoListeners, 'archive');
    const [added, written] = [randomUUID(), randomUUID()];
    const sql = `with other_work as (select 1) ${insertOutboxRowsSql('$1::jsonb')}`;
    await owner.transaction(async (transaction) => {
      await outbox.add(transaction, twoListeners, { number: 1 }, added);
      await transaction.query(sql, [JSON.stringify([outboxRow(twoListeners, { number: 1 }, written)])]);
    });
    const [one, other] = await owner.query('select * from outbox order by position');
    expect({ ...other, id: one?.['id'], position: one?.['position'] }).toEqual(one);
    expect(one).toMatchObject({ id: added, data: { number: 1 }, consumers: ['listener', 'archive'], settled_by: [] });
    expect(other).toMatchObject({ id: written });
    expect(() => outboxRow(oneListener, { number: 0.5 })).toThrow(/expected int/);
    outbox.ring();
    await settled();
    expect(await effects()).toEqual([1, 1, 1, 1]);
  });

  test('publishes in the order in which events were added', async () => {
    const outbox = startOutbox();
    const heard: number[] = [];
    const consumer = await bus.consume({
      consumer: 'order',
      subject: oneListener.type,
      concurrency: 1,
      handle: async (message) => void heard.push((message as { data: { number: number } }).data.number),
    });
    stops.push(() => consumer.stop());
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    await owner.transaction(async (transaction) => {
      for (const number of numbers) await outbox.add(transaction, oneListener, { number });
    });
    outbox.ring();
    await waitFor(() => heard.length === 250, { what: 'all events' });
    expect(heard).toEqual(numbers);
  });

  test('finds by itself what a publisher committed and never rang because it crashed', async () => {
    const crashed = createOutbox({ database: owner, bus, service: 'owner', logger });
    await owner.transaction((transaction) => crashed.add(transaction, oneListener, { number: 1 }));
    await startListener();
    startOutbox();
    await settled();
    expect(await effects()).toEqual([1]);
  });

  test('rings again after a claim whose publisher crashed before publishing', async () => {
    const crashed = createOutbox({
      database: owner,
      bus: { ...bus, healthy: () => true, publish: () => new Promise<void>(() => undefined) },
      service: 'owner',
      logger,
      firstRingPauseMs: 300,
    });
    await crashed.add(owner, oneListener, { number: 1 });
    crashed.ring();
    await waitFor(async () => (await owner.query('select 1 from outbox where rings = 1')).length === 1, {
      what: 'the claim',
    });
    await startListener();
    startOutbox({ sweepEveryMs: 50 });
    await settled();
    expect(await effects()).toEqual([1]);
  });

  test('waits for every consumer that the definition names', async () => {
    const outbox = startOutbox({ sweepEveryMs: 50, firstRingPauseMs: 100 });
    await startListener(twoListeners, 'listener');
    await outbox.add(owner, twoListeners, { number: 1 });
    outbox.ring();
    await waitFor(
      async () => (await owner.query(`select 1 from outbox where settled_by = '{listener}'`)).length === 1,
      {
        what: 'the first consumer',
      },
    );
    expect(await unsettledIn(owner)).toBe(1);
    await startListener(twoListeners, 'archive');
    await settled();
  });

  test('keeps ringing until it is settled, with growing pauses', async () => {
    const outbox = startOutbox({ sweepEveryMs: 20, firstRingPauseMs: 100 });
    let rings = 0;
    const consumer = await bus.consume({
      consumer: 'deaf',
      subject: oneListener.type,
      handle: async () => void (rings += 1),
    });
    stops.push(() => consumer.stop());
    await outbox.add(owner, oneListener, { number: 1 });
    const startedAt = performance.now();
    await waitFor(() => rings === 4, { what: 'four rings' });
    // 100 + 200 + 400 ms of pauses lie between them.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(690);
  });

  test('settles an event that nobody has to handle as soon as it is published', async () => {
    const outbox = startOutbox();
    await outbox.add(owner, nobodyListens, { number: 1 });
    outbox.ring();
    await settled();
  });

  test('makes the streams anew when they were deleted behind its back', async () => {
    const fresh = await connectBus({ url: testNats().url, name: 'no streams yet', logger });
    stops.push(() => fresh.close());
    const outbox = startOutbox({ bus: fresh, sweepEveryMs: 50 });
    await outbox.add(owner, nobodyListens, { number: 1 });
    outbox.ring();
    await settled();
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('raises an alarm that names the missing consumer when an event stays unsettled', async () => {
    const metrics = createMetrics('owner');
    const outbox = startOutbox({ alarmAfterMs: 100, metrics });
    await outbox.add(owner, twoListeners, { number: 1 });
    await outbox.add(owner, twoListeners, { number: 2 });
    const alarm = await waitFor(() => logger.lines.find(({ level }) => level === 'error'), { what: 'the alarm' });
    expect(alarm.message).toMatch(
      /^Events of owner are not settled: the oldest waits for (archive|listener), (archive|listener) since \d+ s/,
    );
    expect(alarm.fields).toMatchObject({ unsettled: 2, type: 'bots.v1.shared' });
    expect(await metrics.render()).toMatch(/^outbox_unsettled_events\{service="owner"\} 2$/m);
    expect(await metrics.render()).toMatch(/^outbox_oldest_unsettled_seconds\{service="owner"\} 0\.\d+$/m);
  });
});

describe('an inbox', () => {
  test('acts once on an event that comes many times at once, and settles every time', async () => {
    const outbox = startOutbox({ sweepEveryMs: 10_000 });
    await startListener();
    const id = await outbox.add(owner, oneListener, { number: 5 });
    const envelope = { id, type: oneListener.type, occurredAt: new Date().toISOString(), data: { number: 5 } };
    await Promise.all(
      Array.from({ length: 20 }, (_, copy) =>
        bus.publish(oneListener.type, envelope, { messageId: `copy-${copy}`, outbox: 'owner' }),
      ),
    );
    await settled();
    // An answer that got lost: the duplicate says again that the event is settled.
    await owner.query(`update outbox set settled_at = null, settled_by = '{}'`);
    await bus.publish(oneListener.type, envelope, { messageId: 'late copy', outbox: 'owner' });
    await settled();
    expect(await effects()).toEqual([5]);
  });

  test('rolls the note back with the work, so that a retry does it whole', async () => {
    const outbox = startOutbox();
    let attempts = 0;
    await startListener(oneListener, 'listener', async (transaction, event) => {
      await noteEffect(transaction, event);
      attempts += 1;
      if (attempts === 1) throw new Error('the connection broke before the commit');
    });
    await outbox.add(owner, oneListener, { number: 9 });
    outbox.ring();
    await settled();
    expect(attempts).toBe(2);
    expect(await effects()).toEqual([9]);
  });

  test('notes an event that it can never handle as refused, tells its owner, and is not rung again', async () => {
    const outbox = startOutbox({ sweepEveryMs: 20, firstRingPauseMs: 50 });
    let attempts = 0;
    await startListener(oneListener, 'listener', async (transaction, event) => {
      attempts += 1;
      await noteEffect(transaction, event);
      throw fail('VALIDATION', { message: 'there is no such team' });
    });
    const id = await outbox.add(owner, oneListener, { number: 3 });
    outbox.ring();
    await settled();
    expect(await effects()).toEqual([]);
    expect(attempts).toBe(1);
    expect(await listener.query('select event_id, refusal from inbox')).toEqual([
      { event_id: id, refusal: 'there is no such team' },
    ]);
    expect(logger.lines.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'A message can never be handled and is put aside.',
        'A consumer can never handle an event; it is put aside.',
      ]),
    );
  });

  test('refuses data of the wrong shape, and what is no event at all', async () => {
    await startListener();
    const wrong = {
      id: randomUUID(),
      type: oneListener.type,
      occurredAt: new Date().toISOString(),
      data: { number: 'x' },
    };
    await bus.publish(oneListener.type, wrong);
    await bus.publish(oneListener.type, { hello: 'there' });
    const aside = () =>
      logger.lines.filter(({ message }) => message === 'A message can never be handled and is put aside.');
    await waitFor(() => aside().length === 2, { what: 'both to be put aside' });
    expect(await effects()).toEqual([]);
  });
});

describe('a trace', () => {
  test('goes on from the transaction that added the event into the work of its consumer', async () => {
    const stopTracing = startTracing('trace test', undefined);
    stops.push(stopTracing);
    const seen: (string | undefined)[] = [];
    const outbox = startOutbox();
    await startListener(oneListener, 'listener', async () => {
      seen.push(trace.getSpan(context.active())?.spanContext().traceId);
    });
    const tracer = trace.getTracer('test');
    const traceIds = [1, 2].map((number) =>
      tracer.startActiveSpan('request', async (span) => {
        await owner.transaction((transaction) => outbox.add(transaction, oneListener, { number }));
        span.end();
        return span.spanContext().traceId;
      }),
    );
    const expected = await Promise.all(traceIds);
    outbox.ring();
    await settled();
    expect(new Set(expected).size).toBe(2);
    expect(seen).toHaveLength(2);
    expect(new Set(seen)).toEqual(new Set(expected));
  });
});
