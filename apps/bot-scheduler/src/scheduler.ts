import { runsWantedSubject } from '@rapporteur/contracts';
import { openDatabase } from '@rapporteur/database';
import type { Database, DatabaseOptions } from '@rapporteur/database';
import { createCredentialIssuer, createInbox, openStores, startOutbox } from '@rapporteur/event-bus';
import type { Bus, Outbox } from '@rapporteur/event-bus';
import { createUrlCheck } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import type { AddressCheck } from './admission/address-rules.ts';
import { calendarBotRoutes } from './calendar-bots/calendar-bots.routes.ts';
import { admissionRoutes } from './admission/admission.routes.ts';
import { alphaSdkOf, formerKeysOf, simulatorOf } from './config.ts';
import type { SchedulerConfig } from './config.ts';
import { commandRoutes } from './commands/commands.routes.ts';
import { forgetOldCommands } from './commands/commands.store.ts';
import { deleteDataRoutes } from './data-deletion/delete-data.routes.ts';
import { deleteWaitingObjects } from './data-deletion/delete-objects.ts';
import { forgetExpired } from './data-deletion/retention.ts';
import { createAccessCounter } from './details/access-counter.ts';
import { detailsRoutes } from './details/details.routes.ts';
import { updateConfigRoutes } from './extra/update-config.routes.ts';
import { capacityRoutes } from './launch/capacity.routes.ts';
import { drainRuns } from './launch/drain-runs.ts';
import type { BotLauncher } from './launch/launcher.ts';
import { createReconciler } from './launch/reconcile.ts';
import type { RedeemParts } from './launch/redeem-ticket.ts';
import { ticketRoutes } from './launch/ticket.routes.ts';
import { answerLeases } from './leases/answer-leases.ts';
import { createRecordingWindow } from './leases/recording-window.ts';
import type { RecordingWindow } from './leases/recording-window.ts';
import { listingRoutes } from './listing/listing.routes.ts';
import { createSearchIndex } from './listing/search-index.ts';
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
import { answerSignIns } from './stored-logins/answer-sign-ins.ts';
import { botStatesRoutes } from './stored-logins/bot-states.routes.ts';
import { createLoginClient } from './stored-logins/login-client.ts';
import type { LoginClient } from './stored-logins/login-client.ts';
import { answerJoinTokens } from './stored-credentials/answer-join-tokens.ts';
import { createCredentialClient } from './stored-credentials/credential-client.ts';
import type { CredentialClient } from './stored-credentials/credential-client.ts';
import { readEngines } from './transcription/engines.ts';
import type { TranscriptionEngines } from './transcription/engines.ts';
import { consumeTranscripts } from './transcription/transcripts.consumer.ts';
import { startSweep } from './sweep.ts';
import { consumeIdentity } from './teams/identity.consumer.ts';

/** What this service stands on; tests bring their own storage. */
export interface SchedulerParts {
  readonly service: Service;
  readonly config: SchedulerConfig;
  readonly launcher: BotLauncher;
  readonly storage?: StorageClient;
}

/** What a probe may take on top of the pauses between probes before the window of recorded renewals counts as closed. */
const recordingSlackMs = 1_000;

interface Opened extends SchedulerParts {
  readonly database: Database;
  /** Connections that only lease renewals use: whatever holds all others, no runner counts as silent for it. */
  readonly leaseDatabase: Database;
  readonly window: RecordingWindow;
  readonly bus: Bus;
  readonly outbox: Outbox;
  readonly counters: SchedulerCounters;
  readonly box: SecretBox;
  readonly engines: TranscriptionEngines;
  readonly storage: StorageClient;
  /** Null: not part of this deployment. */
  readonly credentials: CredentialClient | null;
  /** Null: not part of this deployment. */
  readonly logins: LoginClient | null;
}

/**
 * Opens everything in the order in which it depends on each other; `service.stop()` closes it in reverse: first no new
 * requests and launches, then the runs drain while their reports are still applied, then the bus and the database.
 */
