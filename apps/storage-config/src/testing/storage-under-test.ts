import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalCalls, internalRoutes } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { openDiskStore } from '@rapporteur/object-store';
import type { ObjectStore } from '@rapporteur/object-store';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttpOptions } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import { createService, Secret, systemClock } from '@rapporteur/service-runtime';
import type { Clock, Service } from '@rapporteur/service-runtime';
import { throughContract } from '@rapporteur/testbed/through-contract';
import { createTestDatabase, freePort } from '@rapporteur/testbed';
import type { Express } from 'express';
import { createConfigurationSecrets } from '../configurations/configuration-secrets.ts';
import { deleteLateWrites, removeReleasedFragments } from '../deletion/due-deletions.ts';
import { openStorageSchema } from '../schema/open-schema.ts';
import { removeStoredCopies, retrySpilled } from '../spill/retry-spilled.ts';
import { createStorageApp } from '../storage-app.ts';
import { sweepTeamUploads } from '../sweep.ts';

export const internalSecret = new Secret('an internal secret for the tests of storage-config');
export const signingSecret = new Secret('a signing secret for the tests of storage-config');
/** 32 bytes. */
export const secretKey = Buffer.alloc(32, 'storage').toString('base64');
const artifactUrlTtlMs = 4 * 3_600_000;
export const teamId = '0a000000-0000-4000-8000-000000000001';

export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export interface ApiResponse {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly data: Record<string, unknown>;
}

/** storage-config in this process, on an object store (by default a folder) and a database of its own. */
export interface StorageUnderTest {
  readonly url: string;
  readonly app: Express;
  readonly store: ObjectStore;
  readonly folder: string;
  readonly database: Database;
  /** Calls storage-config as bot-scheduler would. */
  readonly scheduler: SchedulerSide;
  /** Calls an operation of the public API as the gateway would. */
  api(method: string, path: string, options?: { body?: unknown; team?: string }): Promise<ApiResponse>;
  /** Retries due objects now. @returns how many a bucket accepted */
  retrySpilled(): Promise<number>;
  /** Runs once, before the next deletion of one object of the store of this service. */
  beforeDeletion(work: () => Promise<void>): void;
  /** Deletes copies whose links have expired. */
  removeStoredCopies(): Promise<number>;
  /** Deletes once more what is due. @returns of how many bots */
  deleteLateWrites(): Promise<number>;
  /** Removes fragments that were released more than a day ago. @returns of how many bots */
  removeReleasedFragments(): Promise<number>;
  /** Aborts multipart uploads in teams' buckets, however new. */
  sweepTeamUploads(): Promise<number>;
  /** May request grants too. */
  readonly transcriber: Pick<SchedulerSide, 'grant'>;
  /** Advances the service's clock. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

interface StorageOptions {
  readonly own?: ObjectStore;
  readonly maxObjectBytes?: number;
  readonly uploadIdleMs?: number;
  /** Rules for teams' endpoints, beside access to loopback. */
  readonly outbound?: Pick<OutboundHttpOptions, 'caFile' | 'lookup'>;
}

/** The system's clock after more time has passed than it says. */
const clockAhead = (aheadMs: () => number): Clock => ({
  ...systemClock,
  now: () => systemClock.now() + aheadMs(),
  monotonic: () => systemClock.monotonic() + aheadMs(),
});

