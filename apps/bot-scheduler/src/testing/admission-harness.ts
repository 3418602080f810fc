import type { Database } from '@rapporteur/database';
import { connectBus, createOutbox } from '@rapporteur/event-bus';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createApp, createLogger, createService, Secret, sendFailures } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { createTestDatabase, testNats } from '@rapporteur/testbed';
import { admissionRoutes } from '../admission/creation.routes.ts';
import { detailsRoutes } from '../reading/details.routes.ts';
import { createTranscriberClient } from '../service-clients.ts';
import type { LoginClient } from '../service-clients.ts';
import { updateConfigRoutes } from '../commands/update-config.routes.ts';
import { listingRoutes } from '../reading/listing.routes.ts';
import { leaveRoutes, requestLeave } from '../lifecycle/request-leave.ts';
import { preflightRoutes } from '../admission/preflight.ts';
import type { PreflightDependencies } from '../admission/preflight.ts';
import { retranscribeRoutes } from '../transcripts/retranscribe.ts';
import { cancelScheduled } from '../scheduled/change-scheduled.ts';
import { runDue } from '../scheduled/run-due.ts';
import type { DueOutcome, DueSettings } from '../scheduled/run-due.ts';
import { scheduledRoutes } from '../scheduled/scheduled.routes.ts';
import { secretRoutes } from '../credentials/secrets.routes.ts';
import type { EventSink } from '../schema/context.ts';
import { createBody } from './create-body.ts';
import { createGatewayClient, internalSecret, openBotsDatabase, testBox } from './test-scheduler.ts';

type Over = Record<string, unknown>;
export type ServiceResponse = Awaited<ReturnType<ReturnType<typeof createGatewayClient>>>;

