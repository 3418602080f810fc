import { randomBytes, randomUUID } from 'node:crypto';
import { botEnded, botStatusChanged, internalCalls, webhookEventNames } from '@rapporteur/contracts';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { connectBus } from '@rapporteur/event-bus';
import {
  createApp,
  createLogger,
  createService,
  jsonBody,
  loadConfig,
  Secret,
  sendFailures,
} from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import { createTestDatabase, startOwnNats } from '@rapporteur/testbed';
import { throughContract } from '@rapporteur/testbed/through-contract';
import { deliveryConfig } from '../config.ts';
import { startDelivery } from '../delivery.ts';
import type { BotEnded, StatusChanged } from '../messages/message-body.ts';
import { openDeliveryDatabase } from '../schema/open-delivery-database.ts';
import { envelope } from './bot-events.ts';

const silent = createLogger('test', 'silent');

export interface ApiResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/**
 * Delivery's dependencies in a test: a database, a bus, the gateway's side of the internal API, stubs of storage-config
 * and bot-scheduler.
 */
export interface Surroundings {
  readonly database: Database;
  /** Settings of delivery as environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stub of storage-config: number of requests for links, and its response status. */
  readonly storage: { requested: number; status: number };
  /** Stub of bot-scheduler: a bot's secrets by `<bot id>/<field>`, number of requests, and its response status. */
  readonly scheduler: { readonly secrets: Map<string, string>; requested: number; status: number };
  notify<T>(definition: EventDefinition<T>, data: T, id?: string): Promise<void>;
  statusChanged(data: StatusChanged, id?: string): Promise<void>;
  ended(data: BotEnded, id?: string): Promise<void>;
  /** A client that calls like the gateway, for a team. */
  api(base: string, teamId: string): Api;
  stop(): Promise<void>;
}

export interface Api {
  call(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Creates an endpoint and returns its record. */
  endpoint(url: string, more?: object): Promise<{ endpoint_id: string; secret: string }>;
}

export async function startSurroundings(): Promise<Surroundings> {
  const [server, nats] = await Promise.all([createTestDatabase(openDeliveryDatabase), startOwnNats()]);
  const internalSecret = randomBytes(24).toString('hex');
  const dependencies = { internalSecret: new Secret(internalSecret), logger: silent };
  const gateway = createService({ name: 'api-gateway', ...dependencies });
  const storageService = createService({ name: 'storage-config', ...dependencies });
  const schedulerService = createService({ name: 'bot-scheduler', ...dependencies });
  const bus = await connectBus({ url: nats.url, name: 'bot-scheduler', logger: silent });
  await bus.ensureStreams();
  const database = await openDeliveryDatabase(server.url, 3);
  const storage = { requested: 0, status: 200 };
  const app = createApp(storageService);
  app.post(
    internalCalls.storage.signUrls.path,
    storageService.auth.require(['delivery']),
    jsonBody({ limitBytes: 10_000 }),
    (request, response) => {
      storage.requested += 1;
      const { keys } = request.body as { keys: Record<string, string> };
      const urls = Object.fromEntries(
        Object.entries(keys).map(([kind, key]) => [kind, `https://files.example.com/${key}?sig=${randomUUID()}`]),
      );
      response.status(storage.status).json({ urls, expiresAt: '2026-11-21T13:00:00.000Z' });
    },
  );
  app.use(...sendFailures(storageService));
  const { url: storageUrl } = await storageService.listen(app, { host: '127.0.0.1', port: 0 });
  const scheduler = { secrets: new Map<string, string>(), requested: 0, status: 200 };
  const schedulerUrl = await listenAsScheduler(schedulerService, scheduler);
  const notify = <T>(definition: EventDefinition<T>, data: T, id?: string): Promise<void> =>
    bus.publish(definition.type, envelope(definition.type, data, id));
  return {
    database,
    storage,
    scheduler,
    notify,
    environment: {
      RAPPORTEUR_PORT: '0',
      RAPPORTEUR_DATABASE_URL: server.url,
      RAPPORTEUR_DATABASE_POOL_SIZE: '5',
      RAPPORTEUR_BUS_URL: nats.url,
      RAPPORTEUR_INTERNAL_SECRET: internalSecret,
      RAPPORTEUR_STORAGE_URL: storageUrl,
      RAPPORTEUR_SCHEDULER_URL: schedulerUrl,
      RAPPORTEUR_SECRET_KEY: randomBytes(32).toString('base64'),
      RAPPORTEUR_ALLOWED_ADDRESSES: 'loopback',
      RAPPORTEUR_REQUIRE_HTTPS: 'false',
      RAPPORTEUR_POLL_MS: '50',
    },
    statusChanged: (data, id) => notify(botStatusChanged, data, id),
    ended: (data, id) => notify(botEnded, data, id),
    api: (base, teamId) =>
      apiOf((url, init) => gateway.auth.fetch('delivery', url, { teamId, permission: 'full', ...init }), base),
    stop: async () => {
      await Promise.all([
        gateway.stop(),
        storageService.stop(),
        schedulerService.stop(),
        bus.close(),
        database.close(),
      ]);
      await Promise.all([server.drop(), nats.remove()]);
    },
  };
}

async function listenAsScheduler(service: Service, scheduler: Surroundings['scheduler']): Promise<string> {
  const app = createApp(service);
  app.post(
    internalCalls.bots.secret.path,
    service.auth.require(['delivery']),
    jsonBody({ limitBytes: 10_000 }),
    (request, response) => {
      scheduler.requested += 1;
      const { botId, field } = internalCalls.bots.secret.body.parse(request.body);
      response.status(scheduler.status).json({ secret: scheduler.secrets.get(`${botId}/${field}`) ?? null });
    },
  );
  app.use(...sendFailures(service));
  const { url } = await service.listen(app, { host: '127.0.0.1', port: 0 });
  return url;
}

function apiOf(fetchInternal: (url: string, init: RequestInit) => Promise<Response>, base: string): Api {
  const call = async (method: string, path: string, body?: unknown): Promise<ApiResponse> => {
    const target = `/v2/webhooks${path}`;
    const response = await throughContract({ method, path: target, body }, (init) =>
      fetchInternal(`${base}/internal${target}`, init),
    );
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    call,
    endpoint: async (url, more = {}) => {
      const { body } = await call('POST', '/endpoints', { url, events: webhookEventNames, ...more });
      return body['data'] as { endpoint_id: string; secret: string };
    },
  };
}

/** Starts delivery in this process. */
export async function startDeliveryUnderTest(
  surroundings: Surroundings,
  changes: Record<string, string> = {},
): Promise<{ readonly url: string; stop(): Promise<boolean> }> {
  const config = loadConfig(deliveryConfig, { ...surroundings.environment, ...changes });
  const service = createService({ name: 'delivery', internalSecret: config.internalSecret, logger: silent });
  const { url } = await startDelivery(service, config);
  return { url, stop: () => service.stop() };
}
