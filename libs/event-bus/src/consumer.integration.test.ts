import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@rapporteur/failures';
import { startOwnNats, testNats, waitFor } from '@rapporteur/testbed';
import { connectBus } from './index.ts';
import type { Bus, MessageFacts } from './index.ts';
import { recordingLogger } from './testing/recording-logger.ts';

const subject = 'bots.v1.queued';
const numbered = (number: number) => ({ id: randomUUID(), number });
const numberOf = (message: unknown): number => (message as { number: number }).number;

let logger: ReturnType<typeof recordingLogger>;
let bus: Bus;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  logger = recordingLogger();
  bus = await connectBus({ url: testNats().url, name: 'consumer test', logger });
  await bus.ensureStreams();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await bus.close();
});

describe('a durable consumer', () => {
  test('receives what was published before it started and while it was stopped, each message once', async () => {
    const handled: number[] = [];
    const handle = async (message: unknown): Promise<void> => void handled.push(numberOf(message));
    await bus.publish(subject, numbered(1));
    const first = await bus.consume({ consumer: 'listener', subject, handle });
    await waitFor(() => handled.length === 1, { what: 'the early message' });
    await first.stop();
    await first.stop();
    await bus.publish(subject, numbered(2));
    const second = await bus.consume({ consumer: 'listener', subject, handle });
    await waitFor(() => handled.length === 2, { what: 'the message of the break' });
    expect(handled).toEqual([1, 2]);
    await second.stop();
  });

  test('delivers a message again with growing pauses until the handler succeeds', async () => {
    const deliveries: { delivery: number; atMs: number }[] = [];
    const handle = async (_message: unknown, facts: MessageFacts): Promise<void> => {
      deliveries.push({ delivery: facts.delivery, atMs: performance.now() });
      if (facts.delivery === 1) throw new Error('the database is away');
      if (facts.delivery === 2) throw fail('UNAVAILABLE');
    };
    const consumer = await bus.consume({ consumer: 'retrying', subject, handle });
    await bus.publish(subject, numbered(1));
    const [first, second, third] = await waitFor(() => deliveries.length === 3 && deliveries, {
      what: 'three deliveries',
    });
    expect(deliveries.map(({ delivery }) => delivery)).toEqual([1, 2, 3]);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(490);
    expect((third?.atMs ?? 0) - (second?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
    await consumer.stop();
    expect(logger.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'warn: A message could not be handled; it is redelivered.',
      'warn: A message could not be handled; it is redelivered.',
    ]);
  });

  test('puts a message aside that can never be handled, states why in the log, and goes on', async () => {
    const handled: string[] = [];
    const handle = async (message: unknown, facts: MessageFacts): Promise<void> => {
      handled.push(`${numberOf(message)}/${facts.delivery}`);
      if (numberOf(message) === 1) throw fail('VALIDATION', { message: 'the number must not be 1' });
    };
    const consumer = await bus.consume({ consumer: 'refusing', subject, handle, concurrency: 1 });
    await bus.publish(subject, numbered(1));
    await bus.publish(subject, numbered(2));
    await waitFor(() => handled.length === 2, { what: 'the next message' });
    await consumer.stop();
    // A message that was only delayed would be delivered before a later one, to a consumer in order.
    const again = await bus.consume({ consumer: 'refusing', subject, handle, concurrency: 1 });
    await bus.publish(subject, numbered(3));
    await waitFor(() => handled.includes('3/1'), { what: 'the last message' });
    await again.stop();
    expect(handled).toEqual(['1/1', '2/1', '3/1']);
    const [line] = logger.lines;
    expect(line).toMatchObject({ level: 'error', message: 'A message can never be handled and is put aside.' });
    expect(line?.fields['err']).toMatchObject({ message: 'the number must not be 1' });
  });

  test('keeps the order with concurrency 1, also while one message fails and with two instances', async () => {
    const handled: number[] = [];
    let active = 0;
    let mostActive = 0;
    const handle = async (message: unknown, facts: MessageFacts): Promise<void> => {
      active += 1;
      mostActive = Math.max(mostActive, active);
      await new Promise((resolve) => setImmediate(resolve));
      active -= 1;
      if (numberOf(message) === 3 && facts.delivery === 1) throw fail('UNAVAILABLE');
      handled.push(numberOf(message));
    };
    const options = { consumer: 'orderly', subject, handle, concurrency: 1 };
    const instances = await Promise.all([bus.consume(options), bus.consume(options)]);
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    for (const number of numbers) await bus.publish(subject, numbered(number));
    await waitFor(() => handled.length === 12, { what: 'all messages' });
    expect(handled).toEqual(numbers);
    expect(mostActive).toBe(1);
    await Promise.all(instances.map((instance) => instance.stop()));
  });

  test('handles no more messages at the same time than requested', async () => {
    let active = 0;
    let mostActive = 0;
    let handled = 0;
    const gate = Promise.withResolvers<void>();
    const handle = async (): Promise<void> => {
      active += 1;
      mostActive = Math.max(mostActive, active);
      await gate.promise;
      active -= 1;
      handled += 1;
    };
    const consumer = await bus.consume({ consumer: 'bounded', subject, handle, concurrency: 3 });
    for (let number = 0; number < 20; number += 1) await bus.publish(subject, numbered(number));
    await waitFor(() => active === 3, { what: 'three at once' });
    gate.resolve();
    await waitFor(() => handled === 20, { what: 'all of them' });
    expect(mostActive).toBe(3);
    await consumer.stop();
  });

  test('takes over a consumer that an older build made with other settings', async () => {
    const handle = async (): Promise<void> => undefined;
    await (await bus.consume({ consumer: 'changing', subject, handle, concurrency: 8 })).stop();
    await (await bus.consume({ consumer: 'changing', subject, handle, concurrency: 1 })).stop();
    await (await bus.consume({ consumer: 'changing', subject, handle, concurrency: 8 })).stop();
    expect(logger.lines).toEqual([]);
  });

  test('drops a second message with the same id', async () => {
    const handled: number[] = [];
    const consumer = await bus.consume({
      consumer: 'deduplicated',
      subject,
      handle: async (message) => void handled.push(numberOf(message)),
    });
    await bus.publish(subject, numbered(1), { messageId: 'report-1' });
    await bus.publish(subject, numbered(1), { messageId: 'report-1' });
    await bus.publish(subject, numbered(2), { messageId: 'report-2' });
    await waitFor(() => handled.includes(2), { what: 'the second report' });
    expect(handled).toEqual([1, 2]);
    await consumer.stop();
  });
});

describe('after the loss of the whole store', () => {
  test('a running consumer recreates stream and consumer and receives what follows', async () => {
    const server = await startOwnNats();
    stops.push(() => server.remove());
    const own = await connectBus({ url: server.url, name: 'loss test', logger });
    stops.push(() => own.close());
    const handled: number[] = [];
    const handle = async (message: unknown): Promise<void> => void handled.push(numberOf(message));
    const consumer = await own.consume({ consumer: 'survivor', subject, handle });
    await own.publish(subject, numbered(1));
    await waitFor(() => handled.length === 1, { what: 'the first message' });
    let reconnects = 0;
    own.onReconnect(() => (reconnects += 1));
    await server.crash({ wipeStore: true });
    await waitFor(() => !own.healthy(), { what: 'the loss to be noticed' });
    await server.restart();
    await waitFor(() => reconnects === 1 && own.healthy(), { what: 'the connection' });
    const lostAt = performance.now();
    await waitFor(() => own.publish(subject, numbered(2)).then(() => true), { what: 'the stream' });
    await waitFor(() => handled.includes(2), { what: 'a message after the loss' });
    expect(performance.now() - lostAt).toBeLessThan(30_000);
    await consumer.stop();
  });
});
