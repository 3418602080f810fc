import { afterEach, expect, test } from '@jest/globals';
import { openDatabase } from '@rapporteur/database';
import { createTestDatabase, startFreezingProxy, testNats, waitFor } from '@rapporteur/testbed';
import { openStores } from './index.ts';
import { recordingLogger } from './testing/recording-logger.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

test('NATS that is away when a service starts is waited for', async () => {
  const logger = recordingLogger();
  const testDatabase = await createTestDatabase();
  stops.push(() => testDatabase.drop());
  const nats = await startFreezingProxy(testNats().url);
  stops.push(() => nats.stop());
  const host = {
    name: 'test',
    logger,
    metrics: { declare: () => ({}) as never },
    onStop: (_what: string, stop: () => Promise<void>) => void stops.push(stop),
    readiness: () => undefined,
  };
  const open = () =>
    openDatabase({ url: testDatabase.url, schema: 'test', entities: [], migrations: [], applicationName: 'test' });
  const settings = { busUrl: nats.url };
  nats.sever();
  const opened = openStores(host, settings, open);
  const busIsAway = () => logger.lines.some(({ message }) => message.startsWith('The message bus cannot be reached'));
  await waitFor(busIsAway, { what: 'a failed connection to NATS' });
  nats.thaw();
  const { bus } = await opened;
  expect(bus.healthy()).toBe(true);
}, 120_000);
