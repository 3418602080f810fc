import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { User } from '@rapporteur/service-runtime';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';
import type { ListedEntry } from '../audit/audit.store.ts';

let edge: Edge;
let url: string;
const page = { success: true, data: [], cursor: null, prev_cursor: null };

beforeAll(async () => {
  edge = await startEdge();
  edge.scheduler.response = { status: 200, body: page };
  url = await edge.startGateway();
});
afterAll(() => edge.stop());

async function signedIn(role: User['role'], service?: string) {
  const teamId = await edge.createTeam();
  const user = { id: randomUUID(), name: 'Ada <ada@example.com>', role };
  const call = async (method: string, path: string, given?: string) =>
    send(method, `${url}${path}`, {
      headers: { authorization: given ?? (await edge.authorizationOf(teamId, user, service)) },
    });
  return { teamId, user, call };
}

describe('a user of the console', () => {
  test('reaches the owners as the team that the console names, and no other', async () => {
    const { teamId, user, call } = await signedIn('viewer');
    edge.scheduler.calls.splice(0);
    expect((await call('get', '/v2/bots')).status).toBe(200);
    expect(edge.scheduler.calls.map(({ token }) => token)).toEqual([
      expect.objectContaining({ team: teamId, key: user.id, permission: 'full' }),
    ]);
  });

  test('is named by the audit log', async () => {
    const { teamId, call } = await signedIn('member');
    await call('post', `/v2/bots/${randomUUID()}/leave`);
    const key = await edge.createKey(teamId, 'full');
    const logged = async () => {
      const { body } = await send('get', `${url}/v2/audit-log`, { key });
      const { data } = body as unknown as { data: ListedEntry[] };
      return data.length > 0 && data;
    };
    const [entry] = await waitFor(logged, { what: 'the entry' });
    expect(entry).toMatchObject({ action: 'leaveBot', key_id: null, user: 'Ada <ada@example.com>' });
  });

  test.each([
    ['viewer', 'post', '/v2/bots', 403],
    ['viewer', 'get', '/v2/audit-log', 403],
    ['viewer', 'get', '/V2/Api-Keys', 403],
    ['member', 'post', '/v2/api-keys', 403],
    ['member', 'delete', '/v2/storage-config', 403],
    ['member', 'get', '/v2/audit-log', 403],
    ['admin', 'get', '/v2/audit-log', 200],
    ['admin', 'get', '/bots/', 403],
  ] as const)('who is %s: %s %s is %d', async (role, method, path, status) => {
    const { call } = await signedIn(role);
    const response = await call(method, path);
    expect(response.status).toBe(status);
    if (status === 403) expect(response.body['message']).toMatch(role);
  });

  test('is believed from the console alone, and of a team that there is', async () => {
    const { call, user } = await signedIn('admin', 'delivery');
    expect((await call('get', '/v2/bots')).status).toBe(403);
    const nowhere = await edge.authorizationOf(randomUUID(), user);
    for (const given of [nowhere, 'Bearer a.b.c', 'Basic YTpi']) {
      const { status, body } = await call('get', '/v2/bots', given);
      expect([status, body['message']]).toEqual([403, 'Forbidden']);
    }
  });
});
