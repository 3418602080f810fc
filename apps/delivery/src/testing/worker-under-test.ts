import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import { createLogger, createMetrics } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { createTestDatabase } from '@rapporteur/testbed';
import { createEndpointSecrets } from '../endpoints/endpoint-secrets.ts';
import { createEndpoints } from '../endpoints/endpoints.store.ts';
import type { Endpoints } from '../endpoints/endpoints.store.ts';
import { statusMessage } from '../messages/message-body.ts';
import { storeTelling } from '../messages/messages.store.ts';
import { openDeliveryDatabase } from '../schema/open-delivery-database.ts';
import type { AttemptRow, DeliveryRow } from '../schema/rows.ts';
import { AttemptWorker } from '../sending/attempt-worker.ts';
import type { ClaimedDelivery } from '../sending/deliveries.store.ts';
import { deliveryQueue } from '../sending/delivery-queue.ts';
import { sendDelivery } from '../sending/send-delivery.ts';
import { statusChanged } from './bot-events.ts';

const attemptTimeoutMs = 500;

type EndpointWorker = AttemptWorker<ClaimedDelivery>;

/** The sending half of delivery on a clock that stands still, with real endpoints to send to. */
export interface WorkerUnderTest {
  readonly clock: FakeClock;
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly worker: EndpointWorker;
  /** Another instance on the same database, as in a second process. */
  anotherWorker(): EndpointWorker;
  /** A team of its own with one endpoint. */
  endpoint(url: string, teamId?: string): Promise<{ teamId: string; endpointId: string; secret: string }>;
  /** Stores one message of a team and gives its id. */
  message(teamId: string, sequence?: number): Promise<string>;
  /** Moves the clock, sends what is due then and waits until it is done. */
  after(ms: number): Promise<void>;
  delivery(endpointId: string, messageId: string): Promise<DeliveryRow>;
  attempts(messageId: string): Promise<AttemptRow[]>;
  stop(): Promise<void>;
}

export async function startWorkerUnderTest(): Promise<WorkerUnderTest> {
  const server = await createTestDatabase();
  const database = await openDeliveryDatabase(server.url, 10);
  const clock = new FakeClock(Date.UTC(2026, 10, 21));
  const secrets = createEndpointSecrets(createSecretBox({ current: randomBytes(32).toString('base64') }));
  const endpoints = createEndpoints(database, secrets, () => clock.now());
  const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  const askBotSecret = (): Promise<null> => Promise.resolve(null);
  const workers: EndpointWorker[] = [];
  const newWorker = (): EndpointWorker => {
    const worker: EndpointWorker = new AttemptWorker({
      queue: deliveryQueue(database, createLogger('test', 'silent')),
      clock,
      logger: createLogger('test', 'silent'),
      metrics: createMetrics('test'),
      send: (delivery, signal) =>
        sendDelivery({ outbound, secrets, askBotSecret, clock, timeoutMs: attemptTimeoutMs }, delivery, signal),
      concurrency: 50,
      laneConcurrency: 5,
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
    endpoints,
    worker,
    anotherWorker: newWorker,
    endpoint: async (url, teamId = randomUUID()) => {
      const wanted = { url, name: null, events: ['bot.status_change'], enabled: true, format: 'v2' as const };
      const { endpoint, secret } = await endpoints.create(teamId, wanted);
      return { teamId, endpointId: endpoint.endpoint_id, secret };
    },
    message: async (teamId, sequence = 1) => {
      const now = new Date(clock.now());
      const message = statusMessage(statusChanged(teamId, { sequence }), now.toISOString());
      await database.transaction((transaction) => storeTelling(transaction, { v2: message, legacy: null }, now));
      return message.messageId;
    },
    after: async (ms) => {
      await clock.advance(ms);
      while ((await worker.sweep()) > 0) await worker.idle();
    },
    delivery: async (endpointId, messageId) => {
      const rows = await database.query<DeliveryRow>(
        'select * from deliveries where endpoint_id = $1 and message_id = $2',
        [endpointId, messageId],
      );
      return rows[0] as DeliveryRow;
    },
    attempts: (messageId) =>
      database.query<AttemptRow>('select * from attempts where message_id = $1 order by number', [messageId]),
    stop: async () => {
      await Promise.all(workers.map((each) => each.stop()));
      outbound.close();
      await database.close();
      await server.drop();
    },
  };
}
