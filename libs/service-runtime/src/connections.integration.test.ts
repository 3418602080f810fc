import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createApp, createService, sendFailures } from './index.ts';
import type { Service } from './index.ts';

const largeBytes = 32 * 1024 * 1024;
/** Tolerance for a busy machine, far below the time that a stop gives requests in progress. */
const soonMs = 4_500;
const place = { host: '127.0.0.1', port: 0 };
let service: Service & { stop(): Promise<boolean> };
let agent: Agent;
let arrived: PromiseWithResolvers<void>;
let release: PromiseWithResolvers<void>;
beforeEach(() => {
  service = createService({ name: 'stopping', logLevel: 'silent' });
  agent = new Agent({ keepAlive: true });
  [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
});
afterEach(async () => {
  jest.useRealTimers();
  release.resolve();
  agent.destroy();
  await service.stop();
});

async function start(restOfBodyMs?: number): Promise<string> {
  const app = createApp(service);
  app.get('/held', async (_request, response) => {
    arrived.resolve();
    await release.promise;
    response.end('all of it');
  });
  app.get('/begun', async (_request, response) => {
    response.write('all ');
    await release.promise;
    response.end('of it');
  });
  app.get('/large', (_request, response) => void response.end(Buffer.alloc(largeBytes)));
  app.use(...sendFailures(service));
  return (await service.listen(app, { ...place, ...(restOfBodyMs === undefined ? {} : { restOfBodyMs }) })).url;
}

async function sendRequest(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  return response;
}

async function lengthOf(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += (chunk as Buffer).byteLength;
  return length;
}

/** How long the stop took, in milliseconds. */
async function stopping(): Promise<number> {
  const fromMs = performance.now();
  expect(await service.stop()).toBe(true);
  return performance.now() - fromMs;
}

describe('a service that stops', () => {
  test('completes requests in progress, announces the end of the connection, and ends with the last response', async () => {
    const url = await start();
    const reply = sendRequest(`${url}/held`);
    const begun = await sendRequest(`${url}/begun`);
    await arrived.promise;
    const stopped = stopping();
    release.resolve();
    const held = await reply;
    expect([held.statusCode, held.headers.connection]).toEqual([200, 'close']);
    expect([await lengthOf(held), await lengthOf(begun)]).toEqual([9, 9]);
    expect(await stopped).toBeLessThan(soonMs);
  });

  test('does not wait for connections without a request', async () => {
    const url = await start();
    const mute = connect(Number(new URL(url).port), '127.0.0.1');
    mute.on('error', () => undefined);
    const gone = new Promise<void>((resolve) => mute.once('close', () => resolve()));
    await once(mute, 'connect');
    await lengthOf(await sendRequest(`${url}/health/live`));
    mute.resume();
    expect(await stopping()).toBeLessThan(soonMs);
    await gone;
  });

  test('ends connections with their responses on another port, too, which it still serves', async () => {
    const admin = (await service.listen(createApp(service), place)).url;
    await lengthOf(await sendRequest(`${admin}/health/live`));
    const url = await start();
    const reply = sendRequest(`${url}/held`);
    await arrived.promise;
    const stopped = stopping();
    const response = await sendRequest(`${admin}/health/ready`);
    expect([response.statusCode, response.headers.connection]).toEqual([503, 'close']);
    await lengthOf(response);
    release.resolve();
    await lengthOf(await reply);
    expect(await stopped).toBeLessThan(soonMs);
  });

  test('lets a slow reader have all of a response that is already written', async () => {
    const url = await start();
    const large = await sendRequest(`${url}/large`);
    const stopped = stopping();
    expect(await lengthOf(large)).toBe(largeBytes);
    await stopped;
  });

  test('gives a request as long as the gateway waits for it, and no longer', async () => {
    const url = await start();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    const begun = await sendRequest(`${url}/begun`);
    let isOver = false;
    const stopped = service.stop().then(() => (isOver = true));
    const reading = lengthOf(begun).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(15_500);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await reading).toBe('aborted');
    expect(await stopped).toBe(true);
  });
});

describe('a response that did not wait for the body', () => {
  test('is followed by the end of the connection, however slowly the body comes', async () => {
    const url = await start(200);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let reply = '';
    socket.on('data', (chunk) => (reply += String(chunk)));
    // The unread body may end the connection with a reset: `once` of node:events would reject then.
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const fromMs = performance.now();
    socket.write('POST /nothing HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n');
    const trickle = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(trickle);
    expect(reply).toMatch(/^HTTP\/1.1 404 /);
    expect(performance.now() - fromMs).toBeLessThan(soonMs);
  });
});