export async function startScheduler(parts: SchedulerParts): Promise<Listening> {
  const { service, config, launcher } = parts;
  const simulator = simulatorOf(config);
  const alphaSdk = alphaSdkOf(config);
  const engines = readEngines(config.transcriptionEngines);
  const box = createSecretBox({ current: config.secretKey.reveal(), former: formerKeysOf(config) });
  const opened: Opened = {
    ...parts,
    box,
    engines,
    storage: parts.storage ?? createStorageClient(service.auth, config.storageUrl),
    credentials: config.ssoIdpUrl === undefined ? null : createCredentialClient(service.auth, config.ssoIdpUrl),
    logins: config.ssoIdpUrl === undefined ? null : createLoginClient(service.auth, config.ssoIdpUrl),
    ...(await open(service, config)),
    counters: declareCounters(service.metrics),
    window: createRecordingWindow(service.clock, 3 * config.leaseRenewMs + recordingSlackMs),
  };
  service.onStop('launcher', () => launcher.close());
  // Lists work without it, so nothing waits for it.
  createSearchIndex(opened.database, service.logger).catch((error: unknown) => {
    service.logger.error({ err: error }, 'the search index of bots could not be created');
  });
  await startListeningToBus(opened);
  await startRuns(opened);
  startSchedules(opened);
  startDataCare(opened);
  return listenToRequests(opened, { simulator, alphaSdk });
}

/** A renewal is one short statement: a connection that gives no response for three seconds is dropped and opened again. */
const leaseStatements = { statementTimeoutMs: 2_000, silenceGraceMs: 1_000 } as const;

async function open(
  service: Service,
  config: SchedulerConfig,
): Promise<Pick<Opened, 'database' | 'leaseDatabase' | 'bus' | 'outbox'>> {
  const openPool = (poolSize: number, more: Partial<DatabaseOptions> = {}) =>
    openDatabase({
      url: config.databaseUrl.reveal(),
      schema: 'bots',
      entities,
      migrations,
      applicationName: service.name,
      poolSize,
      ...more,
    });
  const { database, bus } = await openStores(service, config, () => openPool(config.databasePoolSize));
  const leaseDatabase = await openPool(config.leasePoolSize, {
    ...leaseStatements,
    applicationName: `${service.name} leases`,
  });
  service.onStop('lease database', () => leaseDatabase.close());
  service.readiness('message bus', async () => {
    if (!bus.healthy()) throw new Error('The message bus is not connected.');
  });
  return { database, leaseDatabase, bus, outbox: startOutbox(service, { database, bus }) };
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
    now,
    concurrency: Math.min(8, config.databasePoolSize),
    ...(engines[0] === undefined ? {} : { defaultProvider: engines[0] }),
  });
  service.onStop('report consumer', () => reports.stop());
  const transcripts = await consumeTranscripts({ bus, inbox, events: outbox, now });
  service.onStop('transcripts', () => transcripts.stop());
  const { leasePoolSize: poolSize, leaseRenewMs: probeEveryMs } = config;
  const leases = answerLeases({ bus, database: leaseDatabase, poolSize, clock, logger, window, probeEveryMs });
  service.onStop('lease answers', () => leases.stop());
  const joinTokens = await answerJoinTokens({ bus, database, credentials, now, logger });
  service.onStop('join token answers', () => joinTokens.stop());
  const signIns = await answerSignIns({ bus, database, logins, logger });
  service.onStop('sign-in answers', () => signIns.stop());
}

/** Time on top of the runs' own to write down what they did. */
const afterDrainMs = 10_000;
/** However many bots are created, their rows are looked for this often at most. */
const lookForRunsRestMs = 250;

async function startRuns(opened: Opened): Promise<void> {
  const { service, config, database, bus, outbox, launcher, counters, window } = opened;
  const { logger, clock } = service;
  const reconciler = createReconciler({
    database,
    events: outbox,
    launcher,
    clock,
    logger,
    counters,
    window,
    settings: { ...config, startDeadlineMs: config.launcher === 'kubernetes' ? config.kubernetesStartDeadlineMs : 0 },
  });
  const sweep = startSweep({
    what: 'Looking after runs',
    everyMs: config.sweepMs,
    restMs: lookForRunsRestMs,
    work: () => reconciler.round(),
    clock,
    logger,
  });
  service.onStop('run sweep', async () => {
    await sweep.stop();
    await reconciler.settle();
  });
  launcher.onExit(() => sweep.ring());
  // Runs that outlive this replica are left to the others, or to its next start.
  if (!launcher.runsOutliveScheduler) {
    service.onStop(
      'running bots',
      async () => {
        await drainRuns(launcher, config.drainMs, logger);
      },
      config.drainMs + afterDrainMs,
    );
  }
  const wanted = bus.onRing(runsWantedSubject, () => sweep.ring());
  service.onStop('launching', async () => {
    await wanted.stop();
    await reconciler.stopLaunching();
  });
}

const ringRunsOn = (bus: Bus) => (): void => bus.ringTogether(runsWantedSubject, {});

