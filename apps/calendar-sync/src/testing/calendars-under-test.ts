import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { RequestHandler } from 'express';
import type { Database } from '@rapporteur/database';
import { createLogger, createService, loadConfig, Secret } from '@rapporteur/service-runtime';
import type { Clock, Service } from '@rapporteur/service-runtime';
import { calendarRoutes, createCalendars } from '@rapporteur/simulator';
import type { Provider, SimulatedCalendars } from '@rapporteur/simulator';
import { createTestDatabase, testNats, waitFor } from '@rapporteur/testbed';
import { throughContract } from '@rapporteur/testbed/through-contract';
import { startCalendarSync } from '../calendar-sync.ts';
import { calendarSyncConfig } from '../config.ts';
import { openCalendarsSchema } from '../schema/open-schema.ts';
import type { ConnectionRow, EventRow } from '../schema/entities.ts';
import { startStubScheduler } from './stub-scheduler.ts';
import type { StubScheduler } from './stub-scheduler.ts';

export interface ApiResponse {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown> & { readonly data: never };
}

export interface ConnectedCalendar {
  readonly calendarId: string;
  /** Its id in the simulator. */
  readonly rawId: string;
  readonly email: string;
  readonly teamId: string;
  /** The simulated provider omits what real ones are reported to omit. */
  readonly sparse: boolean;
}

export interface Caller {
  readonly teamId: string;
  readonly keyId: string;
}

/** This service on a separate database, with simulated providers and a stub of bot-scheduler. */
/** A calendar of a provider that the simulator has. */
export type SimulatedConnection = Omit<ConnectionRow, 'platform'> & { readonly platform: Provider };

