import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { internalRoutes } from '@rapporteur/contracts';
import { startFaultProxy } from '@rapporteur/object-store/testing';
import { certificateFor } from '@rapporteur/outbound-http/testing/certificate';
import { createSecretBox } from '@rapporteur/secret-box';
import { createLogger } from '@rapporteur/service-runtime';
import { createConfigurationSecrets, rewrapConfigurations } from '../configurations/configuration-secrets.ts';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';
import { secretKey, startStorage } from '../testing/storage-under-test.ts';
import type { StorageUnderTest } from '../testing/storage-under-test.ts';
import { startCustomerStore } from '../testing/team-buckets-under-test.ts';
import type { CustomerStore } from '../testing/team-buckets-under-test.ts';

const mebibyte = 1024 ** 2;
let storage: StorageUnderTest;
let customer: CustomerStore;
let team = '';
beforeAll(async () => {
  customer = await startCustomerStore();
  storage = await startStorage();
  for (const bucket of ['recordings', 'chunks', 'logs']) await customer.createBucket(bucket);
}, 120_000);
afterAll(async () => {
  await storage.stop();
  await customer.stop();
});
beforeEach(() => {
  team = randomUUID();
  customer.proxy.decide(() => 'pass');
});

const three = ['recordings', 'chunks', 'logs'] as const;
const api = (method: string, path = '', body?: unknown) =>
  storage.api(method, `/v2/storage-config${path}`, { team, ...(body === undefined ? {} : { body }) });
const configure = async (over: Record<string, unknown> = {}) => {
  const response = await api('PUT', '', customer.configuration(three, over));
  expect([response.status, response.body['message']]).toEqual([200, undefined]);
  return response.data;
};
const refuseWrites = (status: 403 | 503 = 503) =>
  customer.proxy.decide(({ line }) => (line.startsWith('PUT') ? status : 'pass'));
const grant = (botId: string, fencing = 1) => storage.scheduler.grant(botId, fencing, 48 * 3_600_000, team);
const below = async (bucket: string, botId: string) =>
  (await customer.keysOf(bucket)).filter((key) => key.startsWith(`${botId}/`)).map((key) => key.slice(37));

const held = async () => (await storage.api('POST', '/v1/spilled-objects', { body: { limit: 100 } })).body['objects'];

const copiesOf = async (botId: string) =>
  (await storage.store.list({ prefix: `bots/${botId}/` })).objects.map(({ key }) => key);

