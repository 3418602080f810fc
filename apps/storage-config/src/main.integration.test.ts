import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { grantListing, internalRoutes } from '@rapporteur/contracts';
import { startFaultProxy, startRadosgw } from '@rapporteur/object-store/testing';
import type { FaultProxy, S3Server } from '@rapporteur/object-store/testing';
import { createService } from '@rapporteur/service-runtime';
import { createTestDatabase, freePort, serviceProcesses, waitFor } from '@rapporteur/testbed';
import type { ServiceProcess, TestDatabase } from '@rapporteur/testbed';
import { internalSecret, schedulerSide, secretKey, sha256Of, signingSecret } from './testing/storage-under-test.ts';
import type { GrantHolder } from './testing/storage-under-test.ts';

const mebibyte = 1024 ** 2;
const caller = createService({ name: 'bot-scheduler', logLevel: 'silent', internalSecret });
let database: TestDatabase;
let folder = '';
let port = 0;
const processes = serviceProcesses(join(import.meta.dirname, 'main.ts'));
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'storage-process-'));
  port = await freePort();
});
// The port is free for the next test, however this one ended.
afterEach(() => processes.killAll());
afterAll(async () => {
  await caller.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const startProcess = (over: Record<string, string>): Promise<ServiceProcess> => {
  const settings = {
    PORT: String(port),
    ADMIN_PORT: '0',
    PUBLIC_URL: `http://127.0.0.1:${port}/`,
    DATABASE_URL: database.url,
    INTERNAL_SECRET: internalSecret.reveal(),
    SIGNING_SECRET: signingSecret.reveal(),
    SECRET_KEY: secretKey,
    ...over,
  };
  return processes.start(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`RAPPORTEUR_${name}`, value])),
  );
};

/** `count` different mebibytes, never more than one in memory. */
function* mebibytes(count: number, block = randomBytes(mebibyte)): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) {
    block.writeUInt32LE(index);
    yield Buffer.from(block);
  }
}

/** Sends blocks one after the other and returns the status. */
async function stream(runner: GrantHolder, key: string, blocks: Iterable<Buffer>, sha256: string): Promise<number> {
  const sent = request(`http://127.0.0.1:${port}${internalRoutes.grantObjects}/${key}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${runner.grant}`, 'x-content-sha256': sha256, 'content-type': 'video/mp4' },
  });
  const responded = once(sent, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
  await pipeline(Readable.from(blocks), sent);
  const [response] = await responded;
  response.resume();
  return response.statusCode;
}

