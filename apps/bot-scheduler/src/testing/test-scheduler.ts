import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@rapporteur/database';
import type { BusAuthority } from '@rapporteur/event-bus';
import { createSecretBox } from '@rapporteur/secret-box';
import { createInternalAuth, createLogger, createService, loadConfig, Secret } from '@rapporteur/service-runtime';
import { createTestDatabase, startOwnNats, waitFor } from '@rapporteur/testbed';
import { throughContract } from '@rapporteur/testbed/through-contract';
import { schedulerConfig } from '../config.ts';
import type { SchedulerConfig } from '../config.ts';
import { createProcessLauncher } from '../launch/process-launcher.ts';
import { startScheduler } from '../scheduler.ts';
import { openBotsSchema } from '../open-schema.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { StorageClient } from '../service-clients.ts';
import { saveTeam } from '../credentials/identity.consumer.ts';
import { creditTokens } from '../credentials/token-accounts.store.ts';
import { createBody } from './create-body.ts';
import type { Scenario } from './fake-runner.ts';

export const fakeRunnerEntry = fileURLToPath(new URL('./fake-runner.ts', import.meta.url));
export const internalSecret = 'a secret of tests that is long enough for everyone';
export const testSecretKey = Buffer.alloc(32, 'a key of tests').toString('base64');
export const testBox = createSecretBox({ current: testSecretKey });

export function openBotsDatabase(url: string): Promise<Database> {
  return openBotsSchema(url, { applicationName: 'test' });
}

/** Adds a team with limits and tokens, like events of api-gateway. */
export async function addTeam(
  database: Database,
  over: { dailyBotCap?: number; tokens?: number } = {},
): Promise<string> {
  const teamId = randomUUID();
  const plan = { name: 'test', dailyBotCap: over.dailyBotCap ?? 1_000, retentionDays: 3 };
  await saveTeam(database, { teamId, version: 1, name: 'Team', plan });
  const tokens = over.tokens ?? 3_600_000;
  if (tokens > 0) await creditTokens(database, { teamId, grantId: randomUUID(), tokens, at: new Date() });
  return teamId;
}

/** Sends requests like the gateway, for one team and API key. */
export function createGatewayClient(url: string, keyId?: string) {
  const gateway = createInternalAuth('api-gateway', new Secret(internalSecret));
  return async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, teamId: string, body?: unknown) => {
    const token = { teamId, permission: 'full', timeoutMs: 30_000, ...(keyId === undefined ? {} : { keyId }) } as const;
    const target = isOfGateway(body) ? path : path.replace(/^\/internal/, '');
    const response = await throughContract({ method, path: target, body }, (init) =>
      gateway.fetch('bot-scheduler', `${url}${path}`, { ...token, ...init }),
    );
    return {
      status: response.status,
      body: (await response.json()) as Record<string, never> & { data: Record<string, never> },
    };
  };
}

/** Bodies that the gateway makes: translations of the legacy API, and batches whose items it has checked. */
function isOfGateway(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('legacy' in body || 'items' in body);
}

/** Storage that grants everything and signs without checks. */
export const fakeStorage: StorageClient = {
  signUrls: async ({ botId, keys }) => ({
    urls: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, `https://files.test/${botId}/${key}`])),
    expiresAt: new Date().toISOString(),
  }),
  deleteBotObjects: async () => ({ confirmed: true }),
  endGrants: async () => ({ success: true }),
  grantUpload: async ({ botId, fencing }) => ({ url: 'http://files.test', grant: `${botId}:${fencing}` }),
};

