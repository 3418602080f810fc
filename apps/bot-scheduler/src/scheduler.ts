import { runsWantedSubject } from '@rapporteur/contracts';
import type { DatabaseOptions } from '@rapporteur/database';
import { createCredentialIssuer, createInbox, openStores, startOutbox } from '@rapporteur/event-bus';
import { createUrlCheck } from '@rapporteur/outbound-http';
import { openSecretBox } from '@rapporteur/secret-box';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import { admissionRoutes } from './admission/creation.routes.ts';
import { preflightRoutes } from './admission/preflight.ts';
import { canaryRoutes } from './canaries/canaries.routes.ts';
import { readCanaries } from './canaries/read-canaries.ts';
import { startCanaries } from './canaries/start-canaries.ts';
import { commandRoutes } from './commands/commands.routes.ts';
import { redeliveryRoutes } from './commands/redelivery.routes.ts';
import { updateConfigRoutes } from './commands/update-config.routes.ts';
import { zoomSdkOf, simulatorOf } from './config.ts';
import type { SchedulerConfig } from './config.ts';
import { botStatesRoutes, handleSignInRequests } from './credentials/sign-in-requests.ts';
import { consumeIdentity } from './credentials/identity.consumer.ts';
import { handleJoinTokenRequests } from './credentials/join-token-requests.ts';
import { createSecretMaintenance } from './credentials/secret-maintenance.ts';
import { secretRoutes } from './credentials/secrets.routes.ts';
import { deleteDataRoutes } from './data-deletion/delete-data.routes.ts';
import { startDataMaintenance } from './data-deletion/retention.ts';
import { botMoveRoutes } from './lifecycle/displace-run.ts';
import { capacityRoutes } from './launch/capacity.ts';
import { fleetRoutes } from './launch/read-fleet.ts';
import type { BotLauncher } from './launch/launcher.ts';
import { runnerSettingsOf } from './launch/invocation.ts';
import { startRuns } from './launch/start-runs.ts';
import { ticketRoutes } from './launch/ticket.routes.ts';
import { handleLeaseRequests } from './lifecycle/lease-requests.ts';
import { leaveRoutes, requestLeave } from './lifecycle/request-leave.ts';
import { createRecordingWindow } from './lifecycle/recording-window.ts';
import { consumeReports } from './lifecycle/report.consumer.ts';
import { collectGauges } from './measurements/collect-gauges.ts';
import { observeMoves, observeReports } from './measurements/observe.ts';
import { schedulerMetrics } from './metrics.ts';
import { openBotsSchema } from './open-schema.ts';
import { pagePackReader } from './page-packs/page-pack-reader.ts';
import { pagePackRoutes } from './page-packs/page-packs.routes.ts';
import { startPagePacks } from './page-packs/start-page-packs.ts';
import { createAccessCounter } from './reading/access-counter.ts';
import { detailsRoutes } from './reading/details.routes.ts';
import { listingRoutes } from './reading/listing.routes.ts';
import { liveViewRoutes } from './reading/live-view.routes.ts';
import { createSearchIndex } from './reading/search-index.ts';
import { usageRoutes } from './reading/usage.routes.ts';
import { calendarBotRoutes } from './scheduled/apply-calendar-bot.ts';
import { cancelScheduled } from './scheduled/change-scheduled.ts';
import { startRunningDue } from './scheduled/run-due.ts';
import { scheduledRoutes } from './scheduled/scheduled.routes.ts';
import type { Context } from './schema/context.ts';
import { createServiceClients, createTranscriberClient } from './service-clients.ts';
import type { StorageClient } from './service-clients.ts';
import { readEngines } from './transcription/engines.ts';
import { readLiveSettings } from './transcription/live-engines.ts';
import { retranscribeRoutes } from './transcripts/retranscribe.ts';
import { transcriptSearchRoutes } from './transcripts/transcript-search.routes.ts';
import { consumeTranscripts } from './transcripts/apply-transcription.ts';