/** Scheduled bots becoming bots, and the care for secrets: both stop before anything else does. */
function startSchedules({ service, config, database, bus, outbox, counters, box, launcher, logins }: Opened): void {
  const { logger, clock } = service;
  const now = () => clock.now();
  const ringRuns = ringRunsOn(bus);
  const pace = () => launcher.pace();
  const running = { database, events: outbox, ringRuns, now, settings: config, counters, pace, clock, logger, logins };
  const due = startRunningDue(running);
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
  // Each on its own: storage that is away must not keep chats in the database.
  const jobs: [string, () => Promise<unknown>][] = [
    ['Forgetting data past its retention', () => forgetExpired({ database, events: outbox, now })],
    ['Deleting stored objects', () => deleteWaitingObjects({ database, deleteBotObjects: storage.deleteBotObjects })],
    ['Forgetting old commands', () => forgetOldCommands(database, new Date(now() - commandsKeptMs))],
  ];
  for (const [what, job] of jobs) {
    const work = async () => void (await job());
    const sweep = startSweep({ what, everyMs: config.dataCareMs, work, clock, logger });
    service.onStop(what, () => sweep.stop());
  }
}

interface OutsideWorld {
  readonly simulator: ReturnType<typeof simulatorOf>;
  readonly alphaSdk: ReturnType<typeof alphaSdkOf>;
}

function listenToRequests(opened: Opened, { simulator, alphaSdk }: OutsideWorld): Promise<Listening> {
  const { service, config, database, bus, outbox, box, storage, credentials, launcher, logins, engines } = opened;
  const { auth, clock } = service;
  const now = () => clock.now();
  const { deleteBotObjects } = storage;
  const issuer = config.busAccountSeed === undefined ? null : createCredentialIssuer(config.busAccountSeed.reveal());
  const app = createApp(service);
  const checkAddress = urlCheckOf(opened);
  const admission = {
    database,
    events: outbox,
    ringRuns: ringRunsOn(bus),
    box,
    now,
    simulatorLinkHosts: simulator?.linkHosts ?? [],
    alpha: { sdk: alphaSdk !== null, credentials },
    logins,
    checkAddress,
    engines,
  };
  const leaving = { database, events: outbox, ringRunner: (subject: string) => bus.ring(subject), now };
  app.use(admissionRoutes(auth, admission));
  app.use(preflightRoutes(auth, admission));
  const scheduling = { ...admission, leave: (botId: string, teamId: string) => requestLeave(leaving, botId, teamId) };
  app.use(scheduledRoutes(auth, scheduling));
  app.use(calendarBotRoutes(auth, scheduling));
  app.use(botStatesRoutes(auth, { database }));
  app.use(secretRoutes(auth, { database, box }));
  app.use(listingRoutes(auth, { database, now }));
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
  app.use(retranscribeRoutes(auth, { database, events: outbox, box, engines }));
  app.use(redeliveryRoutes(auth, { database, events: outbox, box, now }));
  app.use(deleteDataRoutes(auth, { database, events: outbox, deleteBotObjects, now, logger: service.logger }));
  app.use(
    ticketRoutes({
      database,
      grantUpload: (request) => storage.grantUpload(request),
      busCredentials: async (botId, lifetimeSeconds) =>
        issuer === null ? null : issuer.forBot(botId, lifetimeSeconds),
      settings: runnerSettingsOf(config, simulator),
      alpha: { box, sdk: alphaSdk },
      now,
    }),
  );
  app.use(capacityRoutes({ database, launcher, maxConcurrentBots: config.maxConcurrentBots, now }));
  app.use(...sendFailures(service));
  return service.listen(app, { host: config.host, port: config.port });
}

/** What every runner of this deployment is told. */
function runnerSettingsOf(config: SchedulerConfig, simulator: OutsideWorld['simulator']): RedeemParts['settings'] {
  return {
    busUrl: config.runnerBusUrl ?? config.busUrl,
    leaseRenewMs: config.leaseRenewMs,
    leaseLostAfterMs: config.leaseLostAfterMs,
    simulator,
    outbound: {
      allow: [...config.runnerAllowedAddresses],
      requireHttps: config.runnerRequireHttps,
      caFile: config.runnerCaFile ?? null,
    },
    recordingWay: config.recordingWay,
    pictureSize: config.recordingSize,
    personSound: config.recordingPersonSound,
  };
}

/** The rules of the runners, as far as they can be held against an address without asking for its name. */
function urlCheckOf({ config }: Opened): AddressCheck {
  const { runnerAllowedAddresses, runnerRequireHttps } = config;
  return createUrlCheck({ allow: runnerAllowedAddresses, requireHttps: runnerRequireHttps });
}
