import { runsWantedSubject } from '@rapporteur/contracts';
import type { Database, DatabaseOptions } from '@rapporteur/database';
import { createCredentialIssuer, createInbox, openStores, startOutbox } from '@rapporteur/event-bus';
import type { Bus, Outbox } from '@rapporteur/event-bus';
import { createUrlCheck } from '@rapporteur/outbound-http';
import { openSecretBox } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Repetition, Service } from '@rapporteur/service-runtime';
import type { AddressChecks } from './admission/address-rules.ts';
import { calendarBotRoutes } from './scheduled/calendar-bots.routes.ts';
import { admissionRoutes } from './admission/admission.routes.ts';
import { zoomSdkOf, simulatorOf } from './config.ts';
import type { SchedulerConfig } from './config.ts';
import { canaryRoutes } from './canaries/canaries.routes.ts';
import { readCanaries } from './canaries/read-canaries.ts';
import { startCanaries } from './canaries/start-canaries.ts';
import { commandRoutes } from './commands/commands.routes.ts';
import { deleteDataRoutes } from './data-deletion/delete-data.routes.ts';
import type { ObjectDeletionDependencies } from './data-deletion/delete-objects.ts';
import { startDataMaintenance } from './data-deletion/start-data-maintenance.ts';
import { createAccessCounter } from './reading/access-counter.ts';
import { detailsRoutes } from './reading/details.routes.ts';
import { updateConfigRoutes } from './commands/update-config.routes.ts';
import { capacityRoutes } from './launch/capacity.routes.ts';
import { drainRuns } from './launch/drain-runs.ts';
import type { BotLauncher } from './launch/launcher.ts';
import { createReconciler } from './launch/reconcile.ts';
import { runnerSettingsOf } from './launch/runner-settings.ts';
import { ticketRoutes } from './launch/ticket.routes.ts';
import { handleLeaseRequests } from './lifecycle/lease-requests.ts';
import { createRecordingWindow } from './lifecycle/recording-window.ts';
import type { RecordingWindow } from './lifecycle/recording-window.ts';
import { fleetRoutes } from './launch/fleet.routes.ts';
import { liveViewRoutes } from './reading/live-view.routes.ts';
import { listingRoutes } from './reading/listing.routes.ts';
import { createSearchIndex } from './reading/search-index.ts';
import { consumeReports } from './lifecycle/report.consumer.ts';
import { botMoveRoutes } from './launch/bot-moves.routes.ts';
import { leaveRoutes } from './lifecycle/leave.routes.ts';
import { requestLeave } from './lifecycle/request-leave.ts';
import { preflightRoutes } from './admission/preflight.routes.ts';
import { retranscribeRoutes } from './transcripts/retranscribe.routes.ts';
import { cancelScheduled } from './scheduled/cancel-scheduled.ts';
import { startRunningDue } from './scheduled/run-due.sweep.ts';
import { scheduledRoutes } from './scheduled/scheduled.routes.ts';
import { redeliveryRoutes } from './commands/redelivery.routes.ts';
import { openBotsSchema } from './open-schema.ts';
import { collectGauges } from './measurements/collect-gauges.ts';
import { pagePackReader } from './page-packs/page-pack-reader.ts';
import { pagePackRoutes } from './page-packs/page-packs.routes.ts';
import { startPagePacks } from './page-packs/start-page-packs.ts';
import { observeReports } from './measurements/observe-reports.ts';
import { observeMoves } from './measurements/observe-moves.ts';
import { schedulerMetrics } from './metrics.ts';
import type { SchedulerCounters } from './metrics.ts';
import { createSecretMaintenance } from './credentials/secret-maintenance.ts';
import { secretRoutes } from './credentials/secrets.routes.ts';
import { endDueGrants } from './lifecycle/end-grants.ts';
import { createServiceClients } from './service-clients.ts';
import type { ServiceClients, StorageClient } from './service-clients.ts';
import { handleSignInRequests } from './credentials/sign-in-requests.ts';
import { botStatesRoutes } from './credentials/bot-states.routes.ts';
import { handleJoinTokenRequests } from './credentials/join-token-requests.ts';
import { createTranscriberClient } from './transcription/transcriber-client.ts';
import { readLiveSettings } from './transcription/live-engines.ts';
import type { LiveSettings } from './transcription/live-engines.ts';
import { readEngines } from './transcription/engines.ts';
import type { TranscriptionEngines } from './transcription/engines.ts';
import { transcriptSearchRoutes } from './transcripts/transcript-search.routes.ts';
import { consumeTranscripts } from './transcripts/transcripts.consumer.ts';
import { usageRoutes } from './reading/usage.routes.ts';
import { consumeIdentity } from './credentials/identity.consumer.ts';

