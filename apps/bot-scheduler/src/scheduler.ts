import { botQueued } from '@rapporteur/contracts';
import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { connectBus, createCredentialIssuer, createInbox, createOutbox } from '@rapporteur/event-bus';
import type { Bus, Outbox } from '@rapporteur/event-bus';
import { createSecretBox } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import { admissionRoutes } from './admission/admission.routes.ts';
import { formerKeysOf, simulatorOf } from './config.ts';
import type { SchedulerConfig } from './config.ts';
import { commandRoutes } from './commands/commands.routes.ts';
import { forgetOldCommands } from './commands/commands.store.ts';
import { deleteDataRoutes } from './data-deletion/delete-data.routes.ts';
import { deleteWaitingObjects } from './data-deletion/delete-objects.ts';
import { forgetExpired } from './data-deletion/retention.ts';
import { createAccessCounter } from './details/access-counter.ts';
import { detailsRoutes } from './details/details.routes.ts';
import { updateConfigRoutes } from './extra/update-config.routes.ts';
import { drainRuns } from './launch/drain-runs.ts';
import type { BotLauncher } from './launch/launcher.ts';
import { createReconciler } from './launch/reconcile.ts';
import { ticketRoutes } from './launch/ticket.routes.ts';
import { answerLeases } from './leases/answer-leases.ts';
import { listingRoutes } from './listing/listing.routes.ts';
import { createTermDensity } from './listing/term-density.ts';
import { consumeReports } from './lifecycle/report.consumer.ts';
import { leaveRoutes } from './lifecycle/leave.routes.ts';
import { requestLeave } from './lifecycle/request-leave.ts';
import { preflightRoutes } from './preflight/preflight.routes.ts';
import { retranscribeRoutes } from './retranscribe/retranscribe.routes.ts';
import { cancelScheduled } from './scheduled/cancel-scheduled.ts';
import { startRunningDue } from './scheduled/run-due.sweep.ts';
import { scheduledRoutes } from './scheduled/scheduled.routes.ts';
import { redeliveryRoutes } from './redelivery/redelivery.routes.ts';
import { entities } from './schema/entities.ts';
import { migrations } from './schema/migrations.ts';
import { declareCounters } from './metrics.ts';
import type { SchedulerCounters } from './metrics.ts';
import { createSecretCare } from './secrets/secret-care.ts';
import { secretRoutes } from './secrets/secrets.routes.ts';
import { createStorageClient } from './storage/storage-client.ts';
import type { StorageClient } from './storage/storage-client.ts';
import { startSweep } from './sweep.ts';
import { consumeIdentity } from './teams/identity.consumer.ts';

/** What this service stands on; tests bring their own storage. */
export interface SchedulerParts {
  readonly service: Service;
  readonly config: SchedulerConfig;
  readonly launcher: BotLauncher;
  readonly storage?: StorageClient;
}

interface Opened extends SchedulerParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly outbox: Outbox;
  readonly counters: SchedulerCounters;
  readonly box: SecretBox;
  readonly storage: StorageClient;
}

/**
 * Opens everything in the order in which it depends on each other; `service.stop()` closes it in reverse: first no new
 * requests and launches, then the runs drain while their reports are still applied, then the bus and the database.
 */
export async function startScheduler(parts: SchedulerParts): Promise<Listening> {
  const { service, config, launcher } = parts;
  const simulator = simulatorOf(config);
  const box = createSecretBox({ current: config.secretKey.reveal(), former: formerKeysOf(config) });
  const opened: Opened = {
    ...parts,
    box,
    storage: parts.storage ?? createStorageClient(service.auth, config.storageUrl),
    ...(await openStores(service, config)),
    counters: declareCounters(service.metrics),
  };
  service.onStop('launcher', () => launcher.close());
  await startListeningToBus(opened);
  await startRuns(opened);
  startSchedules(opened);
  startDataCare(opened);
  return listenToRequests(opened, simulator);
}

async function openStores(
  service: Service,
  config: SchedulerConfig,
): Promise<{ database: Database; bus: Bus; outbox: Outbox }> {
  const { logger, metrics, name } = service;
  const database = await openDatabase({
    url: config.databaseUrl.reveal(),
    schema: 'bots',
    entities,
    migrations,
    applicationName: name,
    poolSize: config.databasePoolSize,
  });
  service.onStop('database', () => database.close());
  service.readiness('database', () => database.ping());
  const credentials = config.busCredentials?.reveal();
  const bus = await connectBus({
    url: config.busUrl,
    name,
    logger,
    ...(credentials === undefined ? {} : { credentials }),
  });
  service.onStop('message bus', () => bus.close());
  service.readiness('message bus', async () => {
    if (!bus.healthy()) throw new Error('The message bus is not connected.');
  });
  await bus.ensureStreams();
  const outbox = createOutbox({ database, bus, service: name, logger, metrics });
  outbox.start();
  service.onStop('outbox', () => outbox.stop());
  return { database, bus, outbox };
}

async function startListeningToBus({ service, config, database, bus, outbox, counters }: Opened): Promise<void> {
  const { logger, clock, name } = service;
  const now = () => clock.now();
  const inbox = createInbox({ database, bus, service: name });
  const identity = await consumeIdentity({ bus, inbox });
  service.onStop('identity consumers', () => identity.stop());
  const reports = await consumeReports({
    bus,
    database,
    events: outbox,
    logger,
    counters,
    now,
    concurrency: Math.min(8, config.databasePoolSize),
  });
  service.onStop('report consumer', () => reports.stop());
  const leases = await answerLeases({ bus, database, now });
  service.onStop('lease answers', () => leases.stop());
}

