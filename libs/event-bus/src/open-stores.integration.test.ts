import { afterEach, expect, test } from '@jest/globals';
import { openDatabase } from '@rapporteur/database';
import { createTestDatabase, startFreezingProxy, testNats, waitFor } from '@rapporteur/testbed';
import { openStores } from './index.ts';
import { recordingLogger } from './testing/recording-logger.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

test('PostgreSQL and NATS that are away when a service starts are waited for, and a schema that is refused is not', async () => {
  const logger = recordingLogger();
  const testDatabase = await createTestDatabase();
  stops.push(() => testDatabase.drop());
  const postgres = await startFreezingProxy(testDatabase.url);
  const nats = await startFreezingProxy(testNats().url);
  stops.push(
    () => postgres.stop(),
    () => nats.stop(),
  );
  const host = {
    name: 'test',
    logger,
    metrics: { declare: () => ({}) as never },
    onStop: (_what: string, stop: () => Promise<void>) => void stops.push(stop),
    readiness: () => undefined,
  };
  const open = (schema: string) => () =>
    openDatabase({ url: postgres.url, schema, entities: [], migrations: [], applicationName: 'test' });
  const settings = { busUrl: nats.url };
  const isWaiting = (what: string) => () => logger.lines.some(({ message }) => message.startsWith(`${what} is away`));
  postgres.sever();
  nats.sever();
  const opened = openStores(host, settings, open('test'));
  await waitFor(isWaiting('PostgreSQL'), { what: 'a failed connection to PostgreSQL', timeoutMs: 15_000 });
  postgres.thaw();
  await waitFor(isWaiting('The message bus'), { what: 'a failed connection to NATS', timeoutMs: 15_000 });
  nats.thaw();
  const { database, bus } = await opened;
  await database.ping();
  expect(bus.healthy()).toBe(true);
  await expect(openStores(host, settings, open('No schema'))).rejects.toThrow('must be lowercase letters');
}, 120_000);