/** Dependencies of this service; tests provide their own storage. */
export interface SchedulerDependencies {
  readonly service: Service;
  readonly config: SchedulerConfig;
  readonly launcher: BotLauncher;
  readonly storage?: StorageClient;
}

/** Allowed time of a probe, in addition to the pause between probes, before the window of recorded renewals closes. */
const recordingSlackMs = 1_000;

interface Opened extends Omit<SchedulerDependencies, 'storage'>, ServiceClients {
  readonly database: Database;
  /** Connections reserved for lease renewals: no lease expires because the other connections are busy. */
  readonly leaseDatabase: Database;
  readonly window: RecordingWindow;
  readonly bus: Bus;
  readonly outbox: Outbox;
  readonly counters: SchedulerCounters;
  readonly box: SecretBox;
  readonly engines: TranscriptionEngines;
  readonly live: LiveSettings;
}

/**
 * Opens all resources, dependencies first; `service.stop()` closes them in reverse: first no new requests and launches,
 * then the runs drain while their reports are still applied, then the bus and the database.
 */
export async function startScheduler(dependencies: SchedulerDependencies): Promise<Listening> {
  const { service, config, launcher } = dependencies;
  const simulator = simulatorOf(config);
  const zoomSdk = zoomSdkOf(config);
  const engines = readEngines(config.transcriptionEngines);
  const live = readLiveSettings(config);
  const box = openSecretBox(config);
  const counters = service.metrics.declare(schedulerMetrics);
  const clients = createServiceClients(service.auth, config);
  const opened: Opened = {
    ...dependencies,
    box,
    engines,
    live,
    ...clients,
    storage: dependencies.storage ?? clients.storage,
    ...(await open(service, config, counters)),
    counters,
    window: createRecordingWindow(service.clock, 3 * config.leaseRenewMs + recordingSlackMs),
  };
  service.onStop('launcher', () => launcher.close());
  collectGauges(service.metrics, {
    database: opened.database,
    launcher,
    gauges: counters,
    maxConcurrentBots: config.maxConcurrentBots,
    now: () => service.clock.now(),
  });
  createSearchIndex(opened.database, service.logger).catch((error: unknown) => {
    service.logger.error({ err: error }, 'the search index of bots could not be created');
  });
  await startListeningToBus(opened);
  await startRuns(opened);
  startSchedules(opened);
  startDataMaintenance(service, deletionsOf(opened), config.dataMaintenanceMs);
  startPagePacks(opened);
  return listenToRequests(opened, { simulator, zoomSdk });
}

/** A renewal is one short statement: a connection without a response for three seconds is closed and replaced. */
const leaseStatements = { statementTimeoutMs: 2_000, idleGraceMs: 1_000 } as const;

async function open(
  service: Service,
  config: SchedulerConfig,
  counters: SchedulerCounters,
): Promise<Pick<Opened, 'database' | 'leaseDatabase' | 'bus' | 'outbox'>> {
  const openPool = (poolSize: number, more: Partial<DatabaseOptions> = {}) =>
    openBotsSchema(config.databaseUrl.reveal(), { poolSize, ...more });
  const { database, bus } = await openStores(service, config, () => openPool(config.databasePoolSize));
  const leaseDatabase = await openPool(config.leasePoolSize, {
    ...leaseStatements,
    applicationName: `${service.name} leases`,
  });
  service.onStop('lease database', () => leaseDatabase.close());
  service.readiness('lease database', () => leaseDatabase.ping());
  service.readiness('message bus', () => bus.check());
  const outbox = Object.assign(startOutbox(service, { database, bus }), { onMove: observeMoves(counters) });
  return { database, leaseDatabase, bus, outbox };
}

