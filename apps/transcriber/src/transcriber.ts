import type { Database } from '@rapporteur/database';
import { createInbox, openStores, startOutbox } from '@rapporteur/event-bus';
import type { Outbox } from '@rapporteur/event-bus';
import { openOutbound, providerMetricsOf } from '@rapporteur/outbound-http';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import type { TranscriberConfig } from './config.ts';
import { startJobWorker } from './jobs/job-worker.ts';
import { removeOldJobs } from './jobs/jobs.store.ts';
import { consumeBotEvents } from './jobs/bot-events.consumer.ts';
import { createOpenProvider, measuredProviders } from './provider-access/open-provider.ts';
import type { OpenProvider } from './provider-access/open-provider.ts';
import { readTranscriptionGauges, transcriberMetrics } from './metrics.ts';
import { openTranscriptSchema } from './schema/open-schema.ts';
import { createRecordingStore } from './storage/recording-store.ts';
import type { OpenBotFiles } from './storage/recording-store.ts';
import { transcriptRoutes } from './transcripts/transcripts.routes.ts';
import { createCallbackAddresses } from './jobs/callback-address.ts';
import type { CallbackAddresses } from './jobs/callback-address.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';

interface WorkerDependencies {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly addresses: CallbackAddresses;
  readonly openBotFiles: OpenBotFiles;
  readonly openProvider: OpenProvider;
}

/** Opens all resources and registers their stops. Resolves once it works and serves requests. */
export async function startTranscriber(service: Service, config: TranscriberConfig): Promise<Listening> {
  const { auth, clock } = service;
  refuseHalfAnAddress(config);
  const stores = await openStores(service, config, () =>
    openTranscriptSchema(config.databaseUrl.reveal(), config.databasePoolSize),
  );
  const outbox = startOutbox(service, stores);
  const addresses = createCallbackAddresses(config.internalSecret, config.publicUrl);
  const openBotFiles = createRecordingStore(auth, { storageUrl: config.storageUrl, now: () => clock.now() });
  const openProvider = createOpenProvider({
    http: openOutbound(service, config),
    auth,
    config,
    measurements: service.metrics.declare(providerMetricsOf(measuredProviders)),
  });
  const worker = startWorker(service, config, { ...stores, outbox, addresses, openBotFiles, openProvider });
  const { database, bus } = stores;
  const requests = await consumeBotEvents({
    bus,
    inbox: createInbox({ database, bus, service: service.name }),
    now: () => clock.now(),
    jobDeadlineMs: config.jobDeadlineMs,
    onDue: () => worker.notify(),
  });
  service.onStop('requests', () => requests.stop());
  startCleanup(service, config, database);
  const app = createApp(service);
  app.use(transcriptRoutes(auth, { database, openBotFiles, openProvider }));
  app.use(...sendFailures(service));
  const listening = await service.listen(app, { host: config.host, port: config.port });
  const webhooks = createApp(service, { showsMetrics: false, namesChecks: false });
  webhooks.use(webhookRoutes({ database, addresses, onDue: () => worker.notify() }));
  webhooks.use(...sendFailures(service));
  if (config.webhookPort !== undefined) {
    await service.listen(webhooks, { host: config.webhookHost, port: config.webhookPort });
  }
  return listening;
}

function refuseHalfAnAddress({ publicUrl, webhookPort }: TranscriberConfig): void {
  if ((publicUrl === undefined) === (webhookPort === undefined)) return;
  throw new Error(
    'Only half of the address for webhooks is configured: set RAPPORTEUR_PUBLIC_URL and RAPPORTEUR_WEBHOOK_PORT, or neither of them.',
  );
}

function startWorker(
  service: Service,
  config: TranscriberConfig,
  { database, outbox, addresses, openBotFiles, openProvider }: WorkerDependencies,
): ReturnType<typeof startJobWorker> {
  const { clock, logger, metrics } = service;
  const { ended, ...gauges } = metrics.declare(transcriberMetrics);
  metrics.collect('transcriptions', Object.values(gauges), () => readTranscriptionGauges(database, gauges));
  const worker = startJobWorker({
    database,
    events: outbox,
    openProvider,
    ended,
    openBotFiles,
    addresses,
    clock,
    logger,
    settings: config,
    concurrency: config.concurrency,
    sweepMs: config.sweepMs,
  });
  service.onStop('transcription jobs', () => worker.stop());
  return worker;
}

const cleanupEveryMs = 3_600_000;
const dayMs = 86_400_000;

function startCleanup(service: Service, { retentionDays }: TranscriberConfig, database: Database) {
  service.repeat({
    what: 'Removing old transcription jobs',
    everyMs: cleanupEveryMs,
    work: () => removeOldJobs(database, new Date(service.clock.now() - retentionDays * dayMs)),
  });
}