async function residentMebibytes(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** The highest resident memory while `work` runs, polled every 20 ms. */
async function peakDuring(child: ChildProcess, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  let running = true;
  const settled = work.finally(() => (running = false));
  await waitFor(
    async () => {
      peak = Math.max(peak, await residentMebibytes(child));
      return !running;
    },
    { what: 'the transfer to end' },
  );
  await settled;
  return peak;
}

const scheduler = () => schedulerSide(caller, `http://127.0.0.1:${port}`);

describe('storage-config as a process on a folder', () => {
  const disk = () => ({ STORE_DRIVER: 'disk', STORE_FOLDER: folder });
  const incoming = () => readdir(join(folder, 'incoming'));

  test('stores and serves 200 MiB without its memory growing with them', async () => {
    const service = await startProcess(disk());
    const { child } = service;
    const botId = randomUUID();
    const runner = await scheduler().grant(botId);
    const blocks = [...mebibytes(1)];
    await stream(runner, 'warm-up.mp4', blocks, sha256Of(Buffer.concat(blocks)));
    const block = randomBytes(mebibyte);
    const hash = createHash('sha256');
    for (const part of mebibytes(200, block)) hash.update(part);
    const sha256 = hash.digest('hex');
    const before = await residentMebibytes(child);
    const upload = stream(runner, 'video.mp4', mebibytes(200, block), sha256);
    expect((await peakDuring(child, upload)) - before).toBeLessThan(120);
    expect(await upload).toBe(201);
    const link = await scheduler().urlOf(botId, 'video.mp4');
    const served = createHash('sha256');
    const download = (async () => {
      for await (const chunk of (await fetch(link)).body ?? []) served.update(chunk);
    })();
    expect((await peakDuring(child, download)) - before).toBeLessThan(120);
    expect(served.digest('hex')).toBe(sha256);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  test('shows its metrics on its admin port only', async () => {
    const service = await startProcess(disk());
    const [admin = '', url = ''] = service.urls;
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ ready: true });
    expect(await (await fetch(`${admin}/health/ready`)).json()).toEqual({
      ready: true,
      checks: { database: 'ok', 'object store': 'ok' },
    });
    expect(await (await fetch(`${admin}/metrics`)).text()).toContain('rapporteur_http_failures_total');
    expect((await fetch(`${admin}/artifacts/any`)).status).toBe(404);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  test('shows nothing of an upload during which it was killed, and its next start removes what was left', async () => {
    const first = await startProcess(disk());
    const runner = await scheduler().grant(randomUUID());
    const sent = request(`http://127.0.0.1:${port}${internalRoutes.grantObjects}/video.mp4`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${runner.grant}`, 'x-content-sha256': '0'.repeat(64) },
    });
    sent.on('error', () => undefined);
    for (const block of mebibytes(5)) sent.write(block);
    await waitFor(async () => (await incoming()).length === 1, { what: 'the upload to begin' });
    await first.end('SIGKILL');
    expect(await incoming()).toHaveLength(1);
    const second = await startProcess(disk());
    await waitFor(() => second.output().includes('Uploads that never finished were removed.'), {
      what: 'the sweep of unfinished uploads',
    });
    expect(await incoming()).toEqual([]);
    expect((await runner.get('/video.mp4')).status).toBe(404);
    expect(grantListing.parse(await (await runner.get('')).json()).objects).toEqual([]);
    await second.end('SIGTERM');
  });

  test.each([
    ['no folder', { STORE_DRIVER: 'disk' }, 'RAPPORTEUR_STORE_FOLDER is missing: the store driver disk needs it.'],
    [
      'no bucket',
      { STORE_DRIVER: 's3', S3_REGION: 'us-east-1' },
      'RAPPORTEUR_S3_BUCKET is missing: the store driver s3 needs it.',
    ],
    [
      'an S3 server that does not respond',
      {
        STORE_DRIVER: 's3',
        S3_REGION: 'us-east-1',
        S3_BUCKET: 'none',
        S3_ENDPOINT: 'http://127.0.0.1:1',
        S3_ACCESS_KEY_ID: 'a',
        S3_SECRET_ACCESS_KEY: 'hidden-secret',
      },
      'The object store cannot be used. Writing a test object failed',
    ],
  ])('does not start with %s, states why, and keeps secrets to itself', async (_what, settings, sentence) => {
    const { child, output } = await startProcess(settings);
    expect(child.exitCode).toBeGreaterThan(0);
    expect(output()).toContain(sentence);
    for (const secret of ['hidden-secret', signingSecret.reveal(), internalSecret.reveal()])
      expect(output()).not.toContain(secret);
  });
});

describe('storage-config as a process on S3', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startRadosgw();
    await server.createBucket('artifacts');
  }, 90_000);
  afterAll(() => server?.stop());
  const s3 = (endpoint: string) => ({
    STORE_DRIVER: 's3',
    S3_ENDPOINT: endpoint,
    S3_REGION: server.region,
    S3_BUCKET: 'artifacts',
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  });

  test('stores what a runner sends and links straight to the S3 server', async () => {
    const service = await startProcess(s3(server.endpoint));
    const { child } = service;
    const botId = randomUUID();
    const runner = await scheduler().grant(botId, 1);
    const blocks = [...mebibytes(40)];
    const content = Buffer.concat(blocks);
    const before = await residentMebibytes(child);
    const upload = stream(runner, 'video.mp4', blocks, sha256Of(content));
    expect((await peakDuring(child, upload)) - before).toBeLessThan(120);
    expect(await upload).toBe(201);
    const link = await scheduler().urlOf(botId, 'video.mp4');
    expect(new URL(link).origin).toBe(server.endpoint);
    const part = await fetch(link, { headers: { range: 'bytes=20000000-20000999' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(20_000_000, 20_001_000))).toBe(true);
    await scheduler().grant(botId, 2);
    expect((await runner.put('late.mp4', Buffer.from('x'))).status).toBe(403);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  test('starts while unfinished uploads are still being listed', async () => {
    const proxy = await startFaultProxy(server.endpoint);
    proxy.decide(({ line }) => (/[?&]uploads/.test(line) && line.includes('prefix=bots%2F') ? 'hold' : 'pass'));
    const service = await startProcess(s3(proxy.url));
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    await waitFor(() => proxy.seen.some((line) => line.includes('prefix=bots%2F')), {
      what: 'the list to be requested',
    });
    proxy.decide(() => 'pass');
    expect(await service.end('SIGTERM')).toBe(0);
    await proxy.stop();
  });

  test('stores all that arrives while S3 is slow, and has connections to the database left meanwhile', async () => {
    const proxy = await startFaultProxy(server.endpoint);
    const service = await startProcess({ ...s3(proxy.url), DATABASE_POOL_SIZE: '4' });
    const runner = await scheduler().grant(randomUUID());
    proxy.decide(({ line }) => (line.startsWith('PUT') ? 'hold' : 'pass'));
    const writesBefore = writesSeen(proxy);
    const content = randomBytes(1_000);
    const puts = Array.from({ length: 12 }, (_none, index) => runner.put(`segments/${index}.m4s`, content));
    await waitFor(() => writesSeen(proxy) - writesBefore === 12, { what: 'all writes to wait for S3' });
    const other = await scheduler().grant(randomUUID());
    expect((await other.get('?prefix=')).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    proxy.decide(() => 'pass');
    expect((await Promise.all(puts)).map(({ status }) => status)).toEqual(puts.map(() => 201));
    expect(await service.end('SIGTERM')).toBe(0);
    await proxy.stop();
  });
});

const writesSeen = (proxy: FaultProxy): number => proxy.seen.filter((line) => line.startsWith('PUT')).length;