export interface CalendarsUnderTest {
  readonly database: Database;
  readonly simulated: SimulatedCalendars;
  readonly scheduler: StubScheduler;
  /** Maximum number of concurrent reads of a calendar's events, by the provider's calendar id. */
  readonly reads: ReadonlyMap<string, number>;
  readonly environment: Readonly<Record<string, string>>;
  /** Base address of the first instance. */
  readonly url: string;
  /** Starts another instance. */
  start(changes?: Record<string, string>): Promise<{ readonly url: string; stop(): Promise<unknown> }>;
  /** @param caller the team, or parts of the caller; default: those of this fixture */
  api(method: string, path: string, body?: unknown, caller?: string | Partial<Caller>): Promise<ApiResponse>;
  readonly teamId: string;
  /** The API key of requests. */
  readonly keyId: string;
  connect(
    provider: Provider,
    over?: { email?: string; timeZone?: string; teamId?: string; sparse?: boolean },
  ): Promise<ConnectedCalendar>;
  connection(calendarId: string): Promise<SimulatedConnection>;
  events(calendarId: string): Promise<EventRow[]>;
  /** Resolves when nothing is due or in progress. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface CalendarsOptions {
  readonly clock?: Clock;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startCalendarsUnderTest(options: CalendarsOptions = {}): Promise<CalendarsUnderTest> {
  const { clock, settings = {} } = options;
  const now = (): number => clock?.now() ?? Date.now();
  const simulated = createCalendars(now);
  for (const provider of ['google', 'microsoft'] as const) simulated.consents.register(provider, [consentRedirectUrl]);
  const internalSecret = new Secret(randomBytes(24).toString('hex'));
  const server = await createTestDatabase(openCalendarsSchema);
  const database = await openCalendarsSchema(server.url, 3);
  const scheduler = await startStubScheduler(internalSecret);
  const gateway = createService({ name: 'api-gateway', internalSecret, logger: createLogger('test', 'silent') });
  const instances: { url: string; stop(): Promise<unknown> }[] = [];
  const reads = new Map<string, number>();
  const web = await serveProviders({ simulated, reads }, (channelId, passed) =>
    gateway.auth.fetch('calendar-sync', `${instances[0]?.url ?? ''}/internal/v1/calendar-notifications/${channelId}`, {
      ...json(passed),
      method: 'POST',
    }),
  );
  const environment = {
    ...settingsFor(web.url, { databaseUrl: server.url, schedulerUrl: scheduler.url }),
    RAPPORTEUR_INTERNAL_SECRET: internalSecret.reveal(),
    ...settings,
  };
  const start = async (changes: Record<string, string> = {}) => {
    const config = loadConfig(calendarSyncConfig, { ...environment, ...changes });
    const service = createService({
      name: 'calendar-sync',
      internalSecret,
      logger: createLogger('calendar-sync', (process.env['CALENDARS_LOG'] as 'info' | undefined) ?? 'silent'),
      ...(clock === undefined ? {} : { clock }),
    });
    const { url } = await startCalendarSync(service, config);
    const instance = { url, stop: () => service.stop() };
    instances.push(instance);
    return instance;
  };
  const [teamId, keyId] = [randomUUID(), randomUUID()];
  await start();
  const api = createApi(gateway, () => instances[0]?.url ?? '', { teamId, keyId });
  const idle = async (): Promise<void> => {
    await simulated.push.settled();
    await waitFor(() => isIdle(database, now()), { what: 'calendars at rest' });
  };
  return {
    database,
    simulated,
    scheduler,
    reads,
    environment,
    url: instances[0]?.url ?? '',
    teamId,
    keyId,
    start,
    api,
    connect: createConnect({ simulated, database, api, idle, teamId }),
    connection: (calendarId) => connectionOf(database, calendarId),
    events: (calendarId) =>
      database.query<EventRow>('select * from events where calendar_id = $1 order by start_at, event_id', [calendarId]),
    idle,
    stop: async () => {
      await Promise.all(instances.map((instance) => instance.stop()));
      await Promise.all([gateway.stop(), scheduler.stop()]);
      await web.stop();
      await database.close();
      await server.drop();
    },
  };
}

/** Registered with the simulated OAuth clients. */
export const consentRedirectUrl = 'https://console.example.com/console/calendars';

function settingsFor(web: string, { databaseUrl, schedulerUrl }: { databaseUrl: string; schedulerUrl: string }) {
  return {
    RAPPORTEUR_PORT: '0',
    RAPPORTEUR_DATABASE_URL: databaseUrl,
    RAPPORTEUR_DATABASE_POOL_SIZE: '6',
    RAPPORTEUR_BUS_URL: testNats().url,
    RAPPORTEUR_SECRET_KEY: randomBytes(32).toString('base64'),
    RAPPORTEUR_SCHEDULER_URL: schedulerUrl,
    RAPPORTEUR_PUBLIC_API_URL: web,
    RAPPORTEUR_CONSENT_REDIRECT_URL: consentRedirectUrl,
    RAPPORTEUR_GOOGLE_CLIENT_ID: 'simulated-google-client',
    RAPPORTEUR_GOOGLE_CLIENT_SECRET: 'simulated-google-secret',
    RAPPORTEUR_MICROSOFT_CLIENT_ID: 'simulated-microsoft-client',
    RAPPORTEUR_MICROSOFT_CLIENT_SECRET: 'simulated-microsoft-secret',
    RAPPORTEUR_GOOGLE_CONSENT_URL: `${web}/google`,
    RAPPORTEUR_GOOGLE_OAUTH_URL: `${web}/google/oauth2`,
    RAPPORTEUR_GOOGLE_API_URL: `${web}/google`,
    RAPPORTEUR_MICROSOFT_OAUTH_URL: `${web}/microsoft`,
    RAPPORTEUR_MICROSOFT_API_URL: `${web}/microsoft`,
    RAPPORTEUR_ALLOWED_ADDRESSES: 'loopback',
    RAPPORTEUR_REQUIRE_HTTPS: 'false',
    RAPPORTEUR_SWEEP_MS: '50',
    RAPPORTEUR_SYNC_REST_MS: '0',
  };
}

function createApi(gateway: Service, base: () => string, { teamId, keyId }: Caller): CalendarsUnderTest['api'] {
  return async (method, path, body, given = {}) => {
    const caller = typeof given === 'string' ? { teamId: given } : given;
    const token = { teamId, keyId, ...caller, permission: 'full', timeoutMs: 30_000 } as const;
    const response = await throughContract({ method, path, body }, (init) =>
      gateway.auth.fetch('calendar-sync', `${base()}/internal${path}`, { ...token, ...init }),
    );
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as ApiResponse['body'] };
  };
}