describe('a storage configuration', () => {
  test('is accepted once every bucket passes the check, and is shown without its secrets', async () => {
    expect((await api('GET')).status).toBe(404);
    const put = await api('PUT', '', customer.configuration(three));
    expect(put.status).toBe(200);
    const { ingest, service } = customer;
    for (const secret of [ingest.secretAccessKey, service.secretAccessKey]) expect(put.text).not.toContain(secret);
    expect(put.data).toEqual({
      storage_config_id: expect.any(String),
      enabled: true,
      endpoint: customer.proxy.url,
      region: 'us-east-1',
      force_path_style: true,
      allow_transient_spill: false,
      artifacts_bucket: 'recordings',
      audio_chunks_bucket: 'chunks',
      logs_bucket: 'logs',
      key_prefix: '',
      server_side_encryption: null,
      kms_key_id: null,
      ingest_access_key_id: ingest.accessKeyId,
      service_access_key_id: service.accessKeyId,
      last_verified_at: expect.any(String),
      last_error_at: null,
      last_error_message: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await api('GET')).body).toEqual(put.body);
    const rows = await storage.database.query<Record<string, unknown>>('select * from storage_configs');
    const dump = JSON.stringify(rows, (_key, value: unknown) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : value,
    );
    for (const secret of [ingest.secretAccessKey, service.secretAccessKey]) expect(dump).not.toContain(secret);
    expect(await customer.keysOf('recordings')).toEqual([]);
  });

  test.each([
    [
      'a secret that is wrong',
      { ingest_secret_access_key: 'wrong' },
      /^artifacts_bucket: writing a marker with the ingest key/,
    ],
    [
      'a key that may not read',
      'ingest as service',
      /^artifacts_bucket: reading the marker with the service key failed/,
    ],
    [
      'a bucket that is missing',
      { logs_bucket: 'nowhere' },
      /^logs_bucket: .* (The bucket of the object store does not exist|.*AccessDenied)/,
    ],
    ['an endpoint where nothing listens', { endpoint: 'http://127.0.0.1:1' }, /^artifacts_bucket: .*ingest key failed/],
    ['an endpoint inside the network', { endpoint: 'http://10.0.0.1' }, /does not lead to a public address/],
  ])('with %s is refused with the reason, and the one before stays', async (_what, change, reason) => {
    const before = await configure();
    const { ingest } = customer;
    const asService = { service_access_key_id: ingest.accessKeyId, service_secret_access_key: ingest.secretAccessKey };
    const over = typeof change === 'string' ? asService : change;
    const refused = await api('PUT', '', customer.configuration(three, over));
    expect(refused).toMatchObject({ status: 400, body: { code: 'FST_ERR_STORAGE_VERIFICATION', success: false } });
    expect(refused.body['message']).toMatch(reason);
    expect((await api('GET')).data).toEqual(before);
  });

  test('reaches an endpoint whose certificate the authority of the operator signed, and no other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rapporteur-authority-'));
    const [host, caFile] = ['storage.example.com', join(folder, 'authority.pem')];
    const certificate = certificateFor(host);
    await writeFile(caFile, certificate.cert);
    const proxy = await startFaultProxy(customer.server.endpoint, certificate);
    const lookup = () => Promise.resolve(['127.0.0.1']);
    const endpoint = `https://${host}:${new URL(proxy.url).port}`;
    const body = customer.configuration(three, { endpoint });
    const started: StorageUnderTest[] = [];
    const open = async (outbound: { caFile?: string }) => {
      const opened = await startStorage({ outbound: { ...outbound, lookup } });
      started.push(opened);
      return opened;
    };
    try {
      const refused = await (await open({})).api('PUT', '/v2/storage-config', { body, team });
      expect(refused.status).toBe(400);
      expect(refused.body['message']).toMatch(/ingest key failed/);
      expect(proxy.seen).toEqual([]);
      const trusting = await open({ caFile });
      expect((await trusting.api('PUT', '/v2/storage-config', { body, team })).status).toBe(200);
      const botId = randomUUID();
      const runner = await trusting.scheduler.grant(botId, 1, 3_600_000, team);
      expect((await runner.put('artifacts/a.txt', Buffer.from('a'))).status).toBe(201);
      expect(await (await runner.get('/artifacts/a.txt')).text()).toBe('a');
      expect(await below('recordings', botId)).toEqual(['artifacts/a.txt']);
      expect(await trusting.scheduler.urlOf(botId, 'artifacts/a.txt')).toContain(endpoint);
    } finally {
      for (const opened of started) await opened.stop();
      await proxy.stop();
      await rm(folder, { recursive: true });
    }
  });

  test('refuses a body that does not fit, naming the field', async () => {
    const refused = await api('PUT', '', customer.configuration(three, { region: '' }));
    expect(refused).toMatchObject({ status: 400, body: { code: 'FST_ERR_VALIDATION' } });
    expect(refused.body['message']).toMatch(/^region: /);
  });

  test('is checked again on request, and the result is recorded', async () => {
    await configure();
    expect((await api('POST', '/test')).data).toEqual({ ok: true, error: null });
    customer.proxy.decide(({ line }) => (line.startsWith('DELETE') ? 403 : 'pass'));
    const failed = await api('POST', '/test');
    expect(failed).toMatchObject({ status: 200, data: { ok: false } });
    expect(failed.data['error']).toMatch(/deleting the marker with the service key failed.*refuses this access key/);
    const shown = (await api('GET')).data;
    expect(shown['last_error_message']).toBe(failed.data['error']);
    expect(shown['last_error_at']).toEqual(expect.any(String));
  });

  test('ends with DELETE for new bots; another team never sees it', async () => {
    const { storage_config_id: id } = await configure();
    const stranger = await storage.api('GET', '/v2/storage-config', { team: randomUUID() });
    expect(stranger.status).toBe(404);
    expect(await api('DELETE')).toMatchObject({ status: 200, data: { storage_config_id: id, enabled: false } });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const)
      expect((await api(method, path)).status).toBe(404);
  });
});

