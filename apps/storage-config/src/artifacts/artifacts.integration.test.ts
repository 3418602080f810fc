import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { artifactLinks, internalCalls } from '@rapporteur/contracts';
import { createService } from '@rapporteur/service-runtime';
import { internalSecret, startStorage } from '../testing/storage-under-test.ts';
import type { StorageUnderTest } from '../testing/storage-under-test.ts';

const run = promisify(execFile);
const botId = randomUUID();
const content = randomBytes(1_000);
const fourHoursMs = 4 * 3_600_000;
let storage: StorageUnderTest;
let url = '';
beforeAll(async () => {
  storage = await startStorage();
  await storage.store.put(`bots/${botId}/video.mp4`, content, { contentType: 'video/mp4' });
  url = await storage.scheduler.urlOf(botId, 'video.mp4');
});
afterAll(() => storage.stop());

const sendRequest = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers });
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('requesting artifact links', () => {
  const post = (body: unknown) => storage.scheduler.post(internalCalls.storage.signUrls.path, body);

  test('gives one link per name, good for four hours', async () => {
    const response = await post({ botId, keys: { video: 'video.mp4', audio: 'final/audio 1.flac' } });
    const { urls, expiresAt } = internalCalls.storage.signUrls.reply.parse(await response.json());
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - fourHoursMs)).toBeLessThan(10_000);
    expect(urls['video']).toMatch(
      new RegExp(`^${storage.url}/artifacts/bots/${botId}/video\\.mp4\\?expires=\\d+&.*signature=[\\w-]{43}$`),
    );
    expect(urls['audio']).toContain(`/bots/${botId}/final/audio%201.flac?`);
  });

  test.each(['../other/video.mp4', '/video.mp4', 'a/../../x', ''])('refuses the key %j', async (key) => {
    expect((await post({ botId, keys: { video: key } })).status).toBe(400);
  });

  test('is open to delivery and api-gateway, and closed to others', async () => {
    const statuses: number[] = [];
    for (const name of ['delivery', 'api-gateway', 'bot-runner', 'transcriber']) {
      const caller = createService({ name, logLevel: 'silent', internalSecret });
      const reply = await caller.auth.fetch('storage-config', storage.url + internalCalls.storage.signUrls.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ botId, keys: {} }),
      });
      statuses.push(reply.status);
      await caller.stop();
    }
    expect(statuses).toEqual([200, 200, 401, 401]);
  });
});

