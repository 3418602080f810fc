// Separate from the suite of other servers: versitygw 1.8 refuses the marker of a page that ends between uploads of one
// key.
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startRadosgw } from '../testing/index.ts';
import type { S3Server } from '../testing/index.ts';
import { newS3Client } from './s3-client.ts';
import { abortIdleUploads } from './s3-sweep.ts';

const theirs = ['archive/film.mp4', 'bots', 'bots-of-others/film.mp4', 'zoo/film.mp4'];
const bucket = 'shared';
let server: S3Server;
beforeAll(async () => {
  server = await startRadosgw();
  await server.createBucket(bucket);
}, 90_000);
afterAll(() => server.stop());

test('the sweep keeps the uploads of others, and none of ours, when ours fill several pages', async () => {
  const { endpoint, region, accessKeyId, secretAccessKey } = server;
  const credentials = { accessKeyId, secretAccessKey };
  const client = newS3Client({ endpoint, region, bucket, credentials, forcePathStyle: true }, endpoint);
  const ours = Array.from({ length: 10 }, (_none, index) => `bots/${index % 4}/video.mp4`);
  for (const Key of [...theirs, ...ours]) await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
  let pages = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (call) => {
        if (commandName !== 'ListMultipartUploadsCommand') return next(call);
        pages += 1;
        return next({ ...call, input: { ...call.input, MaxUploads: 3 } });
      },
    { step: 'initialize', name: 'small-pages' },
  );
  const options = { idleMs: 0, prefixes: ['bots/', 'checks/'] };
  expect(await abortIdleUploads({ client, reader: client, bucket }, options)).toBe(ours.length);
  expect(pages).toBeGreaterThan(3);
  client.middlewareStack.remove('small-pages');
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  expect(new Set(Uploads.map(({ Key }) => Key))).toEqual(new Set(theirs));
  client.destroy();
});