export async function startStorage({ own, outbound = {}, ...limits }: StorageOptions = {}): Promise<StorageUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-config-'));
  const testDatabase = await createTestDatabase(openStorageSchema);
  const databasePoolSize = 10;
  const database = await openStorageSchema(testDatabase.url, databasePoolSize);
  let aheadMs = 0;
  const clock = clockAhead(() => aheadMs);
  const service = createService({ name: 'storage-config', logLevel: 'silent', internalSecret, clock });
  // Links contain the service's address, so it is chosen before the service listens.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const signedUrlBase = `${url}/artifacts`;
  const store = own ?? (await openDiskStore({ folder, signingSecret: signingSecret.reveal(), signedUrlBase }));
  const secrets = createConfigurationSecrets(createSecretBox({ current: secretKey }));
  const http = createOutboundHttp({ allow: ['loopback'], requireHttps: false, ...outbound });
  const dependencies = {
    database,
    own: store,
    secrets,
    http,
    signingSecret,
    runnerUrl: url,
    maxObjectBytes: 300 * 1024 ** 2,
  };
  const { app, store: routed, teams } = createStorageApp(service, { ...dependencies, artifactUrlTtlMs, ...limits });
  await service.listen(app, { host: '127.0.0.1', port, drainMs: 100 });
  const gateway = createService({ name: 'api-gateway', logLevel: 'silent', internalSecret });
  const caller = createService({ name: 'bot-scheduler', logLevel: 'silent', internalSecret });
  const transcriber = createService({ name: 'transcriber', logLevel: 'silent', internalSecret });
  return {
    url,
    app,
    store,
    folder,
    database,
    scheduler: schedulerSide(caller, url),
    transcriber: schedulerSide(transcriber, url),
    api: async (method, path, { body, team = teamId } = {}) => {
      const response = await throughContract({ method, path, body }, (init) =>
        gateway.auth.fetch('storage-config', `${url}/internal${path}`, {
          teamId: team,
          permission: 'full',
          timeoutMs: 30_000,
          ...init,
        }),
      );
      const text = await response.text();
      const parsed = JSON.parse(text) as Record<string, unknown>;
      return { status: response.status, text, body: parsed, data: (parsed['data'] ?? {}) as Record<string, unknown> };
    },
    retrySpilled: () => retrySpilled({ database, own: store, teams, clock, logger: service.logger }),
    beforeDeletion: (work) => interceptDeletion(store, work),
    removeStoredCopies: () => removeStoredCopies({ database, own: store, clock }, artifactUrlTtlMs),
    deleteLateWrites: () => deleteLateWrites({ database, store: routed }, clock.now()),
    removeReleasedFragments: () =>
      removeReleasedFragments({ database, store: routed }, { nowMs: clock.now(), keepMs: 86_400_000 }),
    sweepTeamUploads: () =>
      sweepTeamUploads({ database, teams, logger: service.logger }, { nowMs: clock.now(), idleMs: 0 }),
    advance: (ms) => (aheadMs += ms),
    stop: async () => {
      http.close();
      await Promise.all([gateway.stop(), caller.stop(), transcriber.stop()]);
      await service.stop();
      await database.close();
      await testDatabase.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function interceptDeletion(store: ObjectStore, work: () => Promise<void>): void {
  const deleteObject = store.delete.bind(store);
  store.delete = async (key) => {
    store.delete = deleteObject;
    await work();
    await deleteObject(key);
  };
}

export interface SchedulerSide {
  post(route: string, body: unknown): Promise<Response>;
  /** Deletes the data of a bot. @returns the reply */
  deleteData(botId: string, team?: string): Promise<unknown>;
  grant(botId: string, fencing?: number, expiresInMs?: number, team?: string): Promise<GrantHolder>;
  urlOf(botId: string, key: string): Promise<string>;
}

export function schedulerSide(caller: Service, url: string): SchedulerSide {
  const send = (method: string, route: string, body: unknown) =>
    caller.auth.fetch('storage-config', url + route, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const post = (route: string, body: unknown) => send('POST', route, body);
  return {
    post,
    deleteData: async (botId, team = teamId) => {
      const response = await post(internalCalls.storage.deleteBotObjects.path, { botId, teamId: team });
      if (!response.ok) throw new Error(`Not deleted: ${response.status} ${await response.text()}`);
      return await response.json();
    },
    grant: async (botId, fencing = 1, expiresInMs = 3_600_000, team = teamId) => {
      const expiresAt = new Date(Date.now() + expiresInMs).toISOString();
      const response = await post(internalCalls.storage.grantUpload.path, { botId, teamId: team, fencing, expiresAt });
      if (response.status !== 200) throw new Error(`No grant: ${response.status} ${await response.text()}`);
      const reply = internalCalls.storage.grantUpload.reply.parse(await response.json());
      return grantHolder(reply.url, reply.grant);
    },
    urlOf: async (botId, key) => {
      const response = await post(internalCalls.storage.signUrls.path, { botId, keys: { it: key } });
      return internalCalls.storage.signUrls.reply.parse(await response.json()).urls['it'] ?? '';
    },
  };
}

/** A runner with its grant. Keys are put into the path unencoded, so that a test can send any path. */
export interface GrantHolder {
  readonly grant: string;
  put(key: string, content: Buffer, headers?: Record<string, string>): Promise<Response>;
  get(path: string, range?: string): Promise<Response>;
}

export function grantHolder(url: string, grant: string): GrantHolder {
  const authorization = `Bearer ${grant}`;
  const base = url + internalRoutes.grantObjects;
  return {
    grant,
    put: (key, content, headers = {}) =>
      fetch(`${base}/${key}`, {
        method: 'PUT',
        headers: { authorization, 'x-content-sha256': sha256Of(content), 'content-type': 'video/mp4', ...headers },
        body: content as Uint8Array<ArrayBuffer>,
      }),
    get: (path, range) => fetch(base + path, { headers: { authorization, ...(range === undefined ? {} : { range }) } }),
  };
}
