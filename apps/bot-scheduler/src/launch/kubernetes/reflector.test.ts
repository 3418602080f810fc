import { expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import type { Logger } from '@rapporteur/service-runtime';
import { startReflector } from './reflector.ts';

/** A reflector of an API server that is away until `available` is set, after its first attempt. */
async function open() {
  const clock = new FakeClock();
  const server = { available: false };
  const lines: string[] = [];
  const write = (_fields: object, message: string) => void lines.push(message);
  const logger: Logger = { debug: () => undefined, info: write, warn: write, error: write, child: () => logger };
  const reflector = startReflector({
    what: 'jobs',
    without: 'No bot is launched there.',
    list: async () => {
      if (!server.available) throw new Error('connect ECONNREFUSED 10.0.0.1:443');
      return { items: [], metadata: { resourceVersion: '1' } };
    },
    watch: ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    onObject: () => undefined,
    onListed: () => undefined,
    pageSize: 500,
    watchSeconds: 3_600,
    clock,
    logger,
  });
  await clock.advance(0);
  return { clock, server, lines, reflector };
}

test('lists within 5 s of the return of an API server, however long it was away', async () => {
  const { clock, server, reflector } = await open();
  await clock.advance(600_000);
  expect(reflector.failure()).toMatchObject({ message: 'connect ECONNREFUSED 10.0.0.1:443' });
  server.available = true;
  await clock.advance(5_000);
  expect(reflector.current()).toBe(true);
  expect(reflector.failure()).toBeNull();
  await reflector.stop();
});

test('states once a minute that the API server is away', async () => {
  const { clock, lines, reflector } = await open();
  await clock.advance(299_000);
  expect(lines).toEqual(
    Array.from({ length: 5 }, () => 'The Kubernetes API cannot be watched; trying again. No bot is launched there.'),
  );
  await reflector.stop();
});