describe('a bot of a team with buckets of its own', () => {
  test('writes below its id into the three buckets, by key, and nothing into the store of the service', async () => {
    await configure();
    const botId = randomUUID();
    const runner = await grant(botId);
    const big = randomBytes(9 * mebibyte);
    expect((await runner.put('artifacts/video.mp4', big)).status).toBe(201);
    expect((await runner.put('segments/0001/000001.m4s', Buffer.from('one'))).status).toBe(201);
    expect((await runner.put('evidence/0001/evidence.json', Buffer.from('{}'))).status).toBe(201);
    expect(await below('recordings', botId)).toEqual(['artifacts/video.mp4']);
    expect(await below('chunks', botId)).toEqual(['segments/0001/000001.m4s']);
    expect(await below('logs', botId)).toEqual(['evidence/0001/evidence.json']);
    expect((await storage.store.list({ prefix: 'bots/' })).objects).toEqual([]);
    const url = await storage.scheduler.urlOf(botId, 'artifacts/video.mp4');
    expect(url.startsWith(`${customer.proxy.url}/recordings/${botId}/`)).toBe(true);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(big)).toBe(true);
    expect(await (await runner.get('/segments/0001/000001.m4s')).text()).toBe('one');
    const listed = (await (await runner.get('?prefix=')).json()) as { objects: { key: string }[] };
    expect(listed.objects.map(({ key }) => key)).toEqual([
      'artifacts/video.mp4',
      'evidence/0001/evidence.json',
      'segments/0001/000001.m4s',
    ]);
  });

  test('keeps the configuration that it was written to when another takes its place, or none', async () => {
    await configure();
    const [early, late, last] = [randomUUID(), randomUUID(), randomUUID()];
    await (await grant(early)).put('artifacts/a.txt', Buffer.from('early'));
    await customer.createBucket(`second-${team}`);
    const second = `second-${team}`;
    await api('PUT', '', customer.configuration([second, second, second]));
    await (await grant(early, 2)).put('artifacts/b.txt', Buffer.from('early too'));
    await (await grant(late)).put('artifacts/a.txt', Buffer.from('late'));
    await api('DELETE');
    await (await grant(last)).put('artifacts/a.txt', Buffer.from('last'));
    expect(await below('recordings', early)).toEqual(['artifacts/a.txt', 'artifacts/b.txt']);
    expect(await customer.keysOf(second)).toEqual([`${late}/artifacts/a.txt`]);
    for (const [botId, text] of [
      [early, 'early'],
      [late, 'late'],
      [last, 'last'],
    ] as const)
      expect(await (await fetch(await storage.scheduler.urlOf(botId, 'artifacts/a.txt'))).text()).toBe(text);
  });

  test('loses all copies when its data is deleted, and the bucket keeps what is not ours', async () => {
    await configure();
    const botId = randomUUID();
    const runner = await grant(botId);
    for (const key of ['artifacts/a.txt', 'segments/0001/000001.m4s', 'evidence/0001/e.json'])
      await runner.put(key, Buffer.from(key));
    await customer.client('recordings').put('theirs.txt', Buffer.from('theirs'), { contentType: 'text/plain' });
    await storage.scheduler.deleteData(botId, team);
    for (const bucket of three) expect(await below(bucket, botId)).toEqual([]);
    expect(await customer.keysOf('recordings')).toContain('theirs.txt');
    expect((await runner.put('artifacts/b.txt', Buffer.from('b'))).status).toBe(403);
  });

  test('has its abandoned multipart uploads aborted, and only those', async () => {
    await configure();
    const botId = randomUUID();
    const { grant: token } = await grant(botId);
    const started = await fetch(`${storage.url}${internalRoutes.grantMultipart}/artifacts/video.mp4`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ contentType: 'video/mp4' }),
    });
    expect(started.status).toBe(201);
    const theirs = customer.client('recordings');
    await theirs.createMultipart(`${randomUUID()}/theirs.mp4`, { contentType: 'video/mp4' });
    expect(await storage.sweepTeamUploads()).toBe(1);
    expect(await theirs.sweepUnfinished({ idleMs: 0, prefixes: [''] })).toBe(1);
  });
});

