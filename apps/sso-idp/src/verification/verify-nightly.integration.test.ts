import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { VerificationChange } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { createSecretBox } from '@rapporteur/secret-box';
import { createLogger } from '@rapporteur/service-runtime';
import type { Repetition } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { createTestDatabase, waitFor } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { createLogin } from '../logins/logins.routes.ts';
import { createLoginSecrets } from '../logins/login-secrets.ts';
import { createWorkspace, updateWorkspace } from '../logins/manage-workspaces.ts';
import type { UpdateWorkspace } from '../logins/workspace-shape.ts';
import type { WorkspacePlace } from '../logins/workspaces.store.ts';
import { openSsoSchema } from '../schema/open-schema.ts';
import { encodedRequest, requestXml } from '../testing/saml-requests.ts';
import type { GooglePages } from './google-pages.ts';
import { startNightlyVerification } from './verify-nightly.ts';
import { createVerifyWorkspace } from './verify-workspace.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const entityId = 'https://api.example.test/v2/meet-sso';
const addresses = { entityId, signInUrl: `${entityId}/sign-in`, signOutUrl: `${entityId}/sign-out` };
const logger = createLogger('test', 'silent');
const clock = new FakeClock();
const now = () => clock.now();
const secrets = createLoginSecrets(createSecretBox({ current: randomBytes(32).toString('base64'), former: [] }));
/** Issuer of the domain's requests. */
let issuer = 'google.com/a/example.com';
/** Where the domain redirects its users. */
let domainLeadsTo = addresses.signInUrl;
/** Called once, during the next verification. */
let meanwhile = async (): Promise<unknown> => undefined;
const google: GooglePages = {
  startSignIn: async () => {
    const change = meanwhile;
    meanwhile = async () => undefined;
    await change();
    const url = new URL(domainLeadsTo);
    url.searchParams.set(
      'SAMLRequest',
      encodedRequest(requestXml({ issueInstant: new Date(clock.now()).toISOString(), issuer })),
    );
    return { kind: 'redirected', url };
  },
  postResponse: async () => ({ outcome: 'unknown', message: 'It is not called.' }),
  statusOf: async (url) => (url === addresses.signInUrl ? 403 : 200),
};
const published: VerificationChange[] = [];
let place: WorkspacePlace;
let verifications = 0;
let server: TestDatabase;
let database: Database;
let replicas: Repetition[] = [];

beforeAll(async () => {
  server = await createTestDatabase(openSsoSchema);
  database = await openSsoSchema(server.url, 4);
  const shared = { database, secrets, now };
  const owner = { teamId: randomUUID(), platform: 'meet' } as const;
  const body = { domain: 'example.com', name: 'Bots', generate_keypair: true, extra: null };
  const { workspace_id } = await createWorkspace(shared, owner, body);
  place = { ...owner, workspaceId: workspace_id };
  await createLogin(shared, owner, { email: 'a@example.com', name: 'A', workspace_id, extra: null });
  const events = {
    add: async (_transaction: unknown, _definition: unknown, data: unknown) => {
      published.push((data as { change: VerificationChange }).change);
      return randomUUID();
    },
    notify: () => undefined,
  };
  const verifyWorkspace = createVerifyWorkspace({ ...shared, addresses, google, events, logger });
  const verify: typeof verifyWorkspace = async (place, credentialId) => {
    verifications += 1;
    return await verifyWorkspace(place, credentialId);
  };
  replicas = [1, 2].map(() => startNightlyVerification({ database, verify, clock, logger }));
  await resting();
}, 60_000);
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await database.close();
  await server.drop();
});

const resting = () => waitFor(() => clock.sleeping === 2, { what: 'both replicas to wait' });
/** Advances the time, after which every due workspace is verified. */
const pass = async (ms: number): Promise<void> => {
  await clock.advance(ms);
  await resting();
  await clock.advance(minuteMs);
  await resting();
};

describe('the nightly verification by two replicas', () => {
  test('verifies once a day, and publishes a result that differs from the previous one', async () => {
    expect(verifications).toBe(1);
    expect(published.splice(0)).toMatchObject([{ domain: 'example.com', ok: true, previous_ok: null }]);

    await pass(dayMs - 10 * minuteMs);
    expect(verifications).toBe(1);
    await pass(10 * minuteMs);
    expect(verifications).toBe(2);
    expect(published).toEqual([]);

    domainLeadsTo = 'https://another.example/saml';
    await pass(dayMs);
    expect(verifications).toBe(3);
    expect(published.splice(0)).toMatchObject([
      { ok: false, previous_ok: true, changed_checks: ['idp_redirects_to_us'] },
    ]);
    await pass(dayMs);
    expect(verifications).toBe(4);
    expect(published).toEqual([]);

    domainLeadsTo = addresses.signInUrl;
    await pass(dayMs);
    expect(published.splice(0)).toMatchObject([
      { ok: true, previous_ok: false, changed_checks: ['idp_redirects_to_us'] },
    ]);
  }, 120_000);

  test('warns where Google requests the user name first, and names the setting', async () => {
    domainLeadsTo = 'https://accounts.google.com/v3/signin/identifier';
    await pass(dayMs);
    const [change] = published.splice(0);
    expect(change).toMatchObject({ ok: true, changed_checks: ['idp_redirects_to_us'] });
    expect(change?.checks.find(({ status }) => status === 'warn')?.message).toContain('"Domain-specific service URLs"');
    domainLeadsTo = addresses.signInUrl;
    await pass(dayMs);
    expect(published.splice(0)).toMatchObject([{ ok: true, previous_ok: true }]);
  }, 120_000);

  test('fails where no registered service provider sends the request, and names what is to be registered', async () => {
    issuer = 'https://accounts.google.com/samlrp/abc';
    await pass(dayMs);
    const [change] = published.splice(0);
    expect(change).toMatchObject({ ok: false, changed_checks: ['service_provider_registered'] });
    expect(change?.checks.find(({ status }) => status === 'fail')?.message).toContain(`entity_id ${issuer}, acs_url `);
    issuer = 'google.com/a/example.com';
    await pass(dayMs);
    expect(published.splice(0)).toMatchObject([{ ok: true, previous_ok: false }]);
  }, 120_000);

  test('stores nothing of a workspace that was changed meanwhile, and verifies it as it is now', async () => {
    const before = verifications;
    domainLeadsTo = 'https://another.example/saml';
    meanwhile = () => updateWorkspace({ database, secrets, now }, place, { name: 'Other bots' } as UpdateWorkspace);
    await pass(dayMs);
    domainLeadsTo = addresses.signInUrl;
    expect(published.splice(0)).toEqual([]);
    await pass(minuteMs);
    expect(verifications - before).toBe(2);
    expect(published).toEqual([]);
  }, 120_000);

  test('warns 30 days before the certificate ends, and fails when it has ended', async () => {
    await pass(10 * 365 * dayMs - 25 * dayMs);
    expect(published.splice(0)).toMatchObject([
      { ok: true, previous_ok: true, changed_checks: ['certificate_not_expired'] },
    ]);
    await pass(30 * dayMs);
    expect(published.splice(0)).toMatchObject([
      { ok: false, previous_ok: true, changed_checks: ['certificate_not_expired'] },
    ]);
  }, 120_000);
});
