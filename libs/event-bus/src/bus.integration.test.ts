import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runnerSubjects } from '@rapporteur/contracts';
import { startOwnNats, testNats, waitFor } from '@rapporteur/testbed';
import { connectBus } from './index.ts';
import type { Bus, BusOptions } from './index.ts';
import { recordingLogger } from './testing/recording-logger.ts';

let logger: ReturnType<typeof recordingLogger>;
let bus: Bus;
let url: string;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  logger = recordingLogger();
  ({ url } = testNats());
  bus = await connectBus({ url, name: 'bus test', logger });
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await bus.close();
});

describe('the address', () => {
  const connectTo = (address: string) => connectBus({ url: address, name: 'address test', logger });

  test('with tls:// never leads to a connection in the clear', async () => {
    await expect(connectTo(url.replace('nats:', 'tls:').replace('127.0.0.1', 'localhost'))).rejects.toThrow(
      "server does not support 'tls'",
    );
  });

  test('may list several servers, of which one responds', async () => {
    const second = await connectTo(`nats://127.0.0.1:1,${url}`);
    stops.push(() => second.close());
    expect(second.healthy()).toBe(true);
  });
});

describe('questions and answers', () => {
  test('are shared by the instances that answer', async () => {
    const responded: string[] = [];
    const responding = (name: string) =>
      bus.reply('test.question.*', async (body, subject) => {
        responded.push(name);
        return { body, subject };
      });
    const instances = [responding('one'), responding('two')];
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        bus.request(`test.question.${number}`, { number }, { timeoutMs: 20_000 }),
      ),
    );
    expect(responses[7]).toEqual({ body: { number: 7 }, subject: 'test.question.7' });
    expect(responded).toHaveLength(30);
    expect(new Set(responded)).toEqual(new Set(['one', 'two']));
    for (const instance of instances) await instance.stop();
    await instances[0]?.stop();
  });

  test('end with UNAVAILABLE without a responder, and when the response comes too late or not at all', async () => {
    await expect(bus.request('test.unanswered', {}, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    bus.reply('test.slow', () => new Promise(() => undefined));
    await expect(bus.request('test.slow', {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    bus.reply('test.failing', () => Promise.reject(new Error('no idea')));
    await expect(bus.request('test.failing', {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(logger.lines.map(({ message }) => message)).toEqual(['A request on the bus could not get a response.']);
  });
});

describe('a response', () => {
  test('goes to an inbox only: a question cannot make us publish somewhere else', async () => {
    const requester = await connect({
      servers: new URL(url).host,
      user: new URL(url).username,
      pass: new URL(url).password,
    });
    stops.push(() => requester.close());
    const received: unknown[] = [];
    bus.onNotification('bots.v1.ended', (body) => received.push(body));
    bus.reply('test.question', async () => 'an answer');
    // A response proves that the server has the subscription before the other connection sends its request.
    expect(await bus.request('test.question', {}, { timeoutMs: 20_000 })).toBe('an answer');
    requester.publish('test.question', '{}', { reply: 'bots.v1.ended' });
    await waitFor(() => logger.lines.length === 1, { what: 'the refusal in the log' });
    expect(logger.lines[0]?.fields).toMatchObject({ subject: 'test.question' });
    bus.notify('bots.v1.ended', 'last');
    await waitFor(() => received.length > 0, { what: 'our own ring' });
    expect(received).toEqual(['last']);
  });
});

describe('notifications', () => {
  test('reach every listener, and one of those that share a name', async () => {
    const received: string[] = [];
    bus.onNotification('test.ring', () => received.push('one'));
    bus.onNotification('test.ring', () => received.push('two'));
    bus.onNotification('test.ring', () => received.push('shared'), { shareAs: 'crowd' });
    bus.onNotification('test.ring', () => received.push('shared'), { shareAs: 'crowd' });
    bus.notify('test.ring', { why: 'news' });
    await waitFor(() => received.length === 3, { what: 'three listeners' });
    expect(received.toSorted()).toEqual(['one', 'shared', 'two']);
  });

  test('survive a listener that throws', async () => {
    const received: unknown[] = [];
    bus.onNotification('test.ring', (body) => {
      received.push(body);
      if (body === 1) throw new Error('cannot count');
    });
    bus.notify('test.ring', 1);
    bus.notify('test.ring', 2);
    await waitFor(() => received.length === 2, { what: 'both notifications' });
    expect(logger.lines).toHaveLength(1);
  });
});

describe('a connection', () => {
  test('states in plain words when there is no server', async () => {
    const refused = connectBus({ url: 'nats://127.0.0.1:1', name: 'lost', logger });
    await expect(refused).rejects.toThrow(
      /^The message bus at 127\.0\.0\.1:1 did not accept the connection: .+ Check that NATS runs there/,
    );
  });

  test('comes back by itself after an outage, and says meanwhile that it is away', async () => {
    const server = await startOwnNats();
    stops.push(() => server.remove());
    const own = await connectBus({ url: server.url, name: 'outage', logger });
    stops.push(() => own.close());
    expect(own.healthy()).toBe(true);
    await server.crash();
    await waitFor(() => !own.healthy(), { what: 'the outage to be noticed' });
    await server.restart();
    await waitFor(() => own.healthy(), { what: 'the connection' });
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'The connection to the message bus was lost; trying again.',
      'The message bus is connected again.',
    ]);
    await own.close();
    await own.close();
    expect(own.healthy()).toBe(false);
    own.notify('test.ring');
  });

  test('creates its streams with the limits that the deployment sets, and changes those of older ones', async () => {
    const server = await startOwnNats();
    stops.push(() => server.remove());
    const ensureWith = async (streamLimits: NonNullable<BusOptions['streamLimits']>) => {
      const own = await connectBus({ url: server.url, name: 'limits', logger, streamLimits });
      await own.ensureStreams();
      await own.close();
      const reader = await connect({ servers: server.url });
      const manager = await jetstreamManager(reader);
      const { config } = await manager.streams.info('BOTS');
      await reader.close();
      return { replicas: config.num_replicas, maxBytes: config.max_bytes };
    };
    expect(await ensureWith({})).toEqual({ replicas: 1, maxBytes: -1 });
    expect(await ensureWith({ replicas: 1, maxBytes: 5_000_000 })).toEqual({ replicas: 1, maxBytes: 5_000_000 });
    expect(await ensureWith({})).toEqual({ replicas: 1, maxBytes: 5_000_000 });
  });

  test('closes at once while the server is away', async () => {
    const server = await startOwnNats();
    stops.push(() => server.remove());
    const own = await connectBus({ url: server.url, name: 'outage', logger });
    stops.push(() => own.close());
    await server.remove();
    await waitFor(() => !own.healthy(), { what: 'the outage to be noticed' });
    const startedAt = performance.now();
    await own.close();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('a stream whose files are gone under the running server', () => {
  const report = runnerSubjects.report('11111111-1111-4111-8111-111111111111');
  let storeFolder: string;
  let own: Bus;
  beforeEach(async () => {
    storeFolder = mkdtempSync(join(tmpdir(), 'broken-stream-'));
    const nats = await startOwnNats({ storeFolder });
    stops.push(() => nats.remove());
    own = await connectBus({ url: nats.url, name: 'own bus', logger });
    stops.push(() => own.close());
    await own.ensureStreams();
  });
  const breakReports = () => {
    const folder = readdirSync(storeFolder, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith(join('streams', 'RUNNERS')),
    );
    rmSync(join(storeFolder, folder ?? 'missing'), { recursive: true });
  };

  test('is noticed by the check of those who only consume it, and created again', async () => {
    const received: unknown[] = [];
    const consumer = await own.consume({
      consumer: 'test',
      subject: runnerSubjects.report('*'),
      handle: async (message) => void received.push(message),
    });
    stops.push(() => consumer.stop());
    await own.check();
    breakReports();
    await waitFor(
      () =>
        own.check().then(
          () => false,
          () => true,
        ),
      { what: 'the check to fail' },
    );
    expect(logger.lines.filter(({ level }) => level === 'error')).toMatchObject([{ fields: { stream: 'RUNNERS' } }]);
    await waitFor(
      () =>
        own.check().then(
          () => true,
          () => false,
        ),
      { what: 'the check to succeed again' },
    );
    await own.publish(report, { number: 1 });
    await waitFor(() => received.length > 0, { what: 'the report' });
    expect(received).toEqual([{ number: 1 }]);
  });

  test('is created again by the publisher that it refuses', async () => {
    await own.publish(report, { number: 1 });
    breakReports();
    const publish = (padding: string) =>
      own.publish(report, { number: 2, padding }).then(
        () => 'stored',
        () => 'refused',
      );
    // The server opens a file again when a block is full, or every two minutes.
    const padding = 'x'.repeat(900_000);
    await waitFor(async () => (await publish(padding)) === 'refused', { what: 'the stream to break' });
    expect(await publish('')).toBe('stored');
  });
});
