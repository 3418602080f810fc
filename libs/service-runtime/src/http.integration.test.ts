import { afterEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createApp, createService } from './index.ts';

const opened: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.stop()));
});

/** A service with a port for its operators and a public one. */
async function startService(database: () => Promise<void>) {
  const service = createService({ name: 'owner', logLevel: 'silent' });
  opened.push(service);
  service.readiness('database', database);
  const place = { host: '127.0.0.1', port: 0 };
  const admin = await service.listen(createApp(service), place);
  const open = await service.listen(createApp(service, { namesChecks: false }), place);
  return { admin: `${admin.url}/health/ready`, open: `${open.url}/health/ready` };
}

const sendRequest = async (url: string) => {
  const { status, body } = await request(url).get('');
  return [status, body as unknown];
};
const reachable = () => Promise.resolve();
const unreachable = () => Promise.reject(new Error('10.0.0.7 refused'));

describe('readiness', () => {
  test.each([
    [200, true, 'ok', reachable],
    [503, false, 'not reachable', unreachable],
  ])('is %d by part for operators, and only %s for strangers', async (status, ready, database, check) => {
    const { admin, open } = await startService(check);
    expect(await sendRequest(admin)).toEqual([status, { ready, checks: { database } }]);
    expect(await sendRequest(open)).toEqual([status, { ready }]);
  });

  test('checks each part once a second, however many requests arrive', async () => {
    let requested = 0;
    const { admin, open } = await startService(async () => void (requested += 1));
    const fromMs = performance.now();
    const seconds = () => Math.floor((performance.now() - fromMs) / 1_000);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => [sendRequest(open), sendRequest(admin)]).flat(),
    );
    expect(responses.every(([status]) => status === 200)).toBe(true);
    expect(requested).toBeLessThanOrEqual(1 + seconds());
    const before = requested;
    while (requested === before) await sendRequest(open);
    expect(requested).toBeLessThanOrEqual(1 + seconds());
  });

  test('waits for the check in progress and starts no second one', async () => {
    let requested = 0;
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { open } = await startService(async () => {
      requested += 1;
      begun.resolve();
      await release.promise;
    });
    const first = sendRequest(open);
    await begun.promise;
    const rest = [sendRequest(open), sendRequest(open), sendRequest(open)];
    release.resolve();
    expect(await Promise.all([first, ...rest])).toEqual(Array.from({ length: 4 }, () => [200, { ready: true }]));
    expect(requested).toBe(1);
  });
});
