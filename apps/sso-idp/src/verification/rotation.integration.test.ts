import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verificationChanged } from '@rapporteur/contracts';
import { generatePair } from '../logins/key-pairs.ts';
import { startSsoUnderTest } from '../testing/sso-under-test.ts';
import type { Api, SsoUnderTest } from '../testing/sso-under-test.ts';

interface Workspace {
  readonly workspace_id: string;
  readonly cert_pem: string;
  readonly signing_cert_pem: string;
  readonly sign_in_url: string;
}
interface Verified {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly status: string }[];
}

const domain = 'rotation.example.com';
const teamId = randomUUID();
let sso: SsoUnderTest;
let workspaces: Api;
let logins: Api;

beforeAll(async () => {
  sso = await startSsoUnderTest();
  const base = await sso.start();
  workspaces = sso.api(base, teamId, '/meet-workspaces');
  logins = sso.api(base, teamId, '/meet-logins');
}, 60_000);
afterAll(() => sso.stop());

/** The SSO profile of the domain, as its administrator sets it. */
async function setProfile(signInUrl: string, certificates: readonly string[]): Promise<void> {
  const response = await fetch(sso.zoom.url.replace(/\/zoom$/, '/google-domains'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domain, signInUrl, certificates }),
  });
  expect(response.status).toBe(201);
}

describe('a rotation', () => {
  test('is completed by a verification when the domain accepts the new certificate, and by none before', async () => {
    const made = await workspaces('POST', '', { domain, generate_keypair: true });
    const { workspace_id, cert_pem: former, sign_in_url } = made.body['data'] as Workspace;
    await logins('POST', '', { email: `bot@${domain}`, name: 'Bot', workspace_id });
    const read = async () => (await workspaces('GET', `/${workspace_id}`)).body['data'] as Workspace;
    const verify = async () => {
      const { ok, checks } = (await workspaces('POST', `/${workspace_id}/verify`, {})).body['data'] as Verified;
      return { ok, testLogin: checks.find(({ name }) => name === 'test_login')?.status };
    };
    await setProfile(sign_in_url, [former]);
    expect(await verify()).toEqual({ ok: true, testLogin: 'skipped' });

    const { certPem, keyPem } = await generatePair(domain, Date.now());
    await workspaces('PATCH', `/${workspace_id}`, { cert_pem: certPem, private_key_pem: keyPem });
    expect(await read()).toMatchObject({ cert_pem: certPem, signing_cert_pem: former });
    expect(await verify()).toEqual({ ok: true, testLogin: 'warn' });
    expect(await read()).toMatchObject({ signing_cert_pem: former });

    await setProfile(sign_in_url, [former, certPem]);
    expect(await verify()).toEqual({ ok: true, testLogin: 'pass' });
    expect(await read()).toMatchObject({ cert_pem: certPem, signing_cert_pem: certPem });

    const events = await sso.database.query<{ ok: boolean; changed: string[] }>(
      `select (data->'change'->>'ok')::boolean as ok, data->'change'->'changed_checks' as changed
       from outbox where type = $1 order by position`,
      [verificationChanged.type],
    );
    expect(events).toContainEqual({ ok: true, changed: ['test_login'] });
  }, 120_000);
});