/** Dependencies of this service; tests provide their own storage. */
export interface SchedulerDependencies extends Pick<Context, 'service' | 'config'> {
  readonly launcher: BotLauncher;
  readonly storage?: StorageClient;
}

/** Allowed time of a probe, in addition to the pause between probes, before the window of recorded renewals closes. */
const recordingSlackMs = 1_000;
/** A renewal is one short statement: a connection without a response for three seconds is closed and replaced. */
const leaseStatements = { statementTimeoutMs: 2_000, idleGraceMs: 1_000 } as const;

/**
 * Opens all resources, dependencies first; `service.stop()` closes them in reverse: first no new requests and launches,
 * then the runs drain while their reports are still applied, then the bus and the database.
 */
export async function startScheduler(dependencies: SchedulerDependencies): Promise<Listening> {
  const { service, config } = dependencies;
  const context = await openContext(dependencies);
  collectGauges(service.metrics, context);
  createSearchIndex(context.database, service.logger).catch((error: unknown) => {
    service.logger.error({ err: error }, 'the search index of bots could not be created');
  });
  for (const [what, start] of Object.entries(consumers)) {
    const consumer = await start(context);
    service.onStop(what, () => consumer.stop());
  }
  startRuns(context);
  const due = startRunningDue({ ...context, settings: config, pace: () => context.launcher.pace() });
  service.onStop('scheduled bots', () => due.stop());
  service.repeat({
    what: 'Maintenance of secrets',
    everyMs: config.secretMaintenanceMs,
    work: createSecretMaintenance({ ...context, settings: { ...config, rewrap: context.box.hasFormerKeys } }),
  });
  startDataMaintenance(service, context, config.dataMaintenanceMs);
  startPagePacks(context);
  const accesses = createAccessCounter(context);
  service.onStop('access counter', () => accesses.stop());
  const serving = { ...context, noteAccess: accesses.note };
  const app = createApp(service);
  for (const routesOf of routes) app.use(routesOf(service.auth, serving));
  await startCanaries({ ...context, preparing: context });
  app.use(...sendFailures(service));
  return service.listen(app, { host: config.host, port: config.port });
}

/** In the order in which they start. */
const consumers: Readonly<
  Record<string, (context: Opened) => { stop(): Promise<void> } | Promise<{ stop(): Promise<void> }>>
> = {
  'identity consumers': consumeIdentity,
  'report consumer': ({ counters, config, engines: [engine], ...context }) =>
    consumeReports({
      ...context,
      counters,
      onApplied: observeReports(counters),
      concurrency: Math.min(8, config.databasePoolSize),
      ...(engine === undefined ? {} : { defaultProvider: engine }),
    }),
  transcripts: consumeTranscripts,
  'lease answers': ({ leaseDatabase: database, config, ...context }) =>
    handleLeaseRequests({
      ...context,
      database,
      poolSize: config.leasePoolSize,
      probeEveryMs: config.leaseRenewMs,
    }),
  'join token answers': handleJoinTokenRequests,
  'sign-in answers': handleSignInRequests,
};

/** `/bots/scheduled` and the like precede routes with `{bot_id}` in their place. */
const routes = [
  admissionRoutes,
  preflightRoutes,
  scheduledRoutes,
  calendarBotRoutes,
  botStatesRoutes,
  secretRoutes,
  listingRoutes,
  detailsRoutes,
  liveViewRoutes,
  transcriptSearchRoutes,
  leaveRoutes,
  usageRoutes,
  commandRoutes,
  updateConfigRoutes,
  retranscribeRoutes,
  redeliveryRoutes,
  deleteDataRoutes,
  botMoveRoutes,
  (_auth: Service['auth'], { box, zoomSdk: sdk, ...context }: Opened) =>
    ticketRoutes({ ...context, settings: context.runnerSettings, zoom: { box, sdk } }),
  pagePackRoutes,
  canaryRoutes,
  (_auth: Service['auth'], context: Opened) => capacityRoutes(context),
  fleetRoutes,
] as const;

