import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { shown, startSsoUnderTest } from '../testing/sso-under-test.ts';
import type { Api, SsoUnderTest } from '../testing/sso-under-test.ts';

let sso: SsoUnderTest;
let base = '';
let teamId = '';
let api: Api;

beforeAll(async () => {
  sso = await startSsoUnderTest();
  base = await sso.start();
}, 60_000);
afterAll(() => sso.stop());
beforeEach(() => {
  teamId = randomUUID();
  api = sso.api(base, teamId);
});

const create = async (over: object = {}) => shown(await api('POST', '', { name: 'Ours', ...sso.app, ...over }), 201);

describe('a credential that is stored', () => {
  test('without a code is of type app, and shows nothing secret', async () => {
    const response = await api('POST', '', { name: 'App', ...sso.app, extra: { customer: 'c-1' } });
    const credential = shown(response, 201);
    expect(credential).toEqual({
      credential_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'App',
      credential_type: 'app',
      zoom_user_id: null,
      zoom_account_id: null,
      zoom_email: null,
      zoom_display_name: null,
      scopes: null,
      state: 'active',
      last_error_message: null,
      last_error_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      extra: { customer: 'c-1' },
    });
    expect(response.text).not.toContain(sso.app.client_secret);
    expect(shown(await api('GET', `/${credential.credential_id}`))).toEqual(credential);
  });

  test('with a code is of type user and knows whom it speaks for', async () => {
    const code = await sso.zoom.consent({ userId: 'u-ada', email: 'ada@a.example', displayName: 'Ada L' });
    expect(await create(code)).toMatchObject({
      credential_type: 'user',
      zoom_user_id: 'u-ada',
      zoom_account_id: 'simulated-zoom-account',
      zoom_email: 'ada@a.example',
      zoom_display_name: 'Ada L',
      scopes: 'user:read:token user:read:user',
      state: 'active',
    });
  });

  test('is sealed: a dump of its row holds neither the secret of the app nor a token', async () => {
    const { credential_id: id } = await create(await sso.zoom.consent());
    const [row] = await sso.database.query<Record<string, unknown>>(
      `select encode(client_secret, 'escape') as a, encode(refresh_token, 'escape') as b, encode(access_token, 'escape') as c,
         to_jsonb(platform_credentials)::text as whole from platform_credentials where credential_id = $1`,
      [id],
    );
    const dump = JSON.stringify(row);
    expect(dump).toContain(sso.app.client_id);
    expect(dump).not.toContain(sso.app.client_secret);
    expect(dump).not.toContain(Buffer.from(sso.app.client_secret).toString('hex'));
    expect(dump).not.toMatch(/simulated-(code|access|refresh|obf)-|73696d756c617465642d/);
  });

  test.each([
    [
      'a code that was never issued',
      { authorization_code: 'made-up', redirect_uri: 'https://a.example/cb' },
      'authorization_code',
    ],
    ['a secret that is wrong', { client_secret: 'wrong' }, 'client_secret'],
  ])('is refused with %s, in plain words that name the field; nothing is stored', async (_what, over, field) => {
    const code = 'authorization_code' in over ? {} : await sso.zoom.consent();
    const { status, body, text } = await api('POST', '', { name: 'Ours', ...sso.app, ...code, ...over });
    expect({ status, code: body['code'], details: body['details'] }).toEqual({
      status: 422,
      code: 'FST_ERR_CREDENTIAL_REFUSED',
      details: field,
    });
    expect(text).not.toMatch(/made-up|wrong"/);
    expect((await api('GET', '')).body['data']).toEqual([]);
  });

  test('is refused when the code was used before, and when another redirect address is sent with it', async () => {
    const used = await sso.zoom.consent();
    await create(used);
    expect((await api('POST', '', { name: 'Again', ...sso.app, ...used })).status).toBe(422);
    const other = { ...(await sso.zoom.consent()), redirect_uri: 'https://other.example/cb' };
    expect((await api('POST', '', { name: 'Other', ...sso.app, ...other })).status).toBe(422);
  });

  test.each([
    [{ authorization_code: 'a-code' }, 'redirect_uri'],
    [{ redirect_uri: 'https://a.example/cb' }, 'authorization_code'],
    [{ client_id: 'two words' }, 'client_id'],
  ])('with %j does not fit: %s is named', async (over, field) => {
    const { status, body } = await api('POST', '', { name: 'Ours', ...sso.app, ...over });
    expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'FST_ERR_VALIDATION' });
    expect(body['message']).toContain(field);
  });

  test('is not stored while Zoom has an outage: 503, and the same request may come again', async () => {
    await sso.zoom.strike({ at: 'token', status: 503 });
    const code = await sso.zoom.consent();
    const { status, body } = await api('POST', '', { name: 'Ours', ...sso.app, ...code });
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'FST_ERR_UNAVAILABLE' });
    expect((await api('POST', '', { name: 'Ours', ...sso.app, ...code })).status).toBe(201);
  });
});