async function startListeningToBus({
  service,
  config,
  database,
  leaseDatabase,
  bus,
  outbox,
  counters,
  credentials,
  logins,
  engines,
  window,
}: Opened): Promise<void> {
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
    onApplied: observeReports(counters),
    now,
    concurrency: Math.min(8, config.databasePoolSize),
    ...(engines[0] === undefined ? {} : { defaultProvider: engines[0] }),
  });
  service.onStop('report consumer', () => reports.stop());
  const transcripts = await consumeTranscripts({ bus, inbox, events: outbox, now });
  service.onStop('transcripts', () => transcripts.stop());
  const { leasePoolSize: poolSize, leaseRenewMs: probeEveryMs } = config;
  const leases = handleLeaseRequests({ bus, database: leaseDatabase, poolSize, clock, logger, window, probeEveryMs });
  service.onStop('lease answers', () => leases.stop());
  const joinTokens = await handleJoinTokenRequests({ bus, database, credentials, now, logger });
  service.onStop('join token answers', () => joinTokens.stop());
  const signIns = await handleSignInRequests({ bus, database, logins, logger });
  service.onStop('sign-in answers', () => signIns.stop());
}

/** Time to store the results of runs, in addition to their drain time. */
const afterDrainMs = 10_000;
/** Minimum pause between two polls for waiting bots, however many are created. */
const runPollPauseMs = 250;

async function startRuns(opened: Opened): Promise<void> {
  const { service, config, database, bus, outbox, launcher, counters, window } = opened;
  const { logger, clock } = service;
  const grantEnds = startGrantEnds(opened);
  const reconciler = createReconciler({
    database,
    events: outbox,
    onEnded: () => grantEnds.notify(),
    launcher,
    clock,
    logger,
    counters,
    window,
    notifyRunner: (subject) => bus.notify(subject),
    settings: { ...config, startDeadlineMs: config.launcher === 'kubernetes' ? config.kubernetesStartDeadlineMs : 0 },
  });
  service.onStop('run stops', () => reconciler.settle());
  const sweep = service.repeat({
    what: 'Reconciling runs',
    everyMs: config.sweepMs,
    restMs: runPollPauseMs,
    work: async () => {
      // Waiting bots are launched as fast as the launcher allows, not once per sweep.
      if (await reconciler.round()) sweep.notify();
    },
  });
  launcher.onChange(() => sweep.notify());
  // Runs that outlive this replica are supervised by the others, or after its next start.
  if (!launcher.runsOutliveScheduler) {
    service.onStop(
      'running bots',
      async () => {
        await drainRuns(launcher, config.drainMs, logger);
      },
      config.drainMs + afterDrainMs,
    );
  }
  const wanted = bus.onNotification(runsWantedSubject, () => sweep.notify());
  service.onStop('launching', async () => {
    await wanted.stop();
    await reconciler.stopLaunching();
  });
}

/** Runs periodically, and at once when it is notified. */
function startGrantEnds({ service, config, database, storage }: Opened): Repetition {
  return service.repeat({
    what: 'Ending upload grants',
    everyMs: config.dataMaintenanceMs,
    work: () => endDueGrants({ database, endGrants: storage.endGrants, now: () => service.clock.now() }),
  });
}

const notifyRunsOn = (bus: Bus) => (): void => bus.notifyBatched(runsWantedSubject, {});

/** The sweep over scheduled bots and the maintenance of secrets; both stop before everything else. */
function startSchedules({ service, config, database, bus, outbox, counters, box, launcher, logins }: Opened): void {
  const { logger, clock } = service;
  const now = () => clock.now();
  const notifyRuns = notifyRunsOn(bus);
  const pace = () => launcher.pace();
  const running = {
    database,
    events: outbox,
    notifyRuns,
    now,
    settings: config,
    counters,
    pace,
    clock,
    logger,
    logins,
  };
  const due = startRunningDue(running);
  service.onStop('scheduled bots', () => due.stop());
  const settings = { ...config, rewrap: box.hasFormerKeys };
  service.repeat({
    what: 'Maintenance of secrets',
    everyMs: config.secretMaintenanceMs,
    work: createSecretMaintenance({ database, box, logger, now, settings }),
  });
}

function deletionsOf({ service, config, database, outbox, storage }: Opened): ObjectDeletionDependencies {
  const { clock, logger } = service;
  const { deleteBotObjects } = storage;
  return { ...config, database, events: outbox, deleteBotObjects, now: () => clock.now(), logger };
}

interface OutsideWorld {
  readonly simulator: ReturnType<typeof simulatorOf>;
  readonly zoomSdk: ReturnType<typeof zoomSdkOf>;
}

