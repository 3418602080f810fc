import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { multipartCreated, internalCalls, internalRoutes } from '@rapporteur/contracts';
import { removeReleasedFragments } from '../deletion/due-deletions.ts';
import { sha256Of, startStorage, teamId } from '../testing/storage-under-test.ts';
import type { GrantHolder, StorageUnderTest } from '../testing/storage-under-test.ts';

let storage: StorageUnderTest;
let botId = '';
let runner: GrantHolder;
beforeAll(async () => {
  storage = await startStorage();
});
beforeEach(async () => {
  botId = randomUUID();
  runner = await storage.scheduler.grant(botId);
});
afterAll(() => storage.stop());

const mebibyte = 1024 * 1024;
const key = 'artifacts/video.mp4';
const call = (method: string, path: string, body?: Buffer | object, grant = runner.grant) =>
  fetch(storage.url + path, {
    method,
    headers: {
      authorization: `Bearer ${grant}`,
      ...(body instanceof Buffer
        ? { 'x-content-sha256': sha256Of(body), 'content-type': 'application/octet-stream' }
        : { 'content-type': 'application/json' }),
    },
    body: body instanceof Buffer ? (body as Uint8Array<ArrayBuffer>) : body === undefined ? null : JSON.stringify(body),
  });
const multipart = `${internalRoutes.grantMultipart}/${key}`;
const start = async () =>
  multipartCreated.parse(await (await call('POST', multipart, { contentType: 'video/mp4' })).json()).upload;
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

describe('an object that grows under a grant', () => {
  test('is stored with its beginning last, and only by the newest grant', async () => {
    const upload = await start();
    const [head, body, tail] = [randomBytes(6 * mebibyte), randomBytes(8 * mebibyte), randomBytes(99)];
    expect((await call('PUT', `${multipart}?upload=${upload}&part=1`, body)).status).toBe(201);
    expect((await call('PUT', `${multipart}?upload=${upload}&part=tail`, tail)).status).toBe(201);
    expect((await call('PUT', `${multipart}?upload=${upload}&part=head`, head)).status).toBe(201);
    const finished = await call('POST', `${multipart}?upload=${upload}`, { parts: 1, tail: true });
    expect([finished.status, await finished.json()]).toEqual([201, { key, bytes: 14 * mebibyte + 99 }]);
    const read = await runner.get(`/${key}`);
    expect(Buffer.from(await read.arrayBuffer()).equals(Buffer.concat([head, body, tail]))).toBe(true);

    const late = await start();
    await call('PUT', `${multipart}?upload=${late}&part=head`, tail);
    await storage.scheduler.grant(botId, 2);
    const refused = await call('POST', `${multipart}?upload=${late}`, { parts: 0, tail: false });
    expect(await codeOf(refused)).toEqual([403, 'FST_ERR_GRANT_REJECTED']);
  });

  test('is no other bot’s, and names what is wrong with a request', async () => {
    const upload = await start();
    const other = await storage.scheduler.grant(randomUUID());
    const foreign = await call('PUT', `${multipart}?upload=${upload}&part=1`, randomBytes(9), other.grant);
    expect(await codeOf(foreign)).toEqual([404, 'FST_ERR_OBJECT_NOT_FOUND']);
    for (const query of [
      '',
      `?upload=${upload}`,
      `?upload=${upload}&part=0`,
      `?upload=${upload}&part=x`,
      '?upload=&part=1',
    ])
      expect((await call('PUT', multipart + query, randomBytes(9))).status).toBe(400);
    expect((await call('POST', multipart, {})).status).toBe(400);
    expect((await call('POST', `${multipart}?upload=${upload}`, { parts: -1 })).status).toBe(400);
    expect((await call('PUT', `${multipart}?upload=../../x&part=1`, randomBytes(9))).status).toBe(404);
    expect((await call('DELETE', `${multipart}?upload=${upload}`)).status).toBe(204);
    expect((await call('POST', `${multipart}?upload=${upload}`, { parts: 0, tail: false })).status).toBe(404);
  });
});