describe('a change', () => {
  test('takes what is given and leaves the rest', async () => {
    const { credential_id: id } = await create({ extra: { a: 1 } });
    const { body } = await api('PATCH', `/${id}`, { name: 'Renamed' });
    expect(body['data']).toMatchObject({ name: 'Renamed', extra: { a: 1 }, credential_type: 'app' });
    expect((await api('PATCH', `/${id}`, { extra: null })).body['data']).toMatchObject({
      name: 'Renamed',
      extra: null,
    });
  });

  test('with a code authorises: an app becomes a user, and an invalid credential is active again', async () => {
    const { credential_id: id } = await create();
    const by = await api('PATCH', `/${id}`, await sso.zoom.consent({ userId: 'u-bea' }));
    expect(by.body['data']).toMatchObject({ credential_type: 'user', zoom_user_id: 'u-bea' });
    await sso.database.query(
      `update platform_credentials set state = 'invalid', last_error_message = 'Gone.', last_error_at = now() where credential_id = $1`,
      [id],
    );
    const { body } = await api('PATCH', `/${id}`, await sso.zoom.consent({ userId: 'u-cleo' }));
    expect(body['data']).toMatchObject({
      zoom_user_id: 'u-cleo',
      state: 'active',
      last_error_message: null,
      last_error_at: null,
    });
  });

  test('with a code that Zoom does not take changes nothing', async () => {
    const { credential_id: id } = await create(await sso.zoom.consent({ userId: 'u-dora' }));
    const change = { name: 'No', authorization_code: 'made-up', redirect_uri: 'https://a.example/cb' };
    expect((await api('PATCH', `/${id}`, change)).status).toBe(422);
    expect((await api('GET', `/${id}`)).body['data']).toMatchObject({ name: 'Ours', zoom_user_id: 'u-dora' });
  });

  test.each([
    [{ client_id: 'another-app' }, 'client_secret'],
    [{ client_id: 'another-app', client_secret: 'its-secret' }, 'authorization_code'],
  ])('of a user to %j is refused: %s', async (change, field) => {
    const { credential_id: id } = await create(await sso.zoom.consent());
    const { status, body } = await api('PATCH', `/${id}`, change);
    expect({ status, message: body['message'] }).toEqual({ status: 400, message: expect.stringContaining(field) });
  });
});

describe('a list of credentials', () => {
  test('is filtered by every field that the contract names', async () => {
    const ada = await create({ ...(await sso.zoom.consent({ userId: 'u-1', email: 'Ada@a.example' })), name: 'North' });
    const app = await create({ name: 'South 100%', extra: { region: 'eu', tier: 2 } });
    const found = async (query: string) =>
      ((await api('GET', `?${query}`)).body['data'] as { credential_id: string }[]).map((one) => one.credential_id);
    expect(await found('')).toEqual([app.credential_id, ada.credential_id]);
    for (const query of [
      'name=nor',
      'zoom_email=ADA%40',
      'zoom_display_name=ada',
      'zoom_user_id=u-1',
      'credential_type=user',
    ])
      expect([query, await found(query)]).toEqual([query, [ada.credential_id]]);
    for (const query of ['name=0%25', 'credential_type=app', 'extra=region:eu,tier:2'])
      expect([query, await found(query)]).toEqual([query, [app.credential_id]]);
    for (const query of ['zoom_user_id=U-1', 'state=invalid', 'extra=region:us', 'name=_outh'])
      expect([query, await found(query)]).toEqual([query, []]);
    expect(await found('state=active,invalid&credential_type=app,user')).toHaveLength(2);
  });

  test('holds all of them where no pages are requested', async () => {
    const { credential_id: id } = await create({ name: 'The one that is copied' });
    await sso.database.query(
      `insert into platform_credentials (credential_id, team_id, name, credential_type, client_id, client_secret, state,
         created_at, updated_at)
       select gen_random_uuid(), team_id, name || number, credential_type, client_id, client_secret, state,
         created_at - number * interval '1 second', updated_at
       from platform_credentials, generate_series(1, 300) as number where credential_id = $1`,
      [id],
    );
    const { body } = await api('GET', '');
    expect(body).toMatchObject({ cursor: null, prev_cursor: null });
    expect(body['data']).toHaveLength(301);
    expect((body['data'] as { credential_id: string }[])[0]?.credential_id).toBe(id);
  });

  test('is paged onward and back', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.unshift((await create({ name: `No ${at}` })).credential_id);
    const page = async (query: string) => {
      const { body } = await api('GET', `?limit=2${query}`);
      const listed = (body['data'] as { credential_id: string }[]).map((one) => one.credential_id);
      return { listed, cursor: body['cursor'] as string | null, back: body['prev_cursor'] as string | null };
    };
    const first = await page('');
    const second = await page(`&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    const third = await page(`&cursor=${encodeURIComponent(second.cursor ?? '')}`);
    expect([first, second, third].map(({ listed }) => listed)).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect([first.back, third.cursor]).toEqual([null, null]);
    expect((await page(`&cursor=${encodeURIComponent(third.back ?? '')}`)).listed).toEqual(second.listed);
    expect((await api('GET', '?cursor=nonsense')).status).toBe(400);
  });
});

describe('another team, and after the end', () => {
  test('a credential is not there for another team, under any method', async () => {
    const { credential_id: id } = await create();
    const stranger = sso.api(base, randomUUID());
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const response = await stranger(method, `/${id}`, body);
      expect([response.status, response.body['code']]).toEqual([404, 'FST_ERR_CREDENTIAL_NOT_FOUND']);
    }
    expect((await stranger('GET', '')).body['data']).toEqual([]);
  });

  test('a deleted credential is gone for everybody, and its secrets with it', async () => {
    const { credential_id: id } = await create(await sso.zoom.consent());
    expect((await api('DELETE', `/${id}`)).status).toBe(200);
    expect((await api('GET', `/${id}`)).status).toBe(404);
    expect((await api('DELETE', `/${id}`)).status).toBe(404);
    expect((await api('GET', '')).body['data']).toEqual([]);
    const [row] = await sso.database.query(
      `select client_secret, refresh_token, access_token, deleted_at is not null as deleted
       from platform_credentials where credential_id = $1`,
      [id],
    );
    expect(row).toEqual({ client_secret: null, refresh_token: null, access_token: null, deleted: true });
  });
});
