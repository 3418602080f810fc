import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { directFragmentsReply, directPartReply, internalRoutes, multipartCreated } from '@rapporteur/contracts';
import { openS3Store } from '@rapporteur/object-store';
import { startStrictStore } from '@rapporteur/object-store/testing';
import type { StrictStore } from '@rapporteur/object-store/testing';
import { startStorage } from '../testing/storage-under-test.ts';
import type { GrantHolder, StorageUnderTest } from '../testing/storage-under-test.ts';

const kmsKeyId = 'arn:aws:kms:eu-central-1:1:key/2';
const policy = {
  permits: 'recordings/',
  requiresEncryption: {
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': kmsKeyId,
  },
};
let strict: StrictStore;
/** The team of its bots has a bucket of its own. */
let withTeamBucket: StorageUnderTest;
/** The deployment's object store is S3. */
let onS3: StorageUnderTest;
beforeAll(async () => {
  strict = await startStrictStore();
  const address = { endpoint: strict.endpoint, region: 'auto' };
  withTeamBucket = await startStorage();
  onS3 = await startStorage({
    own: openS3Store({
      ...address,
      bucket: 'ours',
      credentials: { accessKeyId: 'a', secretAccessKey: 's' },
      forcePathStyle: true,
      keyPrefix: 'recordings/',
      encryption: { algorithm: 'aws:kms', kmsKeyId },
    }),
  });
});
afterAll(async () => {
  await withTeamBucket.stop();
  await onS3.stop();
  await strict.stop();
});
beforeEach(() => strict.limit(policy));

const json = ({ grant }: GrantHolder) => ({ authorization: `Bearer ${grant}`, 'content-type': 'application/json' });
const post = async (storage: StorageUnderTest, runner: GrantHolder, route: string, body: unknown): Promise<unknown> => {
  const init = { method: 'POST', headers: json(runner), body: JSON.stringify(body) };
  const response = await fetch(storage.url + route, init);
  expect(response.ok).toBe(true);
  return await response.json();
};

async function send(
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | null | undefined,
  bytes: Buffer,
): Promise<void> {
  if (request == null) throw new Error('Nothing is taken directly.');
  const { 'content-length': _length, ...headers } = request.headers;
  const response = await fetch(request.url, { method: 'PUT', headers, body: bytes as Uint8Array<ArrayBuffer> });
  expect([response.status, await response.text()]).toEqual([200, '']);
}

/** Records something of a bot by every kind of write. */
async function record(storage: StorageUnderTest, runner: GrantHolder): Promise<void> {
  expect((await runner.put('artifacts/small.txt', Buffer.from('small'))).status).toBe(201);
  expect((await runner.put('artifacts/large.mp4', randomBytes(9 * 1024 ** 2))).status).toBe(201);
  const { slots } = directFragmentsReply.parse(
    await post(storage, runner, internalRoutes.grantDirectFragments, { commit: null, slots: 1 }),
  );
  const [granted] = slots ?? [];
  await send(granted?.request, Buffer.from('fragment'));
  const commit = { key: 'segments/0001/000001.m4s', bytes: 8, slot: granted?.slot };
  await post(storage, runner, internalRoutes.grantDirectFragments, { commit, slots: 0 });
  const route = `${internalRoutes.grantMultipart}/artifacts/parts.mp4`;
  const { upload } = multipartCreated.parse(await post(storage, runner, route, { contentType: 'video/mp4' }));
  const head = Buffer.from('head');
  const part = { key: 'artifacts/parts.mp4', upload, part: 'head', bytes: head.length };
  await send(directPartReply.parse(await post(storage, runner, internalRoutes.grantDirectParts, part)).request, head);
  await post(storage, runner, `${route}?upload=${upload}`, { parts: 0, tail: false });
}

test.each([
  ["a team's bucket", () => withTeamBucket, 'theirs/recordings/'],
  ['the object store of the service', () => onS3, 'ours/recordings/bots/'],
] as const)(
  'everything in %s is encrypted and in its folder, and is read and deleted there',
  async (_what, storageOf, start) => {
    const [storage, botId] = [storageOf(), randomUUID()];
    if (storage === withTeamBucket) {
      const body = {
        endpoint: strict.endpoint,
        region: 'auto',
        force_path_style: true,
        artifacts_bucket: 'theirs',
        audio_chunks_bucket: 'theirs',
        logs_bucket: 'theirs',
        ingest_access_key_id: 'a',
        ingest_secret_access_key: 's',
        service_access_key_id: 'a',
        service_secret_access_key: 's',
        key_prefix: 'recordings/',
        server_side_encryption: 'aws:kms',
        kms_key_id: kmsKeyId,
      };
      const put = await storage.api('PUT', '/v2/storage-config', { body });
      const { key_prefix, server_side_encryption, kms_key_id } = body;
      expect(put).toMatchObject({ status: 200, data: { key_prefix, server_side_encryption, kms_key_id } });
    }
    const runner = await storage.scheduler.grant(botId);
    await record(storage, runner);
    const stored = strict.keys().filter((key) => key.includes(botId));
    expect(stored).toHaveLength(4);
    for (const key of stored) {
      expect(key.startsWith(`${start}${botId}/`)).toBe(true);
      expect(strict.headerOf(key, 'x-amz-server-side-encryption-aws-kms-key-id')).toBe(kmsKeyId);
    }
    const listing = (await (await runner.get('?prefix=')).json()) as { objects: { key: string }[] };
    expect(listing.objects.map(({ key }) => key)).toEqual([
      'artifacts/large.mp4',
      'artifacts/parts.mp4',
      'artifacts/small.txt',
      'segments/0001/000001.m4s',
    ]);
    expect(await (await runner.get('/segments/0001/000001.m4s')).text()).toBe('fragment');
    expect(await (await fetch(await storage.scheduler.urlOf(botId, 'artifacts/parts.mp4'))).text()).toBe('head');
    expect(await storage.scheduler.deleteData(botId)).toEqual({ confirmed: true });
    expect(strict.keys().filter((key) => key.includes(botId))).toEqual([]);
  },
);

test("a refusal of a team's bucket reaches the runner with the sentence of the store, one of the deployment's does not", async () => {
  const sentence = 'explicit deny in a resource-based policy';
  const refused = async (storage: StorageUnderTest) => {
    const runner = await storage.scheduler.grant(randomUUID());
    strict.limit({ ...policy, refusesPuts: /refused/ });
    const response = await runner.put('artifacts/refused.txt', Buffer.from('x'));
    strict.limit(policy);
    expect(response.status).toBe(503);
    return await response.text();
  };
  expect(await refused(withTeamBucket)).toContain(sentence);
  expect(await refused(onS3)).not.toContain(sentence);
});
