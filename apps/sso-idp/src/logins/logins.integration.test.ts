import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSecretBox } from '@rapporteur/secret-box';
import { waitFor } from '@rapporteur/testbed';
import type { LoginRow, WorkspaceRow } from '../schema/login-entities.ts';
import { startSsoUnderTest } from '../testing/sso-under-test.ts';
import type { Api, ApiResponse, SsoUnderTest } from '../testing/sso-under-test.ts';
import { generatePair } from './key-pairs.ts';
import { createLoginSecrets } from './login-secrets.ts';

const [one, other, expired] = [
  await generatePair('example.com', Date.now()),
  await generatePair('b.example', Date.now()),
  await generatePair('example.com', Date.now() - 11 * 366 * 86_400_000),
];
let sso: SsoUnderTest;
let base = '';
let teamId = '';
let workspaces: Api;
let logins: Api;
let teamsWorkspaces: Api;
let teamsLogins: Api;

beforeAll(async () => {
  sso = await startSsoUnderTest();
  base = await sso.start();
}, 60_000);
afterAll(() => sso.stop());
beforeEach(() => {
  teamId = randomUUID();
  workspaces = sso.api(base, teamId, '/meet-workspaces');
  logins = sso.api(base, teamId, '/meet-logins');
  teamsWorkspaces = sso.api(base, teamId, '/teams-workspaces');
  teamsLogins = sso.api(base, teamId, '/teams-logins');
});

