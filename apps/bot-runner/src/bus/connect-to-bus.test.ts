import { expect, test } from '@jest/globals';
import type { Bus, BusOptions } from '@rapporteur/event-bus';
import { createLogger } from '@rapporteur/service-runtime/process';
import { FakeClock } from '@rapporteur/async/testing';
import { connectToBus } from './connect-to-bus.ts';

const botId = '6f1f7cf8-5f60-4a43-9a0e-0f6f6c6f7a01';
const bus = {} as Bus;

/** An outage that ends `outageMs` from now. */
function setUp(outageMs: number) {
  const clock = new FakeClock();
  const endsAtMs = clock.now() + outageMs;
  const attempts: BusOptions[] = [];
  const stopping = new AbortController();
  const connecting = connectToBus({
    config: { busCertFile: '/tls.crt', busKeyFile: '/tls.key' },
    invocation: { botId, bus: { url: 'nats://127.0.0.1:4222', credentials: null } },
    clock,
    logger: createLogger('test', 'silent'),
    signal: stopping.signal,
    connect: async (options) => {
      attempts.push(options);
      if (clock.now() < endsAtMs) throw new Error('refused');
      return bus;
    },
  });
  connecting.catch(() => undefined);
  return { clock, attempts, stopping, connecting };
}

test('a runner that starts during an outage of the bus connects when it is over', async () => {
  const { clock, attempts, connecting } = setUp(60_000);
  for (let second = 0; second <= 61; second += 1) await clock.advance(1_000);
  expect(await connecting).toBe(bus);
  expect(attempts.length).toBeGreaterThan(30);
  expect(attempts[0]).toMatchObject({ name: `bot-runner ${botId}`, inboxPrefix: `_INBOX_${botId}` });
  expect(attempts[0]?.tls).toEqual({ certFile: '/tls.crt', keyFile: '/tls.key' });
});

test('it gives up after five minutes', async () => {
  const { clock, connecting } = setUp(600_000);
  await clock.advance(301_000);
  await expect(connecting).rejects.toThrow('refused');
});

test('it gives up at once when it is to stop', async () => {
  const { clock, stopping, attempts, connecting } = setUp(600_000);
  await clock.advance(2_500);
  stopping.abort();
  await expect(connecting).rejects.toThrow('refused');
  expect(attempts.length).toBeLessThan(6);
});