export interface TestScheduler {
  readonly url: string;
  readonly busUrl: string;
  readonly database: Database;
  readonly runsFolder: string;
  readonly sendRequest: ReturnType<typeof createGatewayClient>;
  /** Creates a bot that runs a scenario, and returns its id. */
  sendBot(teamId: string, scenario: Scenario, over?: Record<string, unknown>): Promise<string>;
  bot(botId: string): Promise<BotRow>;
  waitForStatus(botId: string, status: string): Promise<BotRow>;
  /** Status codes of the bot's history, oldest first. */
  history(botId: string): Promise<string[]>;
  /** Data of the outbox's events of this type for this bot. */
  events(botId: string, type: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** Settings that make every wait short. */
export function quickSettings(over: Record<string, string> = {}): Record<string, string> {
  const quick = {
    PORT: '0',
    INTERNAL_SECRET: internalSecret,
    SECRET_KEY: testSecretKey,
    STORAGE_URL: 'http://127.0.0.1:1',
    PUBLIC_SCHEDULER_URL: 'http://127.0.0.1:1',
    RUNNER_ENTRY: fakeRunnerEntry,
    LEASE_RENEW_MS: '300',
    LEASE_LOST_AFTER_MS: '8000',
    EXIT_SETTLE_MS: '300',
    SWEEP_MS: '200',
    TICKET_TTL_MS: '20000',
    DRAIN_MS: '8000',
    ...over,
  };
  return Object.fromEntries(Object.entries(quick).map(([name, value]) => [`RAPPORTEUR_${name}`, value]));
}

export interface TestSchedulerOptions {
  readonly settings?: Record<string, string>;
  readonly runnerEnvironment?: Record<string, string>;
  /** A bus that requires credentials. */
  readonly authority?: BusAuthority;
  readonly storage?: StorageClient;
}

/** A complete scheduler in this process: own database, own bus, child processes as runners. */
export async function startTestScheduler(options: TestSchedulerOptions = {}): Promise<TestScheduler> {
  const testDatabase = await createTestDatabase(openBotsDatabase);
  const { authority } = options;
  const nats = await startOwnNats(authority === undefined ? {} : { authConfig: authority.serverConfig });
  const keys: Record<string, string> =
    authority === undefined
      ? {}
      : { BUS_CREDENTIALS: authority.serviceCredentials, BUS_ACCOUNT_SEED: authority.accountSeed };
  const runsFolder = mkdtempSync(join(tmpdir(), 'rapporteur-runs-'));
  const compiledFolder = process.env['NODE_COMPILE_CACHE'];
  // Runners of all test files share the compile cache of the test run.
  if (compiledFolder !== undefined) symlinkSync(compiledFolder, join(runsFolder, 'compiled'));
  const settings = quickSettings({
    DATABASE_URL: testDatabase.url,
    BUS_URL: nats.url,
    RUNS_FOLDER: runsFolder,
    ...keys,
    ...options.settings,
  });
  const config: SchedulerConfig = loadConfig(schedulerConfig, settings);
  const logger = createLogger('bot-scheduler', 'silent');
  const service = createService({ name: 'bot-scheduler', logger, internalSecret: new Secret(internalSecret) });
  const environment: Record<string, string> = { ...options.runnerEnvironment };
  const launcher = createProcessLauncher({
    runnerEntry: fakeRunnerEntry,
    runsFolder,
    environment,
    logger,
    clock: service.clock,
  });
  const { url } = await startScheduler({ service, config, launcher, storage: options.storage ?? fakeStorage });
  environment['RAPPORTEUR_SCHEDULER_URL'] = url;
  const database = await openBotsDatabase(testDatabase.url);
  return {
    url,
    busUrl: nats.url,
    database,
    runsFolder,
    ...requests(database, url),
    stop: async () => {
      await service.stop();
      await database.close();
      await nats.remove();
      await testDatabase.drop();
      rmSync(runsFolder, { recursive: true, force: true });
    },
  };
}

export function requests(database: Database, url: string) {
  const sendRequest = createGatewayClient(url);
  const bot = async (botId: string): Promise<BotRow> => {
    const [row] = await database.query<BotRow>('select * from bots where id = $1', [botId]);
    if (row === undefined) throw new Error(`There is no bot ${botId}.`);
    return row;
  };
  return {
    sendRequest,
    bot,
    sendBot: async (teamId: string, scenario: Scenario, over: Record<string, unknown> = {}): Promise<string> => {
      const { status, body } = await sendRequest(
        'POST',
        '/internal/v2/bots',
        teamId,
        createBody({ bot_name: scenario, ...over }),
      );
      if (status !== 201) throw new Error(`The bot was refused with ${status}: ${JSON.stringify(body)}`);
      return body.data['bot_id'] as unknown as string;
    },
    waitForStatus: async (botId: string, status: string): Promise<BotRow> => {
      await waitFor(
        async () => {
          const last = await bot(botId);
          if (last.status === status) return true;
          const { phase, end_code, end_message, attempt } = last;
          throw new Error(`It is ${last.status}: ${JSON.stringify({ phase, end_code, end_message, attempt })}`);
        },
        { what: `bot ${botId} to be ${status}` },
      );
      return bot(botId);
    },
    history: async (botId: string): Promise<string[]> => {
      const rows = await database.query<{ code: string }>(
        'select code from bot_history where bot_id = $1 order by sequence',
        [botId],
      );
      return rows.map((row) => row.code);
    },
    events: async (botId: string, type: string): Promise<Record<string, unknown>[]> => {
      const rows = await database.query<{ data: Record<string, unknown> }>(
        `select data from outbox where type = $2 and data->>'botId' = $1 order by occurred_at, (data->>'sequence')::int`,
        [botId, type],
      );
      return rows.map((row) => row.data);
    },
  };
}

/** The process id of a bot's newest run. */
export async function findRunner(scheduler: Pick<TestScheduler, 'runsFolder' | 'bot'>, botId: string): Promise<number> {
  const { attempt } = await scheduler.bot(botId);
  const record = JSON.parse(readFileSync(join(scheduler.runsFolder, `bot-${botId}-${attempt}.run.json`), 'utf8')) as {
    process: { pid: number };
  };
  return record.process.pid;
}

/** Existing work folders. */
export function workFolders(runsFolder: string): string[] {
  return readdirSync(join(runsFolder, 'work'));
}