type Opened = Awaited<ReturnType<typeof openContext>>;

/** Everything that the features use. */
async function openContext({ service, config, launcher, storage }: SchedulerDependencies) {
  const { clock, logger, auth } = service;
  const simulator = simulatorOf(config);
  const zoomSdk = zoomSdkOf(config);
  const counters = service.metrics.declare(schedulerMetrics);
  const engines = readEngines(config.transcriptionEngines);
  const live = readLiveSettings(config);
  const box = openSecretBox(config);
  const clients = createServiceClients(auth, config);
  const stores = await openDatabases(service, config);
  const { database, bus } = stores;
  const events = Object.assign(startOutbox(service, stores), { onMove: observeMoves(counters) });
  service.onStop('launcher', () => launcher.close());
  const issuer = config.busAccountSeed === undefined ? null : createCredentialIssuer(config.busAccountSeed.reveal());
  const now = () => clock.now();
  const notifyRunner = (subject: string): void => bus.notify(subject);
  const simulatorLinkHosts = simulator?.linkHosts ?? [];
  const transcriber = createTranscriberClient(auth, config.transcriberUrl);
  return {
    ...clients,
    ...(storage ?? clients.storage),
    ...addressChecksOf(config),
    ...stores,
    service,
    config,
    clock,
    logger,
    now,
    counters,
    gauges: counters,
    events,
    inbox: createInbox({ database, bus, service: service.name }),
    box,
    launcher,
    engines,
    live,
    zoomSdk,
    transcriber,
    findProviderProblem: transcriber.findProviderProblem,
    simulatorLinkHosts,
    zoom: { sdk: zoomSdk !== null, credentials: clients.credentials },
    window: createRecordingWindow(clock, 3 * config.leaseRenewMs + recordingSlackMs),
    reader: pagePackReader,
    canaries: readCanaries(config.canaries, { ...clients, simulatorLinkHosts }),
    maxConcurrentBots: config.maxConcurrentBots,
    dataDeletionFailedMs: config.dataDeletionFailedMs,
    runnerSettings: runnerSettingsOf(config, simulator),
    notifyRuns: () => bus.notifyBatched(runsWantedSubject, {}),
    notifyRunner,
    busCredentials: async (botId: string, lifetimeSeconds: number) =>
      issuer === null ? null : issuer.forBot(botId, lifetimeSeconds),
    leave: (botId: string, teamId: string) => requestLeave({ database, events, notifyRunner, now }, botId, teamId),
    cancelScheduled: (place: { readonly botId: string; readonly teamId: string }) =>
      cancelScheduled({ database, now }, place.botId, place.teamId),
  };
}

/** `leaseDatabase` is for lease renewals alone: no lease expires because the other connections are busy. */
async function openDatabases(service: Service, config: SchedulerConfig) {
  const openPool = (poolSize: number, more: Partial<DatabaseOptions> = {}) =>
    openBotsSchema(config.databaseUrl.reveal(), { poolSize, ...more });
  const stores = await openStores(service, config, () => openPool(config.databasePoolSize));
  const applicationName = `${service.name} leases`;
  const leaseDatabase = await openPool(config.leasePoolSize, { ...leaseStatements, applicationName });
  service.onStop('lease database', () => leaseDatabase.close());
  service.readiness('lease database', () => leaseDatabase.ping());
  service.readiness('message bus', () => stores.bus.check());
  return { ...stores, leaseDatabase };
}

/** The rules of the runners, as far as they can be checked without a DNS lookup. */
function addressChecksOf(config: SchedulerConfig) {
  const { runnerAllowedAddresses, runnerRequireHttps, allowedAddresses, requireHttps } = config;
  return {
    checkAddress: createUrlCheck({ allow: runnerAllowedAddresses, requireHttps: runnerRequireHttps }),
    checkWebhook: createUrlCheck({ allow: allowedAddresses, requireHttps }),
  };
}
