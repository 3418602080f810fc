import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

let edge: Edge;
let url: string;
beforeAll(async () => {
  edge = await startEdge();
  await edge.database.query(`insert into plans values ('unlimited', 1000, 1000, 1)`);
  url = await edge.startGateway();
});
afterAll(() => edge.stop());

type Fields = Record<string, unknown>;

async function newTeam() {
  const teamId = await edge.createTeam('unlimited');
  const key = await edge.createKey(teamId, 'full');
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await send(method, `${url}/v2/api-keys${path}`, { key, ...(body === undefined ? {} : { body }) });
    return { status: response.status, text: response.text, data: (response.body as { data?: unknown }).data };
  };
  const list = async () => (await call('get', '')).data as Fields[];
  return { teamId, key, call, list };
}

describe("a team's own API key", () => {
  test('is shown once when it is created, works, and is listed without its text', async () => {
    const { call, list } = await newTeam();
    const created = await call('post', '', { name: 'Website', permission: 'sending', expires_at: null });
    expect(created.status).toBe(201);
    const { api_key: text, ...shown } = created.data as Fields;
    expect(shown).toEqual({
      key_id: expect.any(String),
      name: 'Website',
      permission: 'sending',
      key_start: String(text).slice(0, 8),
      current: false,
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    const refused = await send('get', `${url}/v2/api-keys`, { key: String(text) });
    expect([refused.status, refused.get('x-service-key-problem')]).toEqual([403, 'permission']);
    const keys = await list();
    expect(keys.map(({ name, current }) => [name, current])).toEqual([
      ['Website', false],
      ['Key', true],
      ['First key', false],
    ]);
    expect(JSON.stringify(keys)).not.toContain(text);
  });

  test('is refused within a second after it is revoked, and stays in the list', async () => {
    const { call, list } = await newTeam();
    const { api_key: text, key_id: keyId } = (await call('post', '', { name: 'Website' })).data as Fields;
    const use = async () => (await send('get', `${url}/v2/api-keys`, { key: String(text) })).status;
    expect(await use()).toBe(200);
    expect(await call('delete', `/${String(keyId)}`)).toMatchObject({
      status: 200,
      data: { revoked_at: expect.any(String) },
    });
    await waitFor(async () => (await use()) === 403, { what: 'the key to be refused' });
    expect((await list()).find((key) => key['key_id'] === keyId)).toMatchObject({ revoked_at: expect.any(String) });
  });

  test('is out of reach for another team, which gets the response for a key that does not exist', async () => {
    const [ours, theirs] = [await newTeam(), await newTeam()];
    const [key] = await ours.list();
    const strange = await theirs.call('delete', `/${String(key?.['key_id'])}`);
    const nobodys = await theirs.call('delete', '/3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11');
    expect(strange).toMatchObject({ status: 404 });
    expect(strange.text).toBe(nobodys.text);
    expect(await ours.list()).toMatchObject([{ revoked_at: null }, { revoked_at: null }]);
  });

  test('that ends at a leap second ends with the next minute', async () => {
    const { call } = await newTeam();
    const created = await call('post', '', { name: 'Leap', expires_at: '2030-12-31T23:59:60Z' });
    expect(created).toMatchObject({ status: 201 });
    expect(created.text).toContain('2031-01-01T00:00:00.000Z');
  });

  test.each([
    ['without a name', {}, 'name'],
    ['with an unknown permission', { name: 'x', permission: 'admin' }, 'permission'],
    ['that is expired already', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ])('%s is refused, the field named', async (_what, body, field) => {
    const { call } = await newTeam();
    const refused = await call('post', '', body);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(field);
  });

  test('is refused beyond the limit of a team; revoked and expired keys do not count', async () => {
    const { teamId, call, list } = await newTeam();
    await edge.database.query(
      `insert into api_keys (team_id, name, permission, key_hash, key_start, expires_at)
       select $1::uuid, 'filler', 'full', sha256(($1::text || n)::bytea), 'rap_fill', case when n > 98 then now() end
         from generate_series(1, 120) n`,
      [teamId],
    );
    expect(await call('post', '', { name: 'One more' })).toMatchObject({
      status: 409,
      text: expect.stringContaining('FST_ERR_API_KEY_LIMIT'),
    });
    const filler = (await list()).find(({ name, expires_at: end }) => name === 'filler' && end === null);
    await call('delete', `/${String(filler?.['key_id'])}`);
    expect((await call('post', '', { name: 'One more' })).status).toBe(201);
  });
});
