import { Router } from 'express';
import { connectBus, createInbox } from '@rapporteur/event-bus';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import type { DeliveryConfig } from './config.ts';
import { createEndpointSecrets } from './endpoints/endpoint-secrets.ts';
import { endpointRoutes } from './endpoints/endpoints.routes.ts';
import { createEndpoints } from './endpoints/endpoints.store.ts';
import { signThroughStorage } from './messages/artifact-urls.ts';
import { consumeBotEvents } from './messages/bot-events.consumer.ts';
import { sendTestMessage } from './messages/message-history.store.ts';
import { messageRoutes } from './messages/messages.routes.ts';
import { keepRetention } from './messages/retention.ts';
import { openDeliveryDatabase } from './schema/open-delivery-database.ts';
import { createSealer } from './secrets/sealed-text.ts';
import { sendAttempt } from './sending/send-attempt.ts';
import { DeliveryWorker } from './sending/worker.ts';

/** Opens everything delivery needs, in order, and registers the stops. Resolves once it answers, listens and sends. */
export async function startDelivery(service: Service, config: DeliveryConfig): Promise<Listening> {
  const { clock, logger, metrics } = service;
  const secrets = createEndpointSecrets(createSealer(config.secretKey.reveal()));
  const outbound = createOutboundHttp({
    allow: config.allowedAddresses,
    requireHttps: config.requireHttps,
    ...(config.caFile === undefined ? {} : { caFile: config.caFile }),
  });
  service.onStop('outgoing connections', () => outbound.close());
  if (config.allowedAddresses.length > 0)
    logger.info(
      { allowed: config.allowedAddresses },
      'Webhooks may reach these addresses although they are not public.',
    );

  const database = await openDeliveryDatabase(config.databaseUrl.reveal(), config.databasePoolSize);
  service.onStop('database', () => database.close());
  service.readiness('database', () => database.ping());

  const credentials = config.busCredentials?.reveal();
  const bus = await connectBus({
    url: config.busUrl,
    name: service.name,
    logger,
    ...(credentials === undefined ? {} : { credentials }),
  });
  service.onStop('bus', () => bus.close());
  await bus.ensureStreams();

  const retention = keepRetention({ database, clock, logger, retentionDays: config.retentionDays });
  service.onStop('retention', () => retention.stop());

  const worker = new DeliveryWorker({
    database,
    clock,
    logger,
    metrics,
    send: (delivery, signal) =>
      sendAttempt({ outbound, secrets, clock, timeoutMs: config.attemptTimeoutMs }, delivery, signal),
    concurrency: config.concurrency,
    endpointConcurrency: config.endpointConcurrency,
    attemptTimeoutMs: config.attemptTimeoutMs,
    pollMs: config.pollMs,
  });
  worker.start();
  service.onStop('webhook worker', () => worker.stop());
  const onDue = (): void => worker.ring();

  const events = await consumeBotEvents({
    database,
    bus,
    inbox: createInbox({ database, bus, service: service.name }),
    clock,
    signArtifacts: signThroughStorage(service.auth, config.storageUrl),
    onStored: onDue,
  });
  service.onStop('bot events', () => events.stop());

  const endpoints = createEndpoints(database, secrets, () => clock.now());
  const sendTest = (teamId: string, endpointId: string): Promise<string> =>
    sendTestMessage(database, { teamId, endpointId }, new Date(clock.now()));
  const app = createApp(service);
  const routes = Router();
  routes.use(service.auth.require(['api-gateway']));
  routes.use(endpointRoutes({ endpoints, outbound, clock, sendTest, onDue }));
  routes.use(messageRoutes({ database, endpoints, clock, onDue }));
  app.use('/internal/v2/webhooks', routes);
  app.use(...sendFailures(service));
  return service.listen(app, { host: config.host, port: config.port });
}