describe('an artifact link', () => {
  test('gives the whole object, ready to be played by a page', async () => {
    const response = await sendRequest({ origin: 'https://app.example.com' });
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).equals(content)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'cache-control': expect.stringContaining('private'),
      'content-disposition': `inline; filename="${botId}-video.mp4"`,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('content-range'),
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
  });

  test('responds to HEAD with the same headers and no body', async () => {
    const [head, get] = await Promise.all([sendRequest({}, 'HEAD'), sendRequest()]);
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe('1000');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(await head.text()).toBe('');
    await get.body?.cancel();
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, 999],
    ['bytes=100-199', 100, 199],
    ['bytes=900-5000', 900, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-100', 900, 999],
    ['bytes=-5000', 0, 999],
  ])('gives %s as bytes %d to %d', async (range, first, last) => {
    const response = await sendRequest({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/1000`);
    expect(response.headers.get('content-length')).toBe(String(last - first + 1));
    expect((await bodyOf(response)).equals(content.subarray(first, last + 1))).toBe(true);
    const head = await sendRequest({ range }, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([206, String(last - first + 1)]);
  });

  test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', `bytes=${'9'.repeat(30)}-`])(
    'responds with 416 to %s',
    async (range) => {
      const response = await sendRequest({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe('bytes */1000');
      expect(await response.json()).toMatchObject({ success: false, statusCode: 416 });
    },
  );

  test.each(['bytes=5-2', 'bytes=a-b', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=', 'bytes=--5'])(
    'gives the whole object for %s',
    async (range) => {
      const response = await sendRequest({ range });
      expect(response.status).toBe(200);
      expect((await bodyOf(response)).byteLength).toBe(1_000);
    },
  );

  test('gives a part only of the version that If-Range names, and nothing new for one that is known', async () => {
    const etag = (await sendRequest({}, 'HEAD')).headers.get('etag') ?? '';
    expect((await sendRequest({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await sendRequest({ range: 'bytes=0-9', 'if-range': '"another"' })).status).toBe(200);
    expect((await sendRequest({ range: 'bytes=0-9', 'if-range': new Date().toUTCString() })).status).toBe(200);
    expect((await sendRequest({ 'if-none-match': etag })).status).toBe(304);
  });

  test('accepts the preflight request of a page of another site', async () => {
    const preflight = await fetch(url.split('?')[0] ?? '', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-range',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('if-range');
  });

  test.each([
    ['video/mp4', 'video/mp4'],
    ['audio/flac', 'audio/flac'],
    ['application/json', 'application/json'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ...[...new Set(Object.values(artifactLinks).map(({ type }) => type))].map((type) => [type, type]),
    ['text/html', 'application/octet-stream'],
    ['TEXT/HTML; charset=utf-8', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/javascript', 'application/octet-stream'],
  ])('serves what was stored as %s as %s', async (stored, served) => {
    await storage.store.put(`bots/${botId}/typed`, Buffer.from('<script>1</script>'), { contentType: stored });
    const response = await fetch(await storage.scheduler.urlOf(botId, 'typed'));
    expect(response.headers.get('content-type')).toBe(served);
    await response.body?.cancel();
  });

  test('responds with 404 once the object is deleted', async () => {
    await storage.store.put(`bots/${botId}/gone.json`, Buffer.from('{}'), { contentType: 'application/json' });
    const gone = await storage.scheduler.urlOf(botId, 'gone.json');
    expect((await fetch(gone)).status).toBe(200);
    await storage.store.delete(`bots/${botId}/gone.json`);
    const response = await fetch(gone);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, code: 'FST_ERR_OBJECT_NOT_FOUND' });
  });
});

describe('nothing is served', () => {
  const other = randomUUID();
  beforeAll(async () => {
    await storage.store.put(`bots/${other}/video.mp4`, Buffer.from('another team'), { contentType: 'video/mp4' });
  });

  test.each([
    ['without a query', (link: string) => link.split('?')[0] ?? ''],
    ['without a signature', (link: string) => link.replace(/&signature=.*/, '')],
    [
      'with a tampered signature',
      (link: string) => link.replace(/signature=(.)/, (_all, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
    ],
    ['with a later expiry', (link: string) => link.replace(/expires=(\d+)/, (_all, at) => `expires=${Number(at) + 1}`)],
    ['for another bot', (link: string) => link.replace(botId, other)],
    ['for another object of the bot', (link: string) => link.replace('video.mp4?', 'audio.flac?')],
    ['with another file name', (link: string) => link.replace(/name=[^&]*/, 'name=evil.html')],
    ['with an added type', (link: string) => `${link}&type=text/html`],
    ['for a path that goes up', (link: string) => link.replace('/video', `/../${other}/video`)],
    ['for a path that goes up in disguise', (link: string) => link.replace('/video', `/%2e%2e/${other}/video`)],
    ['for a path with a hidden slash', (link: string) => link.replace('/video', `/..%2f${other}%2fvideo`)],
    ['for a path with an empty part', (link: string) => link.replace('/video', '//video')],
    ['for a file of the system', (link: string) => link.replace(/bots\/[^?]*/, '..%2f..%2f..%2fetc%2fpasswd')],
  ])('%s', async (_what, change) => {
    const changed = new URL(storage.url);
    // A raw request: fetch would normalize the path.
    const reply = await raw(changed.port, change(url).slice(storage.url.length));
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.body)).toMatchObject({ success: false, code: 'FST_ERR_SIGNED_URL', statusCode: 403 });
  });

  test('after four hours, to the second', async () => {
    const link = await storage.scheduler.urlOf(botId, 'video.mp4');
    storage.advance(fourHoursMs - 5_000);
    expect((await fetch(link)).status).toBe(200);
    storage.advance(5_001);
    const late = await fetch(link);
    expect(late.status).toBe(403);
    expect(await late.json()).toMatchObject({ message: expect.stringContaining('expired') });
    storage.advance(-fourHoursMs - 1);
  });

  test.each(['PUT', 'POST', 'DELETE', 'PATCH'])('to %s, and nothing is changed', async (method) => {
    expect((await fetch(url, { method })).status).toBe(404);
    expect((await bodyOf(await sendRequest())).equals(content)).toBe(true);
  });

  function raw(port: string, path: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += String(chunk)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.on('error', reject).end();
    });
  }
});

describe('a video behind a link', () => {
  let place = '';
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'seekable-'));
  });
  afterAll(() => rm(place, { recursive: true, force: true }));
  const ffmpeg = (...parameters: string[]) => run('ffmpeg', ['-v', 'error', ...parameters], { timeout: 40_000 });

  test('can be sought: a player that jumps to the 25th second shows the frame of that second', async () => {
    const file = join(place, 'video.mp4');
    // Its index is at the end, so that a player has to seek before it can show a frame.
    await ffmpeg('-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10:duration=30', '-c:v', 'libx264', '-g', '50', file);
    await storage.store.put(`bots/${botId}/seek.mp4`, await readFile(file), { contentType: 'video/mp4' });
    const link = await storage.scheduler.urlOf(botId, 'seek.mp4');
    const videoAt25 = async (from: string) =>
      (await ffmpeg('-ss', '25', '-i', from, '-frames:v', '1', '-f', 'framemd5', '-')).stdout.split('\n').at(-2);
    const shown = await videoAt25(link);
    expect(shown).toMatch(/[0-9a-f]{32}$/);
    expect(shown).toBe(await videoAt25(file));
    expect(shown).not.toBe(
      (await ffmpeg('-i', file, '-frames:v', '1', '-f', 'framemd5', '-')).stdout.split('\n').at(-2),
    );
  });
});
