import { randomUUID } from 'node:crypto';
import { context, trace } from '@opentelemetry/api';
import { describe, expect, test } from '@jest/globals';
import { fail } from '@rapporteur/failures';
import { startTracing } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { createInbox } from './index.ts';
import { noteEffect, oneListener, useOutboxHarness } from './testing/outbox-harness.ts';

const harness = useOutboxHarness();

describe('an inbox', () => {
  test('settles an event without work, also on redelivery, and acts once it has work', async () => {
    let concerned = false;
    const acted: number[] = [];
    await harness.startListener(oneListener, 'listener', noteEffect, {
      concerns: async () => concerned,
      after: () => void acted.push(1),
    });
    const outbox = harness.startOutbox();
    for (const number of [1, 2]) await outbox.add(harness.owner, oneListener, { number });
    outbox.notify();
    await harness.settled();
    expect(await harness.listener.query('select 1 from inbox')).toEqual([]);
    concerned = true;
    await outbox.add(harness.owner, oneListener, { number: 3 });
    outbox.notify();
    await harness.settled();
    expect(await harness.effects()).toEqual([3]);
    expect(acted).toHaveLength(1);
    const lines = harness.logger.lines.filter(({ level }) => level !== 'info');
    expect(lines).toEqual([]);
  });

  test('acts once on an event that comes many times at once, and settles every time', async () => {
    const outbox = harness.startOutbox({ sweepEveryMs: 10_000 });
    await harness.startListener();
    const id = await outbox.add(harness.owner, oneListener, { number: 5 });
    const envelope = { id, type: oneListener.type, occurredAt: new Date().toISOString(), data: { number: 5 } };
    await Promise.all(
      Array.from({ length: 20 }, (_, copy) =>
        harness.bus.publish(oneListener.type, envelope, { messageId: `copy-${copy}`, outbox: 'owner' }),
      ),
    );
    await harness.settled();
    // The confirmation was lost: the duplicate confirms again that the event is settled.
    await harness.owner.query(`update outbox set settled_at = null, settled_by = '{}'`);
    await harness.bus.publish(oneListener.type, envelope, { messageId: 'late copy', outbox: 'owner' });
    await harness.settled();
    expect(await harness.effects()).toEqual([5]);
  });

  test('rolls the note back with the work, so that a retry does it whole', async () => {
    const outbox = harness.startOutbox();
    let attempts = 0;
    await harness.startListener(oneListener, 'listener', async (transaction, event) => {
      await noteEffect(transaction, event);
      attempts += 1;
      if (attempts === 1) throw new Error('the connection broke before the commit');
    });
    await outbox.add(harness.owner, oneListener, { number: 9 });
    outbox.notify();
    await harness.settled();
    expect(attempts).toBe(2);
    expect(await harness.effects()).toEqual([9]);
  });

  test('notes an event that it can never handle as refused, reports that to its owner, and is not published again', async () => {
    const outbox = harness.startOutbox({ sweepEveryMs: 20 });
    let attempts = 0;
    await harness.startListener(oneListener, 'listener', async (transaction, event) => {
      attempts += 1;
      await noteEffect(transaction, event);
      throw fail('VALIDATION', { message: 'there is no such team' });
    });
    const id = await outbox.add(harness.owner, oneListener, { number: 3 });
    outbox.notify();
    await harness.settled();
    expect(await harness.effects()).toEqual([]);
    expect(attempts).toBe(1);
    expect(await harness.listener.query('select event_id, refusal from inbox')).toEqual([
      { event_id: id, refusal: 'there is no such team' },
    ]);
    expect(harness.logger.lines.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'A message can never be handled and is put aside.',
        'A consumer can never handle an event; it is put aside.',
      ]),
    );
  });

  test('acts on many events in one transaction, once on each; a faulty one is refused alone', async () => {
    const inbox = createInbox({ database: harness.listener, bus: harness.bus, service: 'listener' });
    const runs: number[] = [];
    const handle = inbox.handleMany(oneListener, async (transaction, events) => {
      runs.push(events.length);
      for (const event of events) {
        if (event.data.number === 7) throw fail('VALIDATION', { message: 'there is no such team' });
        await noteEffect(transaction, event);
      }
    });
    const { type } = oneListener;
    const facts = { subject: type, delivery: 1, outbox: null };
    const arrivals = Array.from({ length: 10 }, (_, number) => {
      return { id: randomUUID(), type, occurredAt: new Date().toISOString(), data: { number } };
    });
    const again = [...arrivals, ...arrivals.slice(0, 3)];
    const outcomes = await Promise.allSettled(again.map((event) => handle(event, facts)));
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
    expect(await harness.effects()).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9]);
    expect(runs[0]).toBe(10);
    await Promise.all(arrivals.slice(0, 5).map((event) => handle(event, facts)));
    expect(await harness.effects()).toHaveLength(9);
    const refused = await harness.listener.query('select event_id from inbox where refusal is not null');
    expect(refused).toEqual([{ event_id: arrivals[7]?.id }]);
  });

  test('refuses data of the wrong shape, and what is no event at all', async () => {
    await harness.startListener();
    const wrong = {
      id: randomUUID(),
      type: oneListener.type,
      occurredAt: new Date().toISOString(),
      data: { number: 'x' },
    };
    await harness.bus.publish(oneListener.type, wrong);
    await harness.bus.publish(oneListener.type, { hello: 'there' });
    const aside = () =>
      harness.logger.lines.filter(({ message }) => message === 'A message can never be handled and is put aside.');
    await waitFor(() => aside().length === 2, { what: 'both to be put aside' });
    expect(await harness.effects()).toEqual([]);
  });
});

describe('a trace', () => {
  test('goes on from the transaction that added the event into the work of its consumer', async () => {
    const stopTracing = startTracing('trace test', undefined);
    harness.stops.push(stopTracing);
    const seen: (string | undefined)[] = [];
    const outbox = harness.startOutbox();
    await harness.startListener(oneListener, 'listener', async () => {
      seen.push(trace.getSpan(context.active())?.spanContext().traceId);
    });
    const tracer = trace.getTracer('test');
    const traceIds = [1, 2].map((number) =>
      tracer.startActiveSpan('request', async (span) => {
        await harness.owner.transaction((transaction) => outbox.add(transaction, oneListener, { number }));
        span.end();
        return span.spanContext().traceId;
      }),
    );
    const expected = await Promise.all(traceIds);
    outbox.notify();
    await harness.settled();
    expect(new Set(expected).size).toBe(2);
    expect(seen).toHaveLength(2);
    expect(new Set(seen)).toEqual(new Set(expected));
  });
});
