import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { doubtfulRequests, exchangeRaw } from '@rapporteur/testbed';
import { startConsole } from '../testing/console-under-test.ts';
import type { ConsoleUnderTest } from '../testing/console-under-test.ts';
import { startStubApi } from '../testing/stub-api.ts';
import type { StubApi } from '../testing/stub-api.ts';

let api: StubApi;
let server: ConsoleUnderTest;
let cookie = '';
const secretKey = randomBytes(32).toString('base64');
const video = randomBytes(9 * 1024 * 1024 + 123);

beforeAll(async () => {
  api = await startStubApi();
  server = await startConsole({ apiUrl: api.url, secretKey });
  api.files.set('video', video);
  api.files.set('transcription', Buffer.from('{"result":{"utterances":[]}}'));
  api.files.set('chat_messages', Buffer.alloc(0));
  api.files.set('screenshot', Buffer.from('image'));
  api.files.set('voice', Buffer.from('one voice'));
  const response = await fetch(`${server.url}/console/session`, {
    method: 'POST',
    headers: { 'x-rapporteur-console': '1', origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: api.key }),
  });
  cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
});
afterAll(async () => {
  await server?.stop();
  await api?.stop();
});

function get(name: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${server.url}/console/artifacts/${api.botId}/${name}`, {
    headers: { cookie, ...headers },
    signal: AbortSignal.timeout(20_000),
  });
}

describe('a recording', () => {
  test('comes whole, though it is read in parts', async () => {
    const response = await get('video?download');
    expect(response.headers.get('content-length')).toBe(String(video.byteLength));
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${api.botId}-video.mp4"`);
    expect(video.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  });

  test.each([
    ['bytes=0-', 0, video.byteLength - 1],
    ['bytes=100-199', 100, 199],
    ['bytes=4194300-8388700', 4_194_300, 8_388_700],
    [`bytes=${video.byteLength - 5}-${video.byteLength + 100}`, video.byteLength - 5, video.byteLength - 1],
  ])('comes in the range %s', async (range, start, end) => {
    const response = await get('video', { range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${video.byteLength}`);
    expect(video.subarray(start, end + 1).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  });

  test('has no bytes beyond its end', async () => {
    expect((await get('video', { range: `bytes=${video.byteLength}-` })).status).toBe(416);
  });
});

describe('an artifact', () => {
  test('has the type of its field, whatever the store states, and runs nothing when it is opened', async () => {
    const response = await get('transcription');
    expect(await response.json()).toEqual({ result: { utterances: [] } });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test('may be what one participant said, apart from the others', async () => {
    const response = await get('participant_audio/0');
    expect([response.status, await response.text()]).toEqual([200, 'one voice']);
    expect(response.headers.get('content-type')).toBe('audio/ogg');
    expect((await get('participant_audio/1')).status).toBe(404);
    expect((await get('participant_audio/length')).status).toBe(404);
  });

  test('is read inside the cluster where its link leads to an address that only customers reach', async () => {
    const publicUrl = 'https://files.example.invalid';
    const { databaseUrl } = server;
    const inside = await startConsole({ apiUrl: api.url, secretKey, databaseUrl, files: { publicUrl, url: api.url } });
    api.filesUrl = publicUrl;
    try {
      const path = `/console/artifacts/${api.botId}`;
      const response = await fetch(`${inside.url}${path}/video`, { headers: { cookie, range: 'bytes=100-199' } });
      expect(response.status).toBe(206);
      expect(video.subarray(100, 200).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
      const screenshot = await fetch(`${inside.url}${path}/screenshots/1`, { headers: { cookie } });
      expect(await screenshot.text()).toBe('image');
      expect((await get('video')).status).toBe(503);
    } finally {
      api.filesUrl = null;
      await inside.stop();
    }
  });

  test('may be empty', async () => {
    const response = await get('chat_messages');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('may be a screenshot', async () => {
    expect(await (await get('screenshots/1')).text()).toBe('image');
    expect((await get('screenshots/2')).status).toBe(404);
  });

  test('is not there for a field without a file, another field, or another bot', async () => {
    const other = `${server.url}/console/artifacts/${api.botId.replace('3', '4')}/video`;
    const responses = await Promise.all([get('poster'), get('callback_config'), fetch(other, { headers: { cookie } })]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('needs a session, and a page of this site', async () => {
    expect((await get('video', { cookie: '' })).status).toBe(401);
    expect((await get('video', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

test('a request with a doubtful body reaches the store at most as one read', async () => {
  const headers = `Cookie: ${cookie}\r\n`;
  for (const { name, bytes } of doubtfulRequests) {
    await exchangeRaw(server.url, bytes(`/console/artifacts/${api.botId}/screenshots/1`, headers));
    expect([name, await (await get('participant_audio/0')).text()]).toEqual([name, 'one voice']);
  }
}, 60_000);