type Connecting = Pick<CalendarsUnderTest, 'simulated' | 'database' | 'api' | 'idle' | 'teamId'>;

function createConnect({ simulated, database, api, idle, teamId }: Connecting): CalendarsUnderTest['connect'] {
  return async (provider, over = {}) => {
    const { email = `${randomBytes(4).toString('hex')}@example.com`, timeZone = 'UTC', teamId: team = teamId } = over;
    const { sparse = false } = over;
    const calendar = simulated.store.add({ provider, email, timeZone, sparse });
    const grant = simulated.grants.create(provider, email);
    const body = {
      calendar_platform: provider,
      oauth_client_id: grant.clientId,
      oauth_client_secret: grant.clientSecret,
      oauth_refresh_token: grant.refreshToken,
      raw_calendar_id: calendar.id,
    };
    const { status, text, body: reply } = await api('POST', '/v2/calendars', body, team);
    if (status !== 201) throw new Error(`Connecting responded with ${status}: ${text}`);
    const { calendar_id: calendarId } = reply.data as { calendar_id: string };
    await waitFor(async () => (await connectionOf(database, calendarId)).synced_at !== null, {
      what: 'the first sync',
    });
    await idle();
    return { calendarId, rawId: calendar.id, email, teamId: team, sparse };
  };
}

async function connectionOf(database: Database, calendarId: string): Promise<SimulatedConnection> {
  const [row] = await database.query<SimulatedConnection>('select * from connections where calendar_id = $1', [
    calendarId,
  ]);
  if (row === undefined) throw new Error(`There is no calendar ${calendarId}.`);
  return row;
}

/** True when no sync and no bot is due or in progress; throws with the rest. */
async function isIdle(database: Database, nowMs: number): Promise<true> {
  const busy = await database.query(
    `select 'request' as what, to_jsonb(sync_requests) as row from sync_requests
     union all select 'sync', jsonb_build_object('due', next_sync_at, 'lease', sync_lease_until, 'failures', sync_failures,
       'error', sync_error) from connections where sync_lease is not null or next_sync_at <= $1
     union all select 'bot', jsonb_build_object('state', state, 'attempts', attempts, 'due', next_attempt_at,
       'error', error_message) from wanted_bots where state <> 'over' and applied_version < version`,
    [new Date(nowMs)],
  );
  if (busy.length > 0) throw new Error(JSON.stringify(busy));
  return true;
}

/** Serves the simulated providers and forwards their notifications, in place of the gateway. */
async function serveProviders(
  { simulated, reads }: { readonly simulated: SimulatedCalendars; readonly reads: Map<string, number> },
  pass: (channelId: string, passed: object) => Promise<Response>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const app = express();
  app.post('/v2/calendar-notifications/:id', express.json(), async (request, response) => {
    const validation = request.query['validationToken'];
    const reply = await pass(request.params.id, {
      validation_token: typeof validation === 'string' ? validation : null,
      channel_token: request.get('x-goog-channel-token') ?? null,
      body: (request.body ?? null) as unknown,
    }).catch(() => null);
    if (reply === null) return void response.status(503).end();
    const { data } = (await reply.json()) as { data?: { validation_token: string | null } };
    const token = data?.validation_token ?? null;
    if (token === null) response.status(reply.status).end();
    else response.type('text/plain').send(token);
  });
  app.use(countReads(reads), express.json({ limit: 1_000_000 }), calendarRoutes(simulated));
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Counts concurrent reads: a sync reads pages sequentially, so two reads at once are two syncs of one calendar. */
function countReads(most: Map<string, number>): RequestHandler {
  const now = new Map<string, number>();
  return (request, response, next) => {
    const [, id] = /\/calendars\/([^/]+)\/(?:events$|calendarView\/delta)/.exec(request.path) ?? [];
    if (request.method === 'GET' && id !== undefined) {
      const calendar = decodeURIComponent(id);
      const count = (now.get(calendar) ?? 0) + 1;
      now.set(calendar, count);
      most.set(calendar, Math.max(most.get(calendar) ?? 0, count));
      response.once('close', () => now.set(calendar, (now.get(calendar) ?? 1) - 1));
    }
    next();
  };
}

function json(body: unknown) {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
