import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalCalls } from '@rapporteur/contracts';
import type { CredentialChoice, JoinTokenResult } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { createApp, createLogger, createService, jsonBody, loadConfig, Secret } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import { startSimulator } from '@rapporteur/simulator';
import { createTestDatabase, testNats } from '@rapporteur/testbed';
import { throughContract } from '@rapporteur/testbed/through-contract';
import { ssoConfig } from '../config.ts';
import { openSsoSchema } from '../schema/open-schema.ts';
import { startSso } from '../sso.ts';

export interface ApiResponse {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** The fields of a credential in the API that tests read. */
export type ShownCredential = Readonly<Record<string, unknown>> & { readonly credential_id: string };

/** The credential in a response, which must have this status. */
export function shown({ status, body, text }: ApiResponse, expected = 200): ShownCredential {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${text}`);
  return body['data'] as ShownCredential;
}

export interface SsoUnderTest {
  readonly database: Database;
  readonly environment: Readonly<Record<string, string>>;
  /** Client id and secret of the app in the simulated Zoom. */
  readonly app: { readonly client_id: string; readonly client_secret: string };
  readonly zoom: SimulatedZoom;
  /** One more replica; returns its address. */
  start(changes?: Record<string, string>): Promise<string>;
  /** A request as the gateway sends it for a team, below this path. */
  api(base: string, teamId: string, root?: string): Api;
  /** A request of another service to an internal route, which must respond with 200. */
  internal<T>(base: string, path: string, body: unknown, as?: 'bot-scheduler' | 'api-gateway'): Promise<T>;
  /** bot-scheduler's response about bots; those in neither list do not exist. */
  readonly bots: { active: string[]; ended: string[] };
  /** A request of bot-scheduler. */
  joinToken(base: string, choice: CredentialChoice, meetingId?: string): Promise<JoinTokenResult>;
  status(base: string, choice: CredentialChoice): Promise<unknown>;
  stop(): Promise<void>;
}

export type Api = (method: string, path: string, body?: unknown) => Promise<ApiResponse>;

export interface SimulatedZoom {
  readonly url: string;
  /** A customer's request after a user's consent. */
  consent(options?: object): Promise<{ readonly authorization_code: string; readonly redirect_uri: string }>;
  revoke(userId?: string): Promise<void>;
  strike(fault: object): Promise<void>;
  heal(): Promise<void>;
  counts(): Promise<{ exchanged: number; renewed: number; refused: number; minted: number }>;
}

const silent = createLogger('test', 'silent');

/** This service with a database of its own and the simulator's Zoom. */
export async function startSsoUnderTest(): Promise<SsoUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'sso-under-test-'));
  const simulator = await startSimulator({ dataFolder: folder });
  const server = await createTestDatabase(openSsoSchema);
  const internalSecret = randomBytes(24).toString('hex');
  const caller = (name: string) => createService({ name, internalSecret: new Secret(internalSecret), logger: silent });
  const [gateway, scheduler] = [caller('api-gateway'), caller('bot-scheduler')];
  const database = await openSsoSchema(server.url, 3);
  const services: { stop(): Promise<unknown> }[] = [];
  const bots = { active: [] as string[], ended: [] as string[] };
  const schedulerUrl = await startBotStates(scheduler, bots);
  const environment = {
    RAPPORTEUR_PORT: '0',
    RAPPORTEUR_DATABASE_URL: server.url,
    RAPPORTEUR_DATABASE_POOL_SIZE: '4',
    RAPPORTEUR_BUS_URL: testNats().url,
    RAPPORTEUR_INTERNAL_SECRET: internalSecret,
    RAPPORTEUR_SECRET_KEY: randomBytes(32).toString('base64'),
    RAPPORTEUR_BOT_SCHEDULER_URL: schedulerUrl,
    RAPPORTEUR_PUBLIC_URL: 'https://api.example.test',
    RAPPORTEUR_SIMULATED_GOOGLE_URL: `${simulator.controlUrl}/google`,
    RAPPORTEUR_ZOOM_OAUTH_URL: `${simulator.controlUrl}/zoom`,
    RAPPORTEUR_ZOOM_API_URL: `${simulator.controlUrl}/zoom`,
    RAPPORTEUR_ALLOWED_ADDRESSES: 'loopback',
    RAPPORTEUR_REQUIRE_HTTPS: 'false',
  };
  const sendRequest = async <T>(url: string, body: unknown, as = scheduler): Promise<T> => {
    const reply = await as.auth.fetch('sso-idp', url, { ...json(body), timeoutMs: 30_000 });
    if (reply.status !== 200) throw new Error(`${url} responded with ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  return {
    database,
    environment,
    app: { client_id: simulator.sdkApp.key, client_secret: simulator.sdkApp.secret },
    zoom: zoomAt(simulator.controlUrl),
    start: async (changes = {}) => {
      const config = loadConfig(ssoConfig, { ...environment, ...changes });
      const service = createService({ name: 'sso-idp', internalSecret: config.internalSecret, logger: silent });
      services.push(service);
      return (await startSso(service, config)).url;
    },
    bots,
    internal: (base, path, body, as = 'bot-scheduler') =>
      sendRequest(`${base}${path}`, body, as === 'bot-scheduler' ? scheduler : gateway),
    api:
      (base, teamId, root = '/zoom-credentials') =>
      async (method, path, body) => {
        const target = `/v2${root}${path}`;
        const caller = { teamId, permission: 'full', timeoutMs: 30_000 } as const;
        const reply = await throughContract({ method, path: target, body }, (init) =>
          gateway.auth.fetch('sso-idp', `${base}/internal${target}`, { ...caller, ...init }),
        );
        const text = await reply.text();
        return { status: reply.status, text, body: JSON.parse(text) as Record<string, unknown> };
      },
    joinToken: (base, choice, meetingId = '12345678901') =>
      sendRequest(`${base}${internalCalls.credentials.joinToken.path}`, { choice, botId: randomUUID(), meetingId }),
    status: (base, choice) => sendRequest(`${base}${internalCalls.credentials.status.path}`, choice),
    stop: async () => {
      await Promise.all([gateway, scheduler, ...services].map((service) => service.stop()));
      await database.close();
      await server.drop();
      await simulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The route of bot-scheduler that returns which bots exist. */
async function startBotStates(scheduler: Service, bots: SsoUnderTest['bots']): Promise<string> {
  const app = createApp(scheduler);
  const readJson = jsonBody({ limitBytes: 65_536 });
  app.post(internalCalls.bots.states.path, scheduler.auth.require(['sso-idp']), readJson, (request, response) => {
    const { botIds } = internalCalls.bots.states.body.parse(request.body);
    const requested = (ids: readonly string[]) => ids.filter((id) => botIds.includes(id));
    response.json({ active: requested(bots.active), ended: requested(bots.ended) });
  });
  return (await scheduler.listen(app, { host: '127.0.0.1', port: 0 })).url;
}

function json(body: unknown) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function zoomAt(controlUrl: string): SimulatedZoom {
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const reply = await fetch(`${controlUrl}${path}`, json(body));
    if (!reply.ok) throw new Error(`The simulator responded with ${reply.status} to ${path}: ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  return {
    url: `${controlUrl}/zoom`,
    consent: async (options = {}) => {
      const { code, redirectUri } = await post<{ code: string; redirectUri: string }>('/zoom/consents', options);
      return { authorization_code: code, redirect_uri: redirectUri };
    },
    revoke: async (userId = 'simulated-zoom-user') => void (await post(`/zoom/users/${userId}/revoke`, {})),
    strike: async (fault) => void (await post('/zoom/faults', fault)),
    heal: async () => void (await fetch(`${controlUrl}/zoom/faults`, { method: 'DELETE' })),
    counts: async () => (await (await fetch(`${controlUrl}/zoom/counts`)).json()) as never,
  };
}
