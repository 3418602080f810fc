import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { fail, toEnvelope } from '@rapporteur/failures';
import { quietLogger } from '../testing/quiet-logger.ts';
import { openUploads } from './open-uploads.ts';

const signal = new AbortController().signal;
const reason = 'The object store refuses this access key the request. (HTTP 403, AccessDenied: Access Denied)';
let status = 503;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const envelope = toEnvelope(fail('UNAVAILABLE', { message: reason }));
    response.writeHead(status).end(status === 503 ? JSON.stringify(envelope) : '{}');
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

test('an upload that the storage does not take is reported with its reason, at most every ten minutes', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new FakeClock();
  const failures: string[] = [];
  const { store, multipart } = openUploads(
    { storage: { url, grant: 'grant' }, outbound: { allow: [], requireHttps: false, caFile: null, proxy: null } },
    { onStored: () => undefined, onFailed: (message) => failures.push(message), clock, logger: quietLogger },
  );
  const put = () => store.put({ key: 'a', content: { bytes: Buffer.from('a') }, contentType: 'text/plain' }, signal);
  await expect(put()).rejects.toThrow(`The storage service responded with HTTP 503 for storing a. ${reason}`);
  await expect(multipart.start('b', 'video/mp4', signal)).rejects.toThrow(reason);
  expect(failures).toEqual([reason]);
  await clock.advance(600_000);
  await expect(multipart.start('b', 'video/mp4', signal)).rejects.toThrow(reason);
  expect(failures).toEqual([reason, reason]);
  [status] = [403];
  await clock.advance(600_000);
  await expect(put()).rejects.toMatchObject({ name: 'GrantRefused' });
  expect(failures).toHaveLength(2);
});
