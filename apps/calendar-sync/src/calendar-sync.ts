import { calendarProviderNames, internalCalls } from '@rapporteur/contracts';
import type { CalendarProviderName } from '@rapporteur/contracts';
import { limitConnections } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { openStores, startOutbox } from '@rapporteur/event-bus';
import type { Outbox } from '@rapporteur/event-bus';
import { bySimulatedCredentials, measureRequests, openOutbound, providerMetricsOf } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { keepKeysRotated, openSecretBox, rotationOf } from '@rapporteur/secret-box';
import { createApp, createClient, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import { applyDueBots } from './bots/apply-bots.ts';
import { calendarBotRoutes } from './bots/calendar-bots.ts';
import { createDecideBots } from './bots/decide-bots.ts';
import { createResubscribe } from './channels/keep-channel.ts';
import { createNotifications, notificationRoutes } from './channels/notifications.routes.ts';
import type { CalendarSyncConfig } from './config.ts';
import { AccessTokens } from './connections/access-tokens.ts';
import { connectionRoutes } from './connections/connections.routes.ts';
import { eventRoutes } from './events/events.routes.ts';
import { legacyRoutes } from './events/legacy-events.routes.ts';
import { consentRoutes } from './consents/consents.routes.ts';
import { oauthClientsOf } from './providers/oauth-clients.ts';
import type { OauthClients } from './providers/oauth-clients.ts';
import { maintain } from './maintenance.ts';
import { calendarMetrics, readCalendarGauges } from './metrics.ts';
import { createGoogleProvider } from './providers/google/google-provider.ts';
import { createMicrosoftProvider } from './providers/microsoft/microsoft-provider.ts';
import { ruleRoutes } from './rules/rules.routes.ts';
import { settingsRoutes } from './rules/settings.routes.ts';
import { openCalendarsSchema } from './schema/open-schema.ts';
import type { BotConfigRow, ConnectionRow, ConsentRow } from './schema/entities.ts';
import { createSealing } from './sealing.ts';
import type { Sealing } from './sealing.ts';
import { startSyncWorker } from './sync/sync-worker.ts';

/** Opens all resources and registers their stops. Resolves once it serves requests. */
export async function startCalendarSync(service: Service, config: CalendarSyncConfig): Promise<Listening> {
  const clients = oauthClientsOf(config);
  const box = openSecretBox(config);
  const sealing = createSealing(box);
  const http = openOutbound(service, config);
  const { database, bus } = await openStores(service, config, () =>
    openCalendarsSchema(config.databaseUrl.reveal(), config.databasePoolSize),
  );
  const events = startOutbox(service, { database, bus });
  const dependencies = createDependencies({ service, config, clients, sealing, http, database, events });
  const listeners = startWork(service, dependencies);
  keepKeysRotated(service, { box, database, what: 'secrets of calendars' }, [
    rotationOf<ConnectionRow>({ name: 'connections', id: 'calendar_id', rewrap: sealing.rewrapConnection }),
    rotationOf<ConsentRow>({ name: 'consents', id: 'consent_id', rewrap: sealing.rewrapConsent }),
    rotationOf<BotConfigRow>({ name: 'bot_configs', id: 'config_id', rewrap: sealing.rewrapConfig }),
  ]);
  const notifications = createNotifications({ ...dependencies, onDue: listeners.onDue });
  service.onStop('notifications', () => notifications.stop());
  return await listen(service, config, { ...dependencies, ...listeners, notifications });
}

interface Opened {
  readonly service: Service;
  readonly config: CalendarSyncConfig;
  readonly clients: OauthClients;
  readonly sealing: Sealing;
  readonly http: OutboundHttp;
  readonly database: Database;
  readonly events: Outbox;
}

function createDependencies({ service, config, clients, sealing, http, database, events }: Opened) {
  const { clock, logger, auth } = service;
  const measurements = service.metrics.declare(providerMetricsOf(calendarProviderNames));
  const httpOf = (provider: CalendarProviderName) => measureRequests(http, provider, measurements);
  const [google, microsoft] = [httpOf('google'), httpOf('microsoft')];
  const {
    googleConsentUrl: consentUrl,
    googleOauthUrl,
    googleApiUrl,
    microsoftOauthUrl,
    microsoftApiUrl,
    simulatorUrl: simulator,
  } = config;
  const providers = {
    google: bySimulatedCredentials(
      createGoogleProvider({ http: google, consentUrl, oauthUrl: googleOauthUrl, apiUrl: googleApiUrl }),
      simulator === undefined
        ? null
        : createGoogleProvider({
            http,
            consentUrl: `${simulator}/google`,
            oauthUrl: `${simulator}/google/oauth2`,
            apiUrl: `${simulator}/google`,
          }),
    ),
    microsoft: bySimulatedCredentials(
      createMicrosoftProvider({ http: microsoft, oauthUrl: microsoftOauthUrl, apiUrl: microsoftApiUrl }),
      simulator === undefined
        ? null
        : createMicrosoftProvider({ http, oauthUrl: `${simulator}/microsoft`, apiUrl: `${simulator}/microsoft` }),
    ),
  };
  const decideBots = createDecideBots(() => clock.now());
  const scheduler = createClient(internalCalls.calendarBots, {
    auth,
    service: 'bot-scheduler',
    baseUrl: config.schedulerUrl,
    unreachable: 'The service that schedules bots is not reachable right now. Try again in a moment.',
  });
  const background = limitConnections(database, shareOfPool(config.databasePoolSize));
  // A renewal holds its connection during the request to the provider.
  const tokens = new AccessTokens({ database: background, sealing, providers, clients, clock, logger });
  const publicApiUrl = config.publicApiUrl ?? null;
  const shared = {
    clients,
    database,
    background,
    sealing,
    providers,
    tokens,
    decideBots,
    scheduler,
    events,
    clock,
    logger,
  };
  return { ...shared, publicApiUrl, settings: config, checkUrl: http.checkUrl };
}

/** Connections for syncs and bots. The rest is for requests, notifications and the outbox. */
function shareOfPool(poolSize: number): number {
  return Math.max(1, poolSize - Math.max(2, Math.ceil(poolSize / 3)));
}

type Dependencies = ReturnType<typeof createDependencies>;
const maintainEveryMs = 3_600_000;
/** Minimum pause between two rounds. */
const mostOftenMs = 50;

/** Periodic syncs of due calendars and updates of due bots. They stop before the stores. */
function startWork(service: Service, all: Dependencies) {
  const { clock, metrics } = service;
  const dependencies = { ...all, database: all.background };
  const { syncs, ...gauges } = metrics.declare(calendarMetrics);
  metrics.collect('calendars', Object.values(gauges), () =>
    readCalendarGauges(all.database, gauges, new Date(clock.now())),
  );
  const { sweepMs: everyMs } = dependencies.settings;
  const restMs = Math.min(everyMs, mostOftenMs);
  const listeners = { onDue: () => calendars.notify(), onDecided: () => bots.notify() };
  const onOutcome = (outcome: string): void => syncs.inc({ outcome });
  service.repeat({
    what: 'Maintenance of calendars',
    everyMs: maintainEveryMs,
    work: () => maintain(dependencies),
  });
  const work = () => applyDueBots(dependencies);
  const bots = service.repeat({ what: 'Scheduling bots of calendars', everyMs, restMs, work });
  const calendars = startSyncWorker({ ...dependencies, onDecided: listeners.onDecided, onOutcome });
  service.onStop('syncs', () => calendars.stop(), 45_000);
  return listeners;
}

type Serving = Dependencies &
  ReturnType<typeof startWork> & {
    readonly notifications: ReturnType<typeof createNotifications>;
  };

function listen(service: Service, config: CalendarSyncConfig, serving: Serving): Promise<Listening> {
  const { auth } = service;
  const app = createApp(service);
  app.use(notificationRoutes(auth, serving.notifications));
  app.use(calendarBotRoutes(auth, serving));
  app.use(eventRoutes(auth, serving));
  app.use(legacyRoutes(auth, serving));
  app.use(ruleRoutes(auth, serving));
  app.use(settingsRoutes(auth, serving));
  app.use(consentRoutes(auth, serving));
  app.use(connectionRoutes(auth, { ...serving, resubscribe: createResubscribe(serving) }));
  app.use(...sendFailures(service));
  return service.listen(app, { host: config.host, port: config.port });
}