describe('a body that never ends', () => {
  /** The response to a request whose body stops after its first byte, once the connection has ended. */
  const unfinished = async (path: string, grant: string): Promise<string> => {
    const socket = connect(Number(new URL(storage.url).port), '127.0.0.1');
    let reply = '';
    socket.on('data', (chunk) => (reply += String(chunk)));
    // The unread body may end the connection with a reset: `once` of node:events would reject then.
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: storage',
      `authorization: Bearer ${grant}`,
      'content-type: application/json',
      'content-length: 1000',
      '\r\n{',
    ];
    socket.write(head.join('\r\n'));
    // Bytes keep arriving, so no idle timeout applies.
    const trickle = setInterval(() => socket.write(' '), 100);
    await closed;
    clearInterval(trickle);
    return reply;
  };

  test.each([
    ['starts an object that grows', multipart],
    ['finishes an object that grows', `${multipart}?upload=any`],
    ['releases pieces', internalRoutes.grantRelease],
  ])('of a stranger who %s is not waited for, and the connection ends', async (_what, path) => {
    // An upload lifts the limit that Node has for all requests of a port.
    await runner.put('any', Buffer.from('x'));
    const fromMs = performance.now();
    expect(await unfinished(path, 'no-grant')).toMatch(/^HTTP\/1.1 403 [^]*FST_ERR_GRANT_REJECTED/);
    expect(performance.now() - fromMs).toBeLessThan(10_000);
  });
});

describe('the pieces of a recording', () => {
  const content = Buffer.from('a small recording');
  const release = (bytes: number) => call('POST', internalRoutes.grantRelease, { artifacts: [{ key, bytes }] });
  const stored = async () =>
    (await storage.store.list({ prefix: `bots/${botId}/` })).objects.map((object) => object.key);
  const fragment = () => `bots/${botId}/segments/0001/000001.m4s`;
  const hour = 3_600_000;

  test('go some time after their runner released them, and stay where an artifact is not there as it said', async () => {
    const remove = (nowMs: number) => removeReleasedFragments(storage, { nowMs, keepMs: hour });
    await runner.put('segments/0001/000001.m4s', content);
    expect(await codeOf(await release(content.length))).toEqual([412, 'FST_ERR_OBJECT_CHANGED']);
    await runner.put(key, content);
    expect((await release(content.length + 1)).status).toBe(412);
    expect(await remove(Date.now() + 2 * hour)).toBe(0);
    expect((await release(content.length)).status).toBe(200);
    expect(await remove(Date.now())).toBe(0);
    expect(await stored()).toContain(fragment());
    expect(await remove(Date.now() + 2 * hour)).toBe(1);
    expect(await remove(Date.now() + 2 * hour)).toBe(0);
    expect(await stored()).toEqual([`bots/${botId}/${key}`]);
  });

  test('of a bot that has ended are not written any more, finished or begun; reading and the transcriber go on', async () => {
    await runner.put('segments/0001/000001.m4s', content);
    const upload = await start();
    await call('PUT', `${multipart}?upload=${upload}&part=head`, content);
    const end = (team: string) =>
      storage.scheduler.post(internalCalls.storage.endGrants.path, { bots: [{ botId, teamId: team }] });
    expect((await end(randomUUID())).status).toBe(200);
    expect((await runner.put('segments/0001/000002.m4s', content)).status).toBe(201);
    for (const _time of [1, 2]) expect((await end(teamId)).status).toBe(200);
    const refusal = [403, 'FST_ERR_GRANT_REJECTED'];
    expect(await codeOf(await runner.put('segments/0001/000001.m4s', Buffer.from('altered')))).toEqual(refusal);
    const finished = await call('POST', `${multipart}?upload=${upload}`, { parts: 0, tail: false });
    expect(await codeOf(finished)).toEqual(refusal);
    expect(await (await runner.get('/segments/0001/000001.m4s')).text()).toBe(content.toString());
    const transcriber = await storage.transcriber.grant(botId);
    expect((await transcriber.put('transcripts/1.json', content)).status).toBe(201);
    expect((await storage.scheduler.post(internalCalls.storage.endGrants.path, { bots: [] })).status).toBe(400);
  });

  test('once released, end what their grant may write; reading, the transcriber and a newer runner go on', async () => {
    await runner.put(key, content);
    const upload = await start();
    await call('PUT', `${multipart}?upload=${upload}&part=head`, content);
    expect((await release(content.length)).status).toBe(200);
    expect(await codeOf(await runner.put(key, Buffer.from('an altered recording')))).toEqual([
      403,
      'FST_ERR_GRANT_REJECTED',
    ]);
    const finished = await call('POST', `${multipart}?upload=${upload}`, { parts: 0, tail: false });
    expect(await codeOf(finished)).toEqual([403, 'FST_ERR_GRANT_REJECTED']);
    expect(await (await runner.get(`/${key}`)).text()).toBe(content.toString());
    expect((await release(content.length)).status).toBe(200);
    const transcriber = await storage.transcriber.grant(botId);
    expect((await transcriber.put('transcripts/1.json', content)).status).toBe(201);
    const newer = await storage.scheduler.grant(botId, 2);
    expect((await newer.put('segments/0002/000001.m4s', content)).status).toBe(201);
  });
});
