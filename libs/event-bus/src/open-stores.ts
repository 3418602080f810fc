import { retry, startRetry } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import { busTlsOf, readBusAddress } from './bus-address.ts';
import type { BusTlsSettings } from './bus-address.ts';
import { connectBus } from './bus.ts';
import type { Bus, BusOptions } from './bus.ts';
import { createOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import type { BusLogger, BusMetrics } from './ports.ts';

/** The dependencies of a service's stores; service-runtime's Service fits. */
export interface StoreHost {
  readonly name: string;
  readonly logger: BusLogger;
  readonly metrics: BusMetrics;
  onStop(what: string, stop: () => Promise<void>): void;
  readiness(what: string, check: () => Promise<void>): void;
}

/** service-runtime's `busConfig` fits. */
export interface BusSettings extends BusTlsSettings {
  readonly busUrl: string;
  readonly busCredentials?: { reveal(): string } | undefined;
  readonly busStreamReplicas?: number | undefined;
  readonly busStreamMaxBytes?: number | undefined;
}

/**
 * Opens a service's database and connects it to the bus, retrying for 20 s, and registers their stops and readiness
 * checks.
 */
export async function openStores(
  host: StoreHost,
  settings: BusSettings,
  openDatabase: () => Promise<Database>,
): Promise<{ readonly database: Database; readonly bus: Bus }> {
  const tls = busTlsOf(settings);
  // Validated before any wait.
  readBusAddress(settings.busUrl, tls);
  const database = await openDatabase();
  host.onStop('database', () => database.close());
  host.readiness('database', () => database.ping());
  const credentials = settings.busCredentials?.reveal();
  const options: BusOptions = {
    url: settings.busUrl,
    tls,
    name: host.name,
    logger: host.logger,
    streamLimits: { replicas: settings.busStreamReplicas, maxBytes: settings.busStreamMaxBytes },
    metrics: host.metrics,
    ...(credentials === undefined ? {} : { credentials }),
  };
  const bus = await retry(() => connectBus(options), {
    ...startRetry,
    onRetry: (error) => host.logger.warn({ err: error }, 'The message bus cannot be reached; connecting again.'),
  });
  host.onStop('message bus', () => bus.close());
  await bus.ensureStreams();
  return { database, bus };
}

/** The service's outbox, started; it stops before the bus and the database. */
export function startOutbox(host: StoreHost, stores: { readonly database: Database; readonly bus: Bus }): Outbox {
  const { name: service, logger, metrics } = host;
  const outbox = createOutbox({ ...stores, service, logger, metrics });
  outbox.start();
  host.onStop('outbox', () => outbox.stop());
  return outbox;
}