async function listenToRequests(opened: Opened, { simulator, zoomSdk }: OutsideWorld): Promise<Listening> {
  const { service, config, database, bus, outbox, box, storage, credentials, launcher, logins, engines, live } = opened;
  const { auth, clock } = service;
  const now = () => clock.now();
  const issuer = config.busAccountSeed === undefined ? null : createCredentialIssuer(config.busAccountSeed.reveal());
  const app = createApp(service);
  const { checkAddress, checkWebhook } = addressChecksOf(opened);
  const admission = {
    database,
    events: outbox,
    notifyRuns: notifyRunsOn(bus),
    box,
    now,
    simulatorLinkHosts: simulator?.linkHosts ?? [],
    zoom: { sdk: zoomSdk !== null, credentials },
    logins,
    checkAddress,
    checkWebhook,
    engines,
    live,
  };
  const leaving = { database, events: outbox, notifyRunner: (subject: string) => bus.notify(subject), now };
  app.use(admissionRoutes(auth, admission));
  const transcriber = createTranscriberClient(auth, config.transcriberUrl);
  app.use(preflightRoutes(auth, { ...admission, findProviderProblem: transcriber.findProviderProblem }));
  const scheduling = { ...admission, leave: (botId: string, teamId: string) => requestLeave(leaving, botId, teamId) };
  app.use(scheduledRoutes(auth, scheduling));
  app.use(calendarBotRoutes(auth, scheduling));
  app.use(botStatesRoutes(auth, { database }));
  app.use(secretRoutes(auth, { database, box }));
  const accesses = createAccessCounter({ database, clock, logger: service.logger });
  service.onStop('access counter', () => accesses.stop());
  const details = { database, box, signUrls: storage.signUrls, noteAccess: accesses.note, transcriber, now };
  app.use(listingRoutes(auth, { database, now }), detailsRoutes(auth, details));
  app.use(liveViewRoutes(auth, { database, bus, clock }), transcriptSearchRoutes(auth, { database, transcriber }));
  app.use(
    leaveRoutes(auth, {
      ...leaving,
      cancelScheduled: ({ botId, teamId }) => cancelScheduled({ database, now }, botId, teamId),
    }),
  );
  app.use(usageRoutes(auth, { database, now }));
  app.use(commandRoutes(auth, { database, notifyRunner: leaving.notifyRunner, clock }));
  app.use(updateConfigRoutes(auth, { database, now }));
  app.use(retranscribeRoutes(auth, { database, events: outbox, box, engines, checkWebhook }));
  app.use(redeliveryRoutes(auth, { database, events: outbox, box, now, checkWebhook }));
  app.use(deleteDataRoutes(auth, deletionsOf(opened)));
  app.use(botMoveRoutes(auth, { ...leaving, onWanted: notifyRunsOn(bus) }));
  app.use(
    ticketRoutes({
      database,
      grantUpload: storage.grantUpload,
      busCredentials: async (botId, lifetimeSeconds) =>
        issuer === null ? null : issuer.forBot(botId, lifetimeSeconds),
      settings: runnerSettingsOf(config, simulator),
      zoom: { box, sdk: zoomSdk },
      live,
      now,
    }),
  );
  app.use(pagePackRoutes(auth, { database, reader: pagePackReader, now }));
  const canaries = readCanaries(config.canaries, admission);
  app.use(canaryRoutes(auth, { database, canaries, now }));
  await startCanaries({ ...opened, ...admission, preparing: admission, canaries, leave: scheduling.leave });
  const capacity = { database, launcher, maxConcurrentBots: config.maxConcurrentBots, now };
  app.use(capacityRoutes(capacity));
  app.use(fleetRoutes(auth, capacity));
  app.use(...sendFailures(service));
  return service.listen(app, { host: config.host, port: config.port });
}

/** The rules of the runners, as far as they can be checked without a DNS lookup. */
function addressChecksOf({ config }: Opened): AddressChecks {
  const { runnerAllowedAddresses, runnerRequireHttps, allowedAddresses, requireHttps } = config;
  return {
    checkAddress: createUrlCheck({ allow: runnerAllowedAddresses, requireHttps: runnerRequireHttps }),
    checkWebhook: createUrlCheck({ allow: allowedAddresses, requireHttps }),
  };
}