type Data = Readonly<Record<string, unknown>>;
const data = ({ status, body, text }: ApiResponse, expected = 200): Data => {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${text}`);
  return body['data'] as Data;
};
const brief = ({ status, body }: ApiResponse) => ({ status, code: body['code'], details: body['details'] });
const createWorkspace = async (over: object = {}) =>
  data(await workspaces('POST', '', { domain: 'example.com', generate_keypair: true, ...over }), 201);
const createLogin = async (over: object = {}) => {
  const { workspace_id } = await createWorkspace();
  return data(await logins('POST', '', { email: 'bot-1@example.com', name: 'Bot', workspace_id, ...over }), 201);
};

describe('a Meet workspace', () => {
  test('gets a key pair and shows its certificate only', async () => {
    const response = await workspaces('POST', '', { domain: 'example.com', generate_keypair: true, extra: { a: 1 } });
    expect(data(response, 201)).toEqual({
      workspace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      domain: 'example.com',
      name: 'Google Workspace',
      cert_pem: expect.stringContaining('-----BEGIN CERTIFICATE-----'),
      signing_cert_pem: expect.stringContaining('-----BEGIN CERTIFICATE-----'),
      service_providers: [
        {
          entity_id: 'google.com',
          acs_url: 'https://www.google.com/a/example.com/acs',
          audience: null,
          logout_url: null,
        },
        {
          entity_id: 'google.com/a/example.com',
          acs_url: 'https://www.google.com/a/example.com/acs',
          audience: null,
          logout_url: null,
        },
      ],
      idp_entity_id: 'https://api.example.test/v2/meet-sso',
      sign_in_url: 'https://api.example.test/v2/meet-sso/sign-in',
      sign_out_url: 'https://api.example.test/v2/meet-sso/sign-out',
      state: 'active',
      extra: { a: 1 },
      failure_data: null,
      last_error_at: null,
      last_error_message: null,
      verification: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(response.text).not.toContain('PRIVATE KEY');
    const id = String(data(response, 201)['workspace_id']);
    expect(data(await workspaces('GET', `/${id}`))['cert_pem']).toBe(data(response, 201)['cert_pem']);
  });

  test('takes a pair of the customer, and refuses one that does not belong together', async () => {
    const upload = (cert_pem: string, private_key_pem: string) =>
      workspaces('POST', '', { domain: 'example.com', cert_pem, private_key_pem });
    const refused = (details: string) => ({ status: 422, code: 'FST_ERR_WORKSPACE_VALIDATION', details });
    expect(brief(await upload(one.certPem, other.keyPem))).toEqual(refused('private_key_pem'));
    expect(brief(await upload('no certificate', one.keyPem))).toEqual(refused('cert_pem'));
    expect(brief(await upload(one.certPem, 'no key'))).toEqual(refused('private_key_pem'));
    expect(brief(await upload(expired.certPem, expired.keyPem))).toEqual(refused('cert_pem'));
    expect(data(await upload(one.certPem, one.keyPem), 201)['cert_pem']).toBe(one.certPem);
  });

  test.each([
    [{}, 'cert_pem'],
    [{ generate_keypair: true, cert_pem: 'c', private_key_pem: 'k' }, 'generate_keypair'],
    [{ cert_pem: 'c' }, 'private_key_pem'],
    [{ private_key_pem: 'k' }, 'cert_pem'],
  ])('needs either a generated or a whole pair, not %j', async (over, details) => {
    const response = await workspaces('POST', '', { domain: 'example.com', ...over });
    expect(brief(response)).toEqual({ status: 422, code: 'FST_ERR_WORKSPACE_VALIDATION', details });
    expect(data(await workspaces('GET', ''))).toEqual([]);
  });

  test('is one per domain and team', async () => {
    await createWorkspace();
    const again = await workspaces('POST', '', { domain: 'example.com', generate_keypair: true });
    expect(brief(again)).toEqual({ status: 409, code: 'FST_ERR_WORKSPACE_CONFLICT', details: 'domain' });
    const stranger = sso.api(base, randomUUID(), '/meet-workspaces');
    data(await stranger('POST', '', { domain: 'example.com', generate_keypair: true }), 201);
    expect((await stranger('GET', '')).body['data']).toHaveLength(1);
  });

  test('is unknown to another team, in every operation', async () => {
    const id = String((await createWorkspace())['workspace_id']);
    const stranger = sso.api(base, randomUUID(), '/meet-workspaces');
    for (const [method, path, body] of [
      ['GET', `/${id}`, undefined],
      ['PATCH', `/${id}`, { name: 'Theirs' }],
      ['PATCH', `/${id}`, { cert_pem: 'none' }],
      ['DELETE', `/${id}`, undefined],
      ['POST', `/${id}/verify`, {}],
    ] as const)
      expect([method, (await stranger(method, path, body)).status]).toEqual([method, 404]);
    expect((await sso.api(base, teamId, '/teams-workspaces')('GET', `/${id}`)).status).toBe(404);
  });

  test('rotates without an interruption: the new certificate is shown, the previous one still signs', async () => {
    const made = await createWorkspace();
    const pair = one;
    const change = { cert_pem: pair.certPem, private_key_pem: pair.keyPem };
    const rotated = data(await workspaces('PATCH', `/${String(made['workspace_id'])}`, change));
    expect(rotated).toMatchObject({ cert_pem: pair.certPem, signing_cert_pem: made['cert_pem'] });
    await sso.database.query(
      `update login_workspaces set state = 'invalid', last_error_message = 'x' where team_id = $1`,
      [teamId],
    );
    const repaired = data(await workspaces('PATCH', `/${String(made['workspace_id'])}`, change));
    expect(repaired).toMatchObject({
      signing_cert_pem: pair.certPem,
      cert_pem: pair.certPem,
      state: 'active',
      last_error_message: null,
    });
  });

  test('keeps its key sealed, for its own team and record only', async () => {
    const [mine, another] = [await createWorkspace(), await createWorkspace({ domain: 'other.example' })];
    const [row] = await sso.database.query<{ dump: string }>(
      `select encode(certificate, 'escape') || encode(private_key, 'escape') as dump from login_workspaces where workspace_id = $1`,
      [mine['workspace_id']],
    );
    expect(row?.dump).not.toMatch(/BEGIN|PRIVATE/);
    await sso.database.query(
      `update login_workspaces set private_key = (select private_key from login_workspaces where workspace_id = $2)
       where workspace_id = $1`,
      [mine['workspace_id'], another['workspace_id']],
    );
    expect((await workspaces('GET', `/${String(mine['workspace_id'])}`)).status).toBe(500);
  });
});

describe('a login', () => {
  test('belongs to a workspace of the team and to its domain', async () => {
    const { workspace_id } = await createWorkspace();
    const create = (over: object) => logins('POST', '', { email: 'a@example.com', name: 'A', workspace_id, ...over });
    const refused = (details: string) => ({ status: 422, code: 'FST_ERR_LOGIN_VALIDATION', details });
    expect(brief(await create({ email: 'a@other.example' }))).toEqual(refused('email'));
    expect(brief(await create({ email: 'a@notexample.com' }))).toEqual(refused('email'));
    expect(brief(await create({ email_group: 'all@other.example' }))).toEqual(refused('email_group'));
    expect((await create({ workspace_id: randomUUID() })).status).toBe(404);
    const made = data(await create({ email: 'A.Bot@eu.example.com', email_group: 'bots@example.com' }), 201);
    expect(made).toEqual({
      credential_id: expect.any(String),
      workspace_id,
      email: 'A.Bot@eu.example.com',
      email_group: 'bots@example.com',
      name: 'A',
      state: 'active',
      active_session_count: 0,
      extra: null,
      failure_data: null,
      last_error_at: null,
      last_error_message: null,
      last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(brief(await create({ email: 'a.bot@EU.example.com' }))).toEqual({
      status: 409,
      code: 'FST_ERR_LOGIN_CONFLICT',
      details: 'email',
    });
  });

  test('is changed, found by its extra, and deleted', async () => {
    const made = await createLogin({ extra: { region: 'eu' }, email_group: 'bots@example.com' });
    const path = `/${String(made['credential_id'])}`;
    expect(data(await logins('PATCH', path, { name: 'New', email_group: '' }))).toMatchObject({
      name: 'New',
      email_group: null,
      extra: { region: 'eu' },
    });
    expect(data(await logins('GET', '?extra=region:eu'))).toHaveLength(1);
    expect(data(await logins('GET', '?extra=region:us'))).toEqual([]);
    expect((await logins('PATCH', path, { state: 'invalid' })).status).toBe(400);
    data(await logins('DELETE', path));
    expect((await logins('GET', path)).status).toBe(404);
  });

  test('that is invalid is active again after PATCH', async () => {
    const made = await createLogin();
    await sso.database.query(
      `update logins set state = 'invalid', failure_data = '{"code":"X"}', last_error_message = 'Gone.', last_error_at = now()
       where team_id = $1`,
      [teamId],
    );
    const path = `/${String(made['credential_id'])}`;
    expect(data(await logins('GET', path))).toMatchObject({ state: 'invalid', failure_data: { code: 'X' } });
    expect(data(await logins('PATCH', path, { state: 'active' }))).toMatchObject({
      state: 'active',
      failure_data: null,
      last_error_message: null,
      last_error_at: null,
    });
  });

  test('is removed with its workspace', async () => {
    const made = await createLogin();
    data(await workspaces('DELETE', `/${String(made['workspace_id'])}`));
    expect(data(await logins('GET', ''))).toEqual([]);
  });
});

describe('a Teams login', () => {
  test('keeps its password to itself; a new one makes it active again', async () => {
    const workspace = data(await teamsWorkspaces('POST', '', { domain: 'example.com' }), 201);
    expect(workspace).toEqual({
      workspace_id: expect.any(String),
      domain: 'example.com',
      name: 'Microsoft Teams',
      state: 'active',
      extra: null,
      failure_data: null,
      last_error_at: null,
      last_error_message: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const response = await teamsLogins('POST', '', {
      email: 'bot@elsewhere.example',
      name: 'Bot',
      password: 'canary-password',
      workspace_id: workspace['workspace_id'],
    });
    expect(response.text).not.toContain('canary');
    const path = `/${String(data(response, 201)['credential_id'])}`;
    const [row] = await sso.database.query<{ dump: string }>(
      `select to_jsonb(logins)::text as dump from logins where team_id = $1`,
      [teamId],
    );
    expect(row?.dump).not.toContain(Buffer.from('canary-password').toString('hex'));
    await sso.database.query(`update logins set state = 'invalid' where team_id = $1`, [teamId]);
    expect(data(await teamsLogins('PATCH', path, { password: 'another' }))).toMatchObject({ state: 'active' });
    expect(data(await teamsLogins('PATCH', path, { email_group: null }))).toMatchObject({ email_group: null });
    expect(
      (await teamsLogins('POST', '', { email: 'b@a.example', name: 'B', workspace_id: workspace['workspace_id'] }))
        .status,
    ).toBe(400);
    data(await teamsLogins('DELETE', path));
    data(await teamsWorkspaces('DELETE', `/${String(workspace['workspace_id'])}`));
  });
});

describe('a new secret key', () => {
  test('seals key pairs and passwords again, and the former key is not needed after that', async () => {
    const pair = await createWorkspace();
    const workspace = data(await teamsWorkspaces('POST', '', { domain: 'a.example' }), 201);
    const login = data(
      await teamsLogins('POST', '', {
        email: 'bot@a.example',
        name: 'Bot',
        password: 'kept-password',
        workspace_id: workspace['workspace_id'],
      }),
      201,
    );
    const current = randomBytes(32).toString('base64');
    await sso.start({
      RAPPORTEUR_SECRET_KEY: current,
      RAPPORTEUR_FORMER_SECRET_KEYS: sso.environment['RAPPORTEUR_SECRET_KEY'] ?? '',
    });
    const secrets = createLoginSecrets(createSecretBox({ current, former: [] }));
    const opened = async () => {
      const query = sso.database.query.bind(sso.database);
      const [workspaceRow] = await query<WorkspaceRow>('select * from login_workspaces where workspace_id = $1', [
        pair['workspace_id'],
      ]);
      const [loginRow] = await query<LoginRow>('select * from logins where credential_id = $1', [
        login['credential_id'],
      ]);
      return [workspaceRow && secrets.signingPair(workspaceRow)?.certPem, loginRow && secrets.password(loginRow)];
    };
    await waitFor(async () => (await opened().catch(() => null)) !== null, { what: 'the new key to open both' });
    expect(await opened()).toEqual([pair['cert_pem'], 'kept-password']);
  });
});
