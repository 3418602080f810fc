import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openS3Store, verifyStore } from '@rapporteur/object-store';
import { startStrictStore } from '@rapporteur/object-store/testing';
import type { StoreLimits, StrictStore } from '@rapporteur/object-store/testing';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createCheckAccess } from './check-access.ts';

const http = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
const agents = http.agents();
let strict: StrictStore;
beforeAll(async () => {
  strict = await startStrictStore();
});
afterAll(async () => {
  agents.plain.destroy();
  agents.secure.destroy();
  http.close();
  await strict.stop();
});

const check = (limits: StoreLimits, over: Record<string, unknown> = {}) => {
  strict.limit(limits);
  const configuration = {
    endpoint: strict.endpoint,
    region: 'auto',
    force_path_style: true,
    artifacts_bucket: 'b',
    audio_chunks_bucket: 'b',
    logs_bucket: 'b',
    ingest_access_key_id: 'ingest',
    ingest_secret_access_key: 's',
    service_access_key_id: 'service',
    service_secret_access_key: 's',
    allow_transient_spill: false,
    key_prefix: '',
    server_side_encryption: null,
    kms_key_id: null,
    ...over,
  };
  return createCheckAccess({ http, agents })(configuration);
};

const lacks: [string, StoreLimits, string][] = [
  ['conditional writes', { refusesConditions: true }, 'writing objects with a condition (If-None-Match)'],
  ['ranges', { ignoresRanges: true }, 'reading a range of an object'],
  ['signed requests', { refusesPresigned: true }, 'writing an object with a signed request'],
  ['multipart uploads', { refusesMultipart: true }, 'creating a multipart upload'],
  ['a list of multipart uploads', { refusesUploadListing: true }, 'listing multipart uploads'],
  [
    'multipart uploads with parts of different lengths, as R2',
    { requiresEqualParts: true },
    'completing a multipart upload with parts of different lengths',
  ],
  [
    'permission to delete earlier versions',
    { keepsVersions: true, deniesVersionDeletion: true },
    'deleting the marker with the service key',
  ],
  ['deletions that happen', { keepsDeleted: true }, 'deleting the marker with the service key'],
];

describe('the access check of a storage configuration', () => {
  test.each([
    ['serves every request', {}],
    ['wants Content-MD5 on the deletion of several keys', { requiresMd5: true }],
    ['knows only single deletions', { refusesMultiDelete: true }],
    ['keeps earlier versions', { keepsVersions: true }],
  ])('accepts a store that %s, and leaves nothing behind', async (_what, limits) => {
    expect(await check(limits)).toBeNull();
    expect(strict.keys()).toEqual([]);
  });

  test.each(lacks)('names what a store without %s cannot do', async (_what, limits, step) => {
    const reason = await check(limits);
    expect(reason?.startsWith(`artifacts_bucket: ${step} failed. `)).toBe(true);
    strict.limit({});
    expect(await check({})).toBeNull();
  });

  test('keeps the sentence of the store, also of a response to a signed request', async () => {
    const denied =
      'HTTP 403, AccessDenied: User is not authorized to perform: s3:PutObject with an explicit deny in a resource-based policy';
    expect(await check({ refusesPuts: /marker/ })).toBe(
      `artifacts_bucket: writing a marker with the ingest key failed. The object store refuses this access key the request. (${denied})`,
    );
    expect(await check({ refusesPuts: /signed/ })).toBe(
      `artifacts_bucket: writing an object with a signed request failed. The store responded with ${denied}.`,
    );
  });

  test('accepts a bucket whose policy requires encryption with the settings for it, and only with them', async () => {
    const before = strict.keys();
    const limits = { requiresEncryption: { 'x-amz-server-side-encryption': 'aws:kms' } };
    expect(await check(limits, { server_side_encryption: 'aws:kms', kms_key_id: 'key-1' })).toBeNull();
    expect(await check(limits, { server_side_encryption: 'AES256' })).toContain(
      'explicit deny in a resource-based policy',
    );
    expect(await check(limits)).toContain('explicit deny in a resource-based policy');
    expect(strict.keys()).toEqual(before);
  });

  test('accepts keys that may use one folder of the bucket with that folder, and only with it', async () => {
    const before = strict.keys();
    expect(await check({ permits: 'recordings/' }, { key_prefix: 'recordings/' })).toBeNull();
    expect(await check({ permits: 'recordings/' })).toContain('The key may use its own folder only.');
    expect(strict.keys()).toEqual(before);
  });

  test('refuses a bucket that retains every object, with that reason and before anything is written', async () => {
    const before = strict.versions();
    expect(await check({ retention: 'stated' })).toMatch(
      /^artifacts_bucket: .* The bucket retains every object by object lock \(COMPLIANCE, 30 days\)/,
    );
    expect(strict.versions()).toBe(before);
    expect(await check({ retention: 'hidden' })).toMatch(
      /^artifacts_bucket: deleting the marker with the service key failed\. .*object lock.*\(HTTP 403, AccessDenied: Access Denied because object protected by object lock\.\)$/,
    );
  });

  test('is made of the requests that recordings need later', async () => {
    const from = strict.seen.length;
    expect(await check({})).toBeNull();
    const kinds = new Set(strict.seen.slice(from));
    for (const kind of [
      'PUT',
      'PUT X-Amz-Signature',
      'GET',
      'GET X-Amz-Signature',
      'HEAD',
      'GET list-type',
      'GET uploads',
      'GET uploadId',
      'POST uploads',
      'POST uploadId',
      'PUT uploadId partNumber',
      'PUT uploadId partNumber X-Amz-Signature',
      'DELETE uploadId',
      'DELETE',
      'POST delete',
    ])
      expect([kind, kinds.has(kind)]).toEqual([kind, true]);
  });
});

test('the store of a deployment that joins only equal parts is refused at the start', async () => {
  strict.limit({ requiresEqualParts: true });
  const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
  const { endpoint } = strict;
  const store = openS3Store({ endpoint, region: 'auto', bucket: 'own', credentials, forcePathStyle: true });
  await expect(verifyStore(store)).rejects.toThrow(
    /cannot be used\. Completing a multipart upload with parts of different lengths failed/,
  );
  await store.close();
});
