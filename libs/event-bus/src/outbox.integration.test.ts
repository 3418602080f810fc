import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { defineEvent } from '@rapporteur/contracts';
import { isUniqueViolation } from '@rapporteur/database';
import { createMetrics } from '@rapporteur/service-runtime';
import { testNats, waitFor } from '@rapporteur/testbed';
import { z } from 'zod';
import { connectBus, createOutbox, insertOutboxRowsSql, outboxRow } from './index.ts';
import type { Bus } from './index.ts';
import { withoutConsumer, oneListener, twoListeners, useOutboxHarness } from './testing/outbox-harness.ts';
import { commitsOf, unsettledIn, watchCommits } from './testing/service-database.ts';

const harness = useOutboxHarness();

describe('an outbox', () => {
  test('lets an event out only when its transaction commits, and settles it once it was handled', async () => {
    const outbox = harness.startOutbox();
    await harness.startListener();
    await expect(
      harness.owner.transaction(async (transaction) => {
        await outbox.add(transaction, oneListener, { number: 13 });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await harness.owner.transaction((transaction) => outbox.add(transaction, oneListener, { number: 7 }));
    outbox.notify();
    await harness.settled();
    expect(await harness.effects()).toEqual([7]);
  });

  test('refuses data that does not fit, data too large for the bus, and an id used before', async () => {
    const outbox = harness.startOutbox();
    await expect(outbox.add(harness.owner, oneListener, { number: 0.5 })).rejects.toThrow(/expected int/);
    const anything = defineEvent('bots.v1.large', ['listener'], z.object({ text: z.string() }));
    await expect(outbox.add(harness.owner, anything, { text: 'x'.repeat(1_000_001) })).rejects.toThrow(
      /too large for the bus/,
    );
    const id = await outbox.add(harness.owner, withoutConsumer, { number: 1 }, randomUUID());
    const second = await outbox.add(harness.owner, withoutConsumer, { number: 2 }, id).catch((error: unknown) => error);
    expect(isUniqueViolation(second)).toBe(true);
  });

  test('takes rows that another statement writes, and treats them as its own', async () => {
    const outbox = harness.startOutbox();
    await harness.startListener(twoListeners, 'listener');
    await harness.startListener(twoListeners, 'archive');
    const [added, written] = [randomUUID(), randomUUID()];
    const sql = `with other_work as (select 1) ${insertOutboxRowsSql('$1::jsonb')}`;
    await harness.owner.transaction(async (transaction) => {
      await outbox.add(transaction, twoListeners, { number: 1 }, added);
      await transaction.query(sql, [JSON.stringify([outboxRow(twoListeners, { number: 1 }, written)])]);
    });
    const [one, other] = await harness.owner.query('select * from outbox order by position');
    expect({ ...other, id: one?.['id'], position: one?.['position'] }).toEqual(one);
    expect(one).toMatchObject({ id: added, data: { number: 1 }, consumers: ['listener', 'archive'], settled_by: [] });
    expect(other).toMatchObject({ id: written });
    expect(() => outboxRow(oneListener, { number: 0.5 })).toThrow(/expected int/);
    outbox.notify([written]);
    await harness.settled();
    expect(await harness.effects()).toEqual([1, 1, 1, 1]);
  });

  test('publishes in the order in which events were added', async () => {
    const outbox = harness.startOutbox();
    const handled: number[] = [];
    const consumer = await harness.bus.consume({
      consumer: 'order',
      subject: oneListener.type,
      concurrency: 1,
      handle: async (message) => void handled.push((message as { data: { number: number } }).data.number),
    });
    harness.stops.push(() => consumer.stop());
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    await harness.owner.transaction(async (transaction) => {
      for (const number of numbers) await outbox.add(transaction, oneListener, { number });
    });
    outbox.notify();
    await waitFor(() => handled.length === 250, { what: 'all events' });
    expect(handled).toEqual(numbers);
  });

  test('notifies of what is committed, and neither what was rolled back nor what is still open', async () => {
    const outbox = harness.startOutbox({ sweepEveryMs: 10_000 });
    const handled: string[] = [];
    const consumer = await harness.bus.consume({
      consumer: 'committed',
      subject: oneListener.type,
      handle: async (message) => void handled.push((message as { id: string }).id),
    });
    harness.stops.push(() => consumer.stop());
    const open = Promise.withResolvers<void>();
    const added = Promise.withResolvers<string>();
    const slow = harness.owner.transaction(async (transaction) => {
      added.resolve(await outbox.add(transaction, oneListener, { number: 1 }));
      await open.promise;
    });
    const rolledBack = harness.owner.transaction(async (transaction) => {
      await outbox.add(transaction, oneListener, { number: 2 });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    const first = await added.promise;
    const second = await outbox.add(harness.owner, oneListener, { number: 3 });
    outbox.notify();
    await waitFor(() => handled.length === 1, { what: 'the committed event' });
    open.resolve();
    await slow;
    outbox.notify();
    await waitFor(() => handled.length === 2, { what: 'the event of the slow transaction' });
    expect(handled).toEqual([second, first]);
  });

  test('notifies of the rest of a batch of which one cannot be published, and that one again', async () => {
    const refused = new Set<number>([2]);
    const outbox = harness.startOutbox({
      sweepEveryMs: 20,
      bus: Object.assign(Object.create(harness.bus) as Bus, {
        healthy: () => harness.bus.healthy(),
        ensureStreams: () => harness.bus.ensureStreams(),
        onNotification: harness.bus.onNotification.bind(harness.bus),
        onReconnect: harness.bus.onReconnect.bind(harness.bus),
        publish: (...[subject, message, options]: Parameters<Bus['publish']>) =>
          refused.delete((message as { data: { number: number } }).data.number)
            ? Promise.reject(new Error('no response'))
            : harness.bus.publish(subject, message, options),
      }),
    });
    await harness.startListener();
    await harness.owner.transaction(async (transaction) => {
      for (const number of [1, 2, 3]) await outbox.add(transaction, oneListener, { number });
    });
    outbox.notify();
    await harness.settled();
    expect(await harness.effects()).toEqual([1, 2, 3]);
    expect(refused.size).toBe(0);
  });

  test('waits for the disk with an event and its effect, and not with what a repetition repairs', async () => {
    // Without a sweep, whose writes would be counted too.
    const outbox = harness.startOutbox({ sweepEveryMs: 600_000 });
    await harness.startListener();
    await watchCommits(harness.owner, 'outbox');
    await watchCommits(harness.listener, 'inbox');
    for (const number of [1, 2]) {
      await outbox.add(harness.owner, oneListener, { number });
      outbox.notify();
      await harness.settled();
    }
    expect(await commitsOf(harness.owner)).toEqual(['insert', 'insert', ...Array(2).fill('update is not waited for')]);
    expect(await commitsOf(harness.listener)).toEqual(['insert', 'insert']);
    // The connections of these writes wait again in their next transaction.
    const settings = await Promise.all(
      Array.from({ length: 12 }, () =>
        harness.owner.query(`select source from pg_settings where name = 'synchronous_commit' and source = 'session'`),
      ),
    );
    expect(settings.flat()).toEqual([]);
  });

  test('settles an event again whose settlement was lost with the server, and repeats nothing', async () => {
    const outbox = harness.startOutbox({ sweepEveryMs: 20, firstNotificationPauseMs: 200 });
    await harness.startListener();
    await outbox.add(harness.owner, oneListener, { number: 4 });
    outbox.notify();
    await harness.settled();
    await harness.owner.query(
      `update outbox set settled_at = null, settled_by = '{}', notifications = 0, next_notification_at = now()`,
    );
    await harness.settled();
    expect(await harness.effects()).toEqual([4]);
  });

  test('finds by itself what a publisher committed and never notified because it crashed', async () => {
    const crashed = createOutbox({
      database: harness.owner,
      bus: harness.bus,
      service: 'owner',
      logger: harness.logger,
      firstNotificationPauseMs: 200,
    });
    await harness.owner.transaction((transaction) => crashed.add(transaction, oneListener, { number: 1 }));
    await harness.startListener();
    harness.startOutbox();
    await harness.settled();
    expect(await harness.effects()).toEqual([1]);
  });

  test('notifies of what a publisher read to notify and crashed before publishing', async () => {
    const publishing = Promise.withResolvers<void>();
    const publish = (): Promise<void> => {
      publishing.resolve();
      return new Promise(() => undefined);
    };
    const crashed = createOutbox({
      database: harness.owner,
      bus: { ...harness.bus, healthy: () => true, publish },
      service: 'owner',
      logger: harness.logger,
      firstNotificationPauseMs: 300,
    });
    await crashed.add(harness.owner, oneListener, { number: 1 });
    crashed.notify();
    await publishing.promise;
    await harness.startListener();
    harness.startOutbox({ sweepEveryMs: 50 });
    await harness.settled();
    expect(await harness.effects()).toEqual([1]);
  });

  test('waits for every consumer that the definition names', async () => {
    const outbox = harness.startOutbox({ sweepEveryMs: 50, firstNotificationPauseMs: 100 });
    await harness.startListener(twoListeners, 'listener');
    await outbox.add(harness.owner, twoListeners, { number: 1 });
    outbox.notify();
    await waitFor(
      async () => (await harness.owner.query(`select 1 from outbox where settled_by = '{listener}'`)).length === 1,
      {
        what: 'the first consumer',
      },
    );
    expect(await unsettledIn(harness.owner)).toBe(1);
    await harness.startListener(twoListeners, 'archive');
    await harness.settled();
  });

  test('repeats notifications until it is settled, with growing pauses', async () => {
    const outbox = harness.startOutbox({ sweepEveryMs: 20, firstNotificationPauseMs: 100 });
    let deliveries = 0;
    const consumer = await harness.bus.consume({
      consumer: 'deaf',
      subject: oneListener.type,
      handle: async () => void (deliveries += 1),
    });
    harness.stops.push(() => consumer.stop());
    await outbox.add(harness.owner, oneListener, { number: 1 });
    const startedAt = performance.now();
    await waitFor(() => deliveries === 4, { what: 'four deliveries' });
    // Includes backoff of 100 + 200 + 400 ms.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(690);
  });

  test('settles an event without a consumer when it is published', async () => {
    const outbox = harness.startOutbox();
    await outbox.add(harness.owner, withoutConsumer, { number: 1 });
    outbox.notify();
    await harness.settled();
  });

  test('makes the streams anew when they were deleted behind its back', async () => {
    const fresh = await connectBus({ url: testNats().url, name: 'no streams yet', logger: harness.logger });
    harness.stops.push(() => fresh.close());
    const outbox = harness.startOutbox({ bus: fresh, sweepEveryMs: 50 });
    await outbox.add(harness.owner, withoutConsumer, { number: 1 });
    outbox.notify();
    await harness.settled();
    expect(harness.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('raises an alarm that names the missing consumer when an event stays unsettled', async () => {
    const metrics = createMetrics('owner');
    const outbox = harness.startOutbox({ alarmAfterMs: 100, metrics });
    await outbox.add(harness.owner, twoListeners, { number: 1 });
    await outbox.add(harness.owner, twoListeners, { number: 2 });
    const alarm = await waitFor(() => harness.logger.lines.find(({ level }) => level === 'error'), {
      what: 'the alarm',
    });
    expect(alarm.message).toMatch(
      /^Events of owner are not settled: the oldest waits for (archive|listener), (archive|listener) since \d+ s/,
    );
    expect(alarm.fields).toMatchObject({ unsettled: 2, type: 'bots.v1.shared' });
    const { text } = await metrics.render();
    expect(text).toMatch(/^rapporteur_outbox_unsettled_events\{component="owner"\} 2$/m);
    expect(text).toMatch(/^rapporteur_outbox_oldest_unsettled_seconds\{component="owner"\} 0\.\d+$/m);
  });
});