/** The admission part of this service, on a clock that the test controls; nothing is launched or sent. */
export interface AdmissionHarness {
  readonly clock: FakeClock;
  readonly service: Service;
  readonly url: string;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly events: EventSink & { notify(): void };
  readonly sendRequest: ReturnType<typeof createGatewayClient>;
  /** Sets this service's clock back relative to the test's. */
  setBehind(ms: number): void;
  create(teamId: string, over?: Over): Promise<ServiceResponse>;
  createMany(count: number, teamId: string, over?: Over): Promise<ServiceResponse[]>;
  schedule(teamId: string, joinInMs: number, over?: Over): Promise<ServiceResponse>;
  /** Runs one round of the sweep over due schedules. */
  runDue(over?: Partial<DueSettings>): Promise<DueOutcome>;
  countRows(teamId: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export const dueSettings: DueSettings = { scheduledLeadMs: 20_000, scheduledLateAfterMs: 600_000 };

/** The rows of a refused request. */
export const noRows = {
  bots: 0,
  history: 0,
  ledger: 0,
  events: 0,
  secrets: 0,
  scheduled: 0,
  counted: 0,
  reserved: 0,
};

/** @param logins client of the service that stores logins; null: not deployed */
export async function openAdmissionHarness(
  logins: LoginClient | null = null,
  forPreflight: Partial<PreflightDependencies> = {},
): Promise<AdmissionHarness> {
  const clock = new FakeClock();
  const logger = createLogger('bot-scheduler', 'silent');
  const service = createService({ name: 'bot-scheduler', internalSecret: new Secret(internalSecret), logger, clock });
  const testDatabase = await createTestDatabase(openBotsDatabase);
  const database = await openBotsDatabase(testDatabase.url);
  const bus = await connectBus({ url: testNats().url, name: 'test', logger });
  const outbox = createOutbox({ database, bus, service: 'bot-scheduler', logger });
  // Not started and not notified: tests read the written events only.
  const events = { add: outbox.add.bind(outbox), notify: () => undefined };
  const notifyRuns = () => undefined;
  let behindMs = 0;
  const now = () => clock.now() - behindMs;
  const url = await listen(service, { database, events, now, logins, forPreflight });
  const sendRequest = createGatewayClient(url);
  const create = (teamId: string, over: Over = {}) =>
    sendRequest('POST', '/internal/v2/bots', teamId, createBody(over));
  return {
    clock,
    service,
    url,
    database,
    databaseUrl: testDatabase.url,
    events,
    sendRequest,
    setBehind: (ms) => (behindMs = ms),
    create,
    createMany: (count, teamId, over = {}) => Promise.all(Array.from({ length: count }, () => create(teamId, over))),
    schedule: (teamId, joinInMs, over = {}) => {
      const join_at = new Date(clock.now() + joinInMs).toISOString();
      return sendRequest('POST', '/internal/v2/bots/scheduled', teamId, { ...createBody({ join_at }), ...over });
    },
    runDue: (over = {}) =>
      runDue({ database, events, notifyRuns, now, logger, settings: { ...dueSettings, ...over }, logins }),
    countRows: (teamId) => countRows(database, teamId),
    close: async () => {
      await service.stop();
      await bus.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}

async function listen(
  service: Service,
  dependencies: {
    database: Database;
    events: EventSink & { notify(): void };
    now: () => number;
    logins: LoginClient | null;
    forPreflight: Partial<PreflightDependencies>;
  },
): Promise<string> {
  const { auth } = service;
  const app = createApp(service);
  const { checkUrl: checkAddress } = createOutboundHttp({ allow: ['loopback'], requireHttps: true });
  const admission = {
    ...dependencies,
    notifyRuns: () => undefined,
    box: testBox,
    simulatorLinkHosts: ['meet.simulator.localhost:8443'],
    checkAddress,
    checkWebhook: checkAddress,
  };
  const leaving = { ...dependencies, notifyRunner: () => undefined };
  app.use(admissionRoutes(auth, admission));
  app.use(preflightRoutes(auth, { ...admission, findProviderProblem: async () => null, ...dependencies.forPreflight }));
  app.use(scheduledRoutes(auth, { ...admission, leave: (botId, teamId) => requestLeave(leaving, botId, teamId) }));
  app.use(secretRoutes(auth, { ...dependencies, box: testBox }));
  app.use(
    detailsRoutes(auth, {
      ...dependencies,
      box: testBox,
      signUrls: async () => ({ urls: {}, expiresAt: new Date().toISOString() }),
      noteAccess: () => undefined,
      transcriber: createTranscriberClient(auth, undefined),
    }),
  );
  app.use(listingRoutes(auth, dependencies));
  app.use(updateConfigRoutes(auth, dependencies));
  app.use(retranscribeRoutes(auth, { ...dependencies, box: testBox, engines: [], checkWebhook: checkAddress }));
  app.use(
    leaveRoutes(auth, {
      ...leaving,
      cancelScheduled: ({ botId, teamId }) => cancelScheduled(dependencies, botId, teamId),
    }),
  );
  app.use(...sendFailures(service));
  return (await service.listen(app, { host: '127.0.0.1', port: 0 })).url;
}

/** Numbers of rows of a team's bots, by table. */
async function countRows(database: Database, teamId: string): Promise<Record<string, number>> {
  const [row] = await database.query<Record<string, number>>(
    `select (select count(*) from bots where team_id = $1)::int as bots,
       (select count(*) from bot_history join bots on bots.id = bot_id where team_id = $1)::int as history,
       (select count(*) from token_ledger where team_id = $1 and kind = 'reserved')::int as ledger,
       (select count(*) from outbox where data->>'teamId' = $1::text)::int as events,
       (select count(*) from bot_secrets where team_id = $1)::int as secrets,
       (select count(*) from scheduled_bots where team_id = $1)::int as scheduled,
       (select bot_count from token_accounts where team_id = $1)::int as counted,
       (select balance::float8 from token_accounts where team_id = $1) as balance,
       (select reserved::float8 from token_accounts where team_id = $1) as reserved`,
    [teamId],
  );
  return row ?? {};
}

/** The id in the response of a creation, which must have succeeded. */
export function createdId({ status, body }: ServiceResponse): string {
  if (status !== 201) throw new Error(`The bot was refused with ${status}: ${JSON.stringify(body)}`);
  return body.data['bot_id'] as unknown as string;
}