/** Time on top of the runs' own to write down what they did. */
const afterDrainMs = 10_000;

async function startRuns(opened: Opened): Promise<void> {
  const { service, config, database, bus, outbox, launcher, counters } = opened;
  const { logger, clock } = service;
  const hearsRunners = () => bus.healthy();
  const reconciler = createReconciler({
    database,
    events: outbox,
    launcher,
    clock,
    logger,
    counters,
    hearsRunners,
    settings: config,
  });
  const sweep = startSweep({
    what: 'Looking after runs',
    everyMs: config.sweepMs,
    work: () => reconciler.round(),
    clock,
    logger,
  });
  service.onStop('run sweep', async () => {
    await sweep.stop();
    await reconciler.settle();
  });
  launcher.onExit(() => sweep.ring());
  service.onStop(
    'running bots',
    async () => {
      await drainRuns(launcher, config.drainMs, logger);
    },
    config.drainMs + afterDrainMs,
  );
  const inbox = createInbox({ database, bus, service: service.name });
  // The row is what counts; the event only says that it is worth looking now.
  const ringing = inbox.handle(
    botQueued,
    async () => undefined,
    () => sweep.ring(),
  );
  const queued = await bus.consume({ consumer: service.name, subject: botQueued.type, handle: ringing });
  service.onStop('queue consumer', async () => {
    await queued.stop();
    await reconciler.stopLaunching();
  });
}

/** Scheduled bots becoming bots, and the care for secrets: both stop before anything else does. */
function startSchedules({ service, config, database, outbox, counters, box }: Opened): void {
  const { logger, clock } = service;
  const now = () => clock.now();
  const due = startRunningDue({ database, events: outbox, now, settings: config, counters, clock, logger });
  service.onStop('scheduled bots', () => due.stop());
  const settings = { ...config, rewrap: config.formerSecretKeys !== undefined };
  const work = createSecretCare({ database, box, logger, now, settings });
  const care = startSweep({ what: 'Looking after secrets', everyMs: config.secretCareMs, work, clock, logger });
  service.onStop('secret care', () => care.stop());
}

/** Commands hold what customers write in chats; an answer is waited for some seconds only. */
const commandsKeptMs = 3_600_000;

function startDataCare({ service, config, database, outbox, storage }: Opened): void {
  const { logger, clock } = service;
  const now = () => clock.now();
  const forgetting = startSweep({
    what: 'Deleting data',
    everyMs: config.dataCareMs,
    work: async () => {
      await forgetExpired({ database, events: outbox, now });
      await deleteWaitingObjects({ database, deleteBotObjects: storage.deleteBotObjects, now });
      await forgetOldCommands(database, new Date(now() - commandsKeptMs));
    },
    clock,
    logger,
  });
  service.onStop('data care', () => forgetting.stop());
}

function listenToRequests(opened: Opened, simulator: ReturnType<typeof simulatorOf>): Promise<Listening> {
  const { service, config, database, bus, outbox, box, storage } = opened;
  const { auth, clock } = service;
  const now = () => clock.now();
  const { deleteBotObjects } = storage;
  const issuer = config.busAccountSeed === undefined ? null : createCredentialIssuer(config.busAccountSeed.reveal());
  const app = createApp(service);
  const admission = { database, events: outbox, box, now, simulatorLinkHosts: simulator?.linkHosts ?? [] };
  const leaving = { database, events: outbox, ringRunner: (subject: string) => bus.ring(subject), now };
  app.use(admissionRoutes(auth, admission));
  app.use(preflightRoutes(auth, admission));
  app.use(scheduledRoutes(auth, { ...admission, leave: (botId, teamId) => requestLeave(leaving, botId, teamId) }));
  app.use(secretRoutes(auth, { database, box }));
  app.use(listingRoutes(auth, { database, density: createTermDensity(database, now), now }));
  const accesses = createAccessCounter({ database, clock, logger: service.logger });
  service.onStop('access counter', () => accesses.stop());
  app.use(detailsRoutes(auth, { database, box, signUrls: storage.signUrls, noteAccess: accesses.note }));
  app.use(
    leaveRoutes(auth, {
      ...leaving,
      cancelScheduled: ({ botId, teamId }) => cancelScheduled({ database, now }, botId, teamId),
    }),
  );
  app.use(commandRoutes(auth, { database, ringRunner: leaving.ringRunner, clock }));
  app.use(updateConfigRoutes(auth, { database, now }));
  app.use(retranscribeRoutes(auth, { database }));
  app.use(redeliveryRoutes(auth, { database, events: outbox, box, now }));
  app.use(deleteDataRoutes(auth, { database, events: outbox, deleteBotObjects, now, logger: service.logger }));
  app.use(
    ticketRoutes({
      database,
      grantUpload: (request) => storage.grantUpload(request),
      busCredentials: async (botId, lifetimeSeconds) =>
        issuer === null ? null : issuer.forBot(botId, lifetimeSeconds),
      settings: {
        busUrl: config.runnerBusUrl ?? config.busUrl,
        leaseRenewMs: config.leaseRenewMs,
        leaseLostAfterMs: config.leaseLostAfterMs,
        simulator,
        outbound: {
          allow: [...config.runnerAllowedAddresses],
          requireHttps: config.runnerRequireHttps,
          caFile: config.runnerCaFile ?? null,
        },
      },
      now,
    }),
  );
  app.use(...sendFailures(service));
  return service.listen(app, { host: config.host, port: config.port });
}
