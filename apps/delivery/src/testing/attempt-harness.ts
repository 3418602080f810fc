import type { Database } from '@rapporteur/database';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { createLogger, createMetrics } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { createTestDatabase } from '@rapporteur/testbed';
import type { QueueWorker } from '@rapporteur/work-queue';
import { openDeliveryDatabase } from '../schema/open-delivery-database.ts';
import { attemptWorker } from '../sending/attempt-worker.ts';
import type { AttemptWorkerDependencies } from '../sending/attempt-worker.ts';

/** A worker of one kind on a stopped clock, with real receivers. */
export interface AttemptHarness<T> {
  readonly clock: FakeClock;
  readonly database: Database;
  readonly worker: QueueWorker<T>;
  /** Another instance on the same database, like a second process. */
  anotherWorker(): QueueWorker<T>;
  /** How long a receiver may take from now on, in ms of real time. Default: as at the beginning, for hangs only. */
  attemptTimeout(ms?: number): void;
  /** Advances the clock, sends due work and waits for its end. */
  after(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Dependencies from which the kind of work is built; `timeoutMs` changes with `attemptTimeout`. */
export interface HarnessGround {
  readonly database: Database;
  readonly clock: FakeClock;
  readonly outbound: OutboundHttp;
  timeoutMs: number;
}

type OwnDependencies<T> = Pick<AttemptWorkerDependencies<T>, 'queue' | 'send' | 'random'>;

const usualTimeoutMs = 30_000;
/** A time of the clock: a lease lasts twice as long. */
const attemptTimeoutMs = 500;

export async function startAttemptHarness<T>(
  dependenciesOn: (ground: HarnessGround) => OwnDependencies<T>,
): Promise<AttemptHarness<T>> {
  const server = await createTestDatabase(openDeliveryDatabase);
  const database = await openDeliveryDatabase(server.url, 10);
  const clock = new FakeClock(Date.UTC(2026, 10, 21));
  const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  const ground: HarnessGround = { database, clock, outbound, timeoutMs: usualTimeoutMs };
  const own = dependenciesOn(ground);
  const workers: QueueWorker<T>[] = [];
  const newWorker = (): QueueWorker<T> => {
    const worker = attemptWorker<T>({
      ...own,
      clock,
      logger: createLogger('test', 'silent'),
      metrics: createMetrics('test'),
      concurrency: 50,
      partitionConcurrency: 5,
      attemptTimeoutMs,
      pollMs: 1_000,
    });
    workers.push(worker);
    return worker;
  };
  const worker = newWorker();
  return {
    clock,
    database,
    worker,
    anotherWorker: newWorker,
    attemptTimeout: (ms = usualTimeoutMs) => {
      ground.timeoutMs = ms;
    },
    after: async (ms) => {
      await clock.advance(ms);
      while ((await worker.sweep()) > 0) await worker.idle();
    },
    stop: async () => {
      await Promise.all(workers.map((each) => each.stop()));
      outbound.close();
      await database.close();
      await server.drop();
    },
  };
}