describe('a bucket that fails', () => {
  test('without spill: the upload fails, nothing is held, and it works again when the bucket does', async () => {
    await configure();
    const botId = randomUUID();
    const runner = await grant(botId);
    refuseWrites();
    expect((await runner.put('artifacts/a.txt', Buffer.from('a'))).status).toBe(503);
    expect((await runner.put('artifacts/a.txt', Buffer.from('a'))).status).toBe(503);
    expect(await storage.database.query('select from spilled_objects')).toEqual([]);
    expect((await api('GET')).data['last_error_message']).toMatch(/HTTP 503/);
    customer.proxy.decide(() => 'pass');
    expect((await runner.put('artifacts/a.txt', Buffer.from('a'))).status).toBe(201);
  });

  test('with spill: the object is held, listed and served, then stored; a link given before works on', async () => {
    await configure({ allow_transient_spill: true });
    const botId = randomUUID();
    const runner = await grant(botId);
    refuseWrites(403);
    expect((await runner.put('artifacts/a.txt', Buffer.from('held'))).status).toBe(503);
    expect((await runner.put('artifacts/a.txt', Buffer.from('held'))).status).toBe(201);
    const url = await storage.scheduler.urlOf(botId, 'artifacts/a.txt');
    expect(await (await fetch(url)).text()).toBe('held');
    expect(await (await runner.get('/artifacts/a.txt')).text()).toBe('held');
    expect(await held()).toEqual([
      expect.objectContaining({ bot_id: botId, team_id: team, key: 'artifacts/a.txt', bytes: 4, attempts: 0 }),
    ]);
    storage.advance(31_000);
    expect(await storage.retrySpilled()).toBe(0);
    expect(await held()).toEqual([
      expect.objectContaining({ attempts: 1, last_error: expect.stringContaining('refuses this access key') }),
    ]);
    customer.proxy.decide(() => 'pass');
    storage.advance(61_000);
    expect(await storage.retrySpilled()).toBe(1);
    expect((await customer.contentOf('recordings', `${botId}/artifacts/a.txt`)).toString()).toBe('held');
    expect(await held()).toEqual([]);
    expect(await (await fetch(url)).text()).toBe('held');
    expect(await storage.scheduler.urlOf(botId, 'artifacts/a.txt')).toContain(customer.proxy.url);
    storage.advance(4 * 3_600_000 + 1);
    expect(await storage.removeStoredCopies()).toBe(1);
    expect(await copiesOf(botId)).toEqual([]);
  });

  test('with spill: an object that is written again while it is held reaches the bucket in its last version', async () => {
    await configure({ allow_transient_spill: true });
    const botId = randomUUID();
    const runner = await grant(botId);
    refuseWrites();
    await runner.put('artifacts/a.txt', Buffer.from('first'));
    for (const text of ['first', 'second'])
      expect((await runner.put('artifacts/a.txt', Buffer.from(text))).status).toBe(201);
    expect(await (await runner.get('/artifacts/a.txt')).text()).toBe('second');
    expect(await held()).toEqual([expect.objectContaining({ bot_id: botId, bytes: 6 })]);
    customer.proxy.decide(() => 'pass');
    storage.advance(31_000);
    expect(await storage.retrySpilled()).toBe(1);
    expect((await customer.contentOf('recordings', `${botId}/artifacts/a.txt`)).toString()).toBe('second');
    storage.advance(4 * 3_600_000 + 1);
    expect(await storage.removeStoredCopies()).toBe(2);
    expect(await copiesOf(botId)).toEqual([]);
  });

  test('with spill: the removal of a stored copy takes nothing of a write of the same key meanwhile', async () => {
    await configure({ allow_transient_spill: true });
    const botId = randomUUID();
    const runner = await grant(botId);
    const hold = async (text: string) => {
      refuseWrites();
      await runner.put('artifacts/a.txt', Buffer.from(text));
      expect((await runner.put('artifacts/a.txt', Buffer.from(text))).status).toBe(201);
      customer.proxy.decide(() => 'pass');
    };
    await hold('first');
    storage.advance(31_000);
    expect(await storage.retrySpilled()).toBe(1);
    storage.advance(4 * 3_600_000 + 1);
    storage.beforeDeletion(() => hold('second'));
    expect(await storage.removeStoredCopies()).toBe(1);
    expect(await (await runner.get('/artifacts/a.txt')).text()).toBe('second');
    storage.advance(31_000);
    expect(await storage.retrySpilled()).toBe(1);
    expect((await customer.contentOf('recordings', `${botId}/artifacts/a.txt`)).toString()).toBe('second');
  });

  test('with spill: a held copy that is missing is never taken for stored', async () => {
    await configure({ allow_transient_spill: true });
    const botId = randomUUID();
    const runner = await grant(botId);
    refuseWrites();
    await runner.put('artifacts/a.txt', Buffer.from('held'));
    expect((await runner.put('artifacts/a.txt', Buffer.from('held'))).status).toBe(201);
    customer.proxy.decide(() => 'pass');
    for (const key of await copiesOf(botId)) await storage.store.delete(key);
    storage.advance(31_000);
    expect(await storage.retrySpilled()).toBe(0);
    expect(await held()).toEqual([expect.objectContaining({ bot_id: botId, attempts: 1 })]);
    await storage.scheduler.deleteData(botId, team);
    expect(await held()).toEqual([]);
  });

  test('with spill: deleting the data takes the held copy too, and a retry brings nothing back', async () => {
    await configure({ allow_transient_spill: true });
    const botId = randomUUID();
    const runner = await grant(botId);
    refuseWrites();
    await runner.put('artifacts/a.txt', Buffer.from('held'));
    expect((await runner.put('artifacts/a.txt', Buffer.from('held'))).status).toBe(201);
    customer.proxy.decide(() => 'pass');
    await storage.scheduler.deleteData(botId, team);
    storage.advance(31_000);
    expect(await storage.retrySpilled()).toBe(0);
    expect(await copiesOf(botId)).toEqual([]);
    expect(await below('recordings', botId)).toEqual([]);
  });
});

describe('a new secret key', () => {
  test('seals configurations again, and the former key is not needed after that', async () => {
    const { storage_config_id: id } = await configure();
    const current = randomBytes(32).toString('base64');
    const both = createConfigurationSecrets(createSecretBox({ current, former: [secretKey] }));
    const dependencies = { database: storage.database, secrets: both, logger: createLogger('test', 'silent') };
    const rewrapped = await rewrapConfigurations(dependencies);
    expect(rewrapped).toMatchObject({ unreadable: 0 });
    const [row] = await storage.database.query<StorageConfigRow>(
      'select * from storage_configs where storage_config_id = $1',
      [id],
    );
    const alone = createConfigurationSecrets(createSecretBox({ current, former: [] }));
    expect(row && alone.open(row)).toMatchObject(customer.configuration(three));
    expect(await rewrapConfigurations(dependencies)).toEqual({ rewrapped: 0, unreadable: 0 });
  });
});
