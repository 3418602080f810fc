import type { Database } from '@rapporteur/database';
import { createInbox, openStores } from '@rapporteur/event-bus';
import { openOutbound } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { openSecretBox } from '@rapporteur/secret-box';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import { requestScheduler } from './sending/bot-secrets.ts';
import type { DeliveryConfig } from './config.ts';
import { createEndpointSecrets } from './endpoints/endpoint-secrets.ts';
import type { EndpointSecrets } from './endpoints/endpoint-secrets.ts';
import { endpointRoutes } from './endpoints/endpoints.routes.ts';
import { createEndpoints } from './endpoints/endpoints.store.ts';
import { keepSecretsRewrapped } from './endpoints/rewrap-secrets.ts';
import { signThroughStorage } from './messages/final-events.ts';
import { createAudience } from './messages/audience.ts';
import { consumeCalendarEvents } from './messages/calendar-events.consumer.ts';
import { consumeLoginEvents } from './messages/login-events.consumer.ts';
import { consumeBotEvents } from './messages/bot-events.consumer.ts';
import { sendTestMessage } from './messages/message-history.store.ts';
import { messageRoutes } from './messages/messages.routes.ts';
import { newMessageRoutes } from './messages/new-messages.routes.ts';
import { keepRetention } from './messages/retention.ts';
import { deliveryMetrics, readDueGauges } from './metrics.ts';
import { openDeliveryDatabase } from './schema/open-delivery-database.ts';
import { attemptWorker } from './sending/attempt-worker.ts';
import { deliveryQueue } from './sending/delivery-queue.ts';
import { sendDelivery } from './sending/send-delivery.ts';

/**
 * Opens all resources of delivery and registers their stops. Resolves once it serves requests, consumes events and
 * sends.
 */
export async function startDelivery(service: Service, config: DeliveryConfig): Promise<Listening> {
  const { clock, logger } = service;
  const box = openSecretBox(config);
  const secrets = createEndpointSecrets(box);
  const outbound = openOutbound(service, config);
  if (config.allowedAddresses.length > 0)
    logger.info(
      { allowed: config.allowedAddresses },
      'Webhooks may reach these addresses although they are not public.',
    );

  const { database, bus } = await openStores(service, config, () =>
    openDeliveryDatabase(config.databaseUrl.reveal(), config.databasePoolSize),
  );
  const retention = keepRetention({ database, clock, logger, retentionDays: config.retentionDays });
  service.onStop('retention', () => retention.stop());
  const rewrapping = keepSecretsRewrapped({ database, secrets, clock, logger, hasFormerKeys: box.hasFormerKeys });
  service.onStop('sealing anew', () => rewrapping.stop());

  const { due, oldestDue } = service.metrics.declare(deliveryMetrics);
  service.metrics.collect('deliveries', [due, oldestDue], () =>
    readDueGauges(database, { due, oldestDue }, new Date(clock.now())),
  );
  const worker = startWorker(service, config, { database, outbound, secrets });
  const onDue = (): void => worker.notify();
  const consuming = {
    database,
    bus,
    inbox: createInbox({ database, bus, service: service.name }),
    clock,
    onStored: onDue,
  };
  const signArtifacts = signThroughStorage(service.auth, config);
  const events = await consumeBotEvents({ ...consuming, signArtifacts });
  service.onStop('bot events', () => events.stop());
  const audience = createAudience(database);
  const calendarEvents = await consumeCalendarEvents({ ...consuming, audience });
  service.onStop('calendar events', () => calendarEvents.stop());
  const loginEvents = await consumeLoginEvents({ ...consuming, audience });
  service.onStop('login events', () => loginEvents.stop());

  const endpoints = createEndpoints(database, secrets, () => clock.now());
  const sendTest = (teamId: string, endpointId: string): Promise<string> =>
    sendTestMessage(database, { teamId, endpointId }, new Date(clock.now()));
  const app = createApp(service);
  const { auth } = service;
  app.use(endpointRoutes(auth, { endpoints, outbound, clock, sendTest, onDue }));
  app.use(messageRoutes(auth, { database, endpoints, clock, onDue }));
  app.use(newMessageRoutes(auth, { database, clock, isStopping: () => service.stopping }));
  app.use(...sendFailures(service));
  return service.listen(app, { host: config.host, port: config.port });
}

interface Sending {
  readonly database: Database;
  readonly outbound: OutboundHttp;
  readonly secrets: EndpointSecrets;
}

function startWorker(service: Service, config: DeliveryConfig, { database, outbound, secrets }: Sending) {
  const { clock, logger, metrics } = service;
  const requestBotSecret = requestScheduler(service.auth, config.schedulerUrl);
  const { attemptTimeoutMs, concurrency, endpointConcurrency, pollMs } = config;
  const sending = { outbound, secrets, requestBotSecret, clock, timeoutMs: attemptTimeoutMs };
  const worker = attemptWorker({
    clock,
    logger,
    metrics,
    concurrency,
    partitionConcurrency: endpointConcurrency,
    attemptTimeoutMs,
    pollMs,
    queue: deliveryQueue(database, logger),
    send: (delivery, signal) => sendDelivery(sending, delivery, signal),
  });
  worker.start();
  service.onStop('delivery worker', () => worker.stop());
  return worker;
}
