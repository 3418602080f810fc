import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openS3Store, verifyStore } from '@rapporteur/object-store';
import { startStrictStore } from '@rapporteur/object-store/testing';
import type { StoreLimits, StrictStore } from '@rapporteur/object-store/testing';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createCheckAccess } from './check-access.ts';
import { storageConfigBody } from './configuration-shape.ts';

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

const check = (limits: StoreLimits) => {
  strict.limit(limits);
  const configuration = storageConfigBody.parse({
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
  });
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
