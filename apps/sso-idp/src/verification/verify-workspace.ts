import { verificationChanged } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import type { Outbox } from '@rapporteur/event-bus';
import { fail } from '@rapporteur/failures';
import type { Logger } from '@rapporteur/service-runtime';
import type { VerifyWorkspace } from '../logins/workspaces.routes.ts';
import type { LoginSecrets, PemPair } from '../logins/login-secrets.ts';
import { listLogins } from '../logins/logins.store.ts';
import { pairColumns } from '../logins/manage-workspaces.ts';
import type { SsoAddresses } from '../logins/workspace-shape.ts';
import { changeWorkspace, findWorkspace, lockWorkspace } from '../logins/workspaces.store.ts';
import type { WorkspacePlace } from '../logins/workspaces.store.ts';
import { readAuthnRequest, RequestRefused } from '../saml/authn-request.ts';
import type { AuthnRequest } from '../saml/authn-request.ts';
import { checkRequest, respond, unmetBy } from '../saml/sign-in.ts';
import type { LoginRow, Verification, VerificationCheck, WorkspaceRow } from '../schema/login-entities.ts';
import { readCertificate, readKey } from '../logins/key-pairs.ts';
import type { GooglePages, SignInStart, TestLogin } from './google-pages.ts';
import { verificationChangeOf } from './verification-change.ts';

export interface VerifyDependencies {
  readonly database: Database;
  readonly secrets: LoginSecrets;
  readonly addresses: SsoAddresses;
  readonly google: GooglePages;
  readonly events: Pick<Outbox, 'add' | 'notify'>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info'>;
}

const nightMs = 86_400_000;
const longestShown = 200;

/**
 * Runs every check, stores the result, publishes a change of it, and completes a rotation whose new pair signed a user
 * in.
 */
export function createVerifyWorkspace(dependencies: VerifyDependencies): VerifyWorkspace {
  return async (place, credentialId) => {
    const { database, now } = dependencies;
    const workspace = await findWorkspace(database, place);
    if (workspace === null) throw fail('WORKSPACE_NOT_FOUND');
    const logins = (await listLogins(database, place, undefined)).filter(
      (login) => login.workspace_id === workspace.workspace_id,
    );
    const login = chooseLogin(logins, { workspace, credentialId });
    const { checks, acceptedNext } = await runChecks(dependencies, { workspace, logins, login });
    const at = new Date(now());
    const ok = checks.every(({ status }) => status !== 'fail');
    const verification: Verification = { ok, checked_at: at.toISOString(), checks };
    await store(dependencies, place, { workspace, verification, acceptedNext });
    return verification;
  };
}

/** A rotation is tested with any login; otherwise only the requested one is. */
function chooseLogin(
  logins: readonly LoginRow[],
  { workspace, credentialId }: { readonly workspace: WorkspaceRow; readonly credentialId: string | null },
): LoginRow | null {
  if (credentialId === null) {
    return workspace.next_certificate === null ? null : (logins.find(({ state }) => state === 'active') ?? null);
  }
  const login = logins.find(({ credential_id }) => credential_id === credentialId);
  if (login === undefined) throw fail('LOGIN_NOT_FOUND', { details: 'credential_id' });
  return login;
}

interface Subject {
  readonly workspace: WorkspaceRow;
  readonly logins: readonly LoginRow[];
  readonly login: LoginRow | null;
}

interface Checked {
  readonly checks: readonly VerificationCheck[];
  /** The new pair of a rotation, once the domain has accepted it. */
  readonly acceptedNext: PemPair | null;
}

async function runChecks(dependencies: VerifyDependencies, subject: Subject): Promise<Checked> {
  const { secrets, addresses, google, now } = dependencies;
  const { workspace, logins } = subject;
  const pairs = [secrets.signingPair(workspace), secrets.nextPair(workspace)].filter((pair) => pair !== null);
  const start = await google.startSignIn(workspace.domain, addresses.signInUrl);
  const request = requestOf(start, addresses);
  const test = await testLogin(dependencies, subject, request);
  const active = logins.some(({ state }) => state === 'active');
  return {
    checks: [
      ...pairChecks(pairs, now()),
      await reachable(google, 'sign_in_url_reachable', { url: addresses.signInUrl, status: 403 }),
      await reachable(google, 'sign_out_url_reachable', { url: addresses.signOutUrl, status: 200 }),
      redirectCheck(start, addresses),
      issuerCheck(request),
      providerCheck(dependencies, { request, workspace }),
      active
        ? check('has_active_login', 'pass')
        : check('has_active_login', 'fail', 'No login of this workspace is active. Add one with POST /v2/meet-logins.'),
      test.check,
    ],
    acceptedNext: test.acceptedNext,
  };
}

async function reachable(
  google: GooglePages,
  name: string,
  { url, status }: { readonly url: string; readonly status: number },
): Promise<VerificationCheck> {
  const responded = await google.statusOf(url);
  if (responded === status) return check(name, 'pass');
  const found = responded === null ? 'did not respond' : `responded with HTTP status ${responded}`;
  return check(name, 'warn', `${url} ${found} when this service called it.`);
}

function redirectCheck(start: SignInStart, addresses: SsoAddresses): VerificationCheck {
  const name = 'idp_redirects_to_us';
  if (start.kind === 'unreachable') return check(name, 'warn', start.message);
  if (`${start.url.origin}${start.url.pathname}` === addresses.signInUrl) return check(name, 'pass');
  if (start.url.host === 'accounts.google.com') {
    const message =
      'Google requests the user name first, which bots type. Whether the SSO profile is assigned to them shows when one signs in. "Domain-specific service URLs" on the SSO page leads there at once, and enables the checks that are skipped.';
    return check(name, 'warn', message);
  }
  return check(
    name,
    'fail',
    `A sign-in of this domain ends at ${start.url.host}. Set the Sign-in page URL of the SSO profile to ${addresses.signInUrl} and assign the profile.`,
  );
}

type ReadRequest = AuthnRequest | RequestRefused | null;

/** Null: the domain does not redirect users to this service. */
function requestOf(start: SignInStart, addresses: SsoAddresses): ReadRequest {
  if (start.kind !== 'redirected' || `${start.url.origin}${start.url.pathname}` !== addresses.signInUrl) return null;
  try {
    return readAuthnRequest(start.url.searchParams.get('SAMLRequest') ?? '');
  } catch (error) {
    if (error instanceof RequestRefused) return error;
    throw error;
  }
}

function issuerCheck(request: ReadRequest): VerificationCheck {
  const name = 'issuer_is_domain_specific';
  if (request === null) return check(name, 'skipped', 'The domain does not send its users here.');
  if (request instanceof RequestRefused) return check(name, 'fail', request.message);
  if (request.issuer !== 'google.com') return check(name, 'pass');
  return check(name, 'warn', 'The issuer is google.com. Turn on "Use a domain specific issuer" in the SSO profile.');
}

/** A bot's sign-in with this request must result in an assertion. */
function providerCheck(
  dependencies: Pick<VerifyDependencies, 'addresses' | 'now'>,
  { request, workspace }: { readonly request: ReadRequest; readonly workspace: WorkspaceRow },
): VerificationCheck {
  const name = 'service_provider_registered';
  if (request === null) return check(name, 'skipped', 'The domain does not send its users here.');
  if (request instanceof RequestRefused) return check(name, 'skipped', request.message);
  try {
    checkRequest(dependencies, { request, workspace });
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    const sent = `Sent: entity_id ${shown(request.issuer)}, acs_url ${shown(request.acsUrl ?? 'none')}.`;
    return check(name, 'fail', `${error.message} ${sent} Register both in service_providers.`);
  }
  return request.unmet === null ? check(name, 'pass') : check(name, 'fail', request.unmet.sentence);
}

function shown(text: string): string {
  return text.slice(0, longestShown);
}

interface Tested {
  readonly check: VerificationCheck;
  readonly acceptedNext: PemPair | null;
}

async function testLogin(
  dependencies: VerifyDependencies,
  { workspace, login }: Subject,
  request: ReadRequest,
): Promise<Tested> {
  const name = 'test_login';
  const skipped = (why: string): Tested => ({ check: check(name, 'skipped', why), acceptedNext: null });
  if (login === null) return skipped('No credential_id was given.');
  if (request === null) return skipped('The domain does not send its users here.');
  if (request instanceof RequestRefused) return skipped(request.message);
  const [signing, next] = [dependencies.secrets.signingPair(workspace), dependencies.secrets.nextPair(workspace)];
  const results: TestLogin[] = [];
  for (const pair of [next, signing]) {
    if (pair === null) continue;
    // A service provider accepts one response per request, and a rejected one counts.
    const own = results.length === 0 ? request : await nextRequest(dependencies, workspace);
    const result = await tryPair(dependencies, { workspace, login, request: own, pair });
    results.push(result);
    if (result.outcome !== 'accepted') continue;
    if (pair === next) return { check: check(name, 'pass'), acceptedNext: next };
    if (next === null) return { check: check(name, 'pass'), acceptedNext: null };
    const message = 'The domain accepts the previous certificate only. Upload cert_pem to the SSO profile.';
    return { check: check(name, 'warn', message), acceptedNext: null };
  }
  const unknown = results.every(({ outcome }) => outcome === 'unknown');
  return { check: check(name, unknown ? 'warn' : 'fail', results.at(-1)?.message ?? null), acceptedNext: null };
}

async function nextRequest(
  { google, addresses }: VerifyDependencies,
  { domain }: WorkspaceRow,
): Promise<AuthnRequest | null> {
  const request = requestOf(await google.startSignIn(domain, addresses.signInUrl), addresses);
  return request instanceof RequestRefused ? null : request;
}

async function tryPair(
  { google, addresses, now }: VerifyDependencies,
  parts: { workspace: WorkspaceRow; login: LoginRow; request: AuthnRequest | null; pair: PemPair },
): Promise<TestLogin> {
  const { workspace, login, request, pair } = parts;
  if (request === null) return { outcome: 'unknown', message: 'The domain does not send its users here.' };
  try {
    const provider = checkRequest({ addresses, now }, { request, workspace });
    const unmet = unmetBy(request, login);
    if (unmet !== null) return { outcome: 'rejected', message: unmet.sentence };
    const form = respond({ workspace, pair, login, provider, request }, { issuer: addresses.entityId, nowMs: now() });
    return await google.postResponse(workspace.domain, form.acsUrl, {
      SAMLResponse: form.samlResponse,
      RelayState: '',
    });
  } catch (error) {
    if (error instanceof RequestRefused) return { outcome: 'rejected' as const, message: error.message };
    throw error;
  }
}

async function store(
  { database, secrets, events, now, logger }: VerifyDependencies,
  place: WorkspacePlace,
  {
    workspace,
    verification,
    acceptedNext,
  }: {
    readonly workspace: WorkspaceRow;
    readonly verification: Verification;
    readonly acceptedNext: PemPair | null;
  },
): Promise<void> {
  const { promoted, changed } = await database.transaction(async (transaction) => {
    const held = await lockWorkspace(transaction, place);
    if (held === null) throw fail('WORKSPACE_NOT_FOUND');
    // It was changed meanwhile, and is due again as it is now.
    if (held.updated_at.getTime() !== workspace.updated_at.getTime()) return { promoted: false, changed: false };
    // A pair uploaded in the meantime differs from the tested one.
    const same = acceptedNext !== null && secrets.nextPair(held)?.keyPem === acceptedNext.keyPem;
    await changeWorkspace(transaction, place, {
      verification,
      verify_after: new Date(now() + nightMs),
      ...(same ? pairColumns(secrets, held, acceptedNext) : {}),
    });
    const change = verificationChangeOf(held, held.verification, verification);
    if (change !== null) await events.add(transaction, verificationChanged, { teamId: held.team_id, change });
    return { promoted: same, changed: change !== null };
  });
  if (changed) events.notify();
  const facts = {
    teamId: workspace.team_id,
    workspaceId: workspace.workspace_id,
    ok: verification.ok,
    changed,
    promoted,
  };
  logger.info(facts, 'A workspace was verified.');
}

const expirySoonMs = 30 * 86_400_000;

export function check(
  name: string,
  status: VerificationCheck['status'],
  message: string | null = null,
): VerificationCheck {
  return { name, status, message };
}

/** Checks of a workspace's pairs without requests; the pair of a rotation comes second. */
function pairChecks(pairs: readonly PemPair[], nowMs: number): VerificationCheck[] {
  const certificates = pairs.map(({ certPem }) => readCertificate(certPem));
  const parsed = certificates.filter((certificate) => certificate !== null);
  const endMs = Math.min(...parsed.map(({ validToDate }) => validToDate.getTime()));
  const matches = pairs.every(({ keyPem }, index) => {
    const key = readKey(keyPem);
    return key !== null && (certificates[index]?.checkPrivateKey(key) ?? false);
  });
  return [
    parsed.length === pairs.length
      ? check('certificate_parses', 'pass')
      : check('certificate_parses', 'fail', 'The stored certificate cannot be read. Send a new pair with PATCH.'),
    expiryCheck(endMs, nowMs),
    matches
      ? check('key_matches_certificate', 'pass')
      : check(
          'key_matches_certificate',
          'fail',
          'The stored key is not that of the certificate. Send a new pair with PATCH.',
        ),
  ];
}

function expiryCheck(endMs: number, nowMs: number): VerificationCheck {
  const name = 'certificate_not_expired';
  if (!Number.isFinite(endMs)) return check(name, 'skipped', 'There is no readable certificate.');
  const end = new Date(endMs).toISOString();
  if (endMs <= nowMs) return check(name, 'fail', `The certificate expired at ${end}. Send a new pair with PATCH.`);
  if (endMs - nowMs < expirySoonMs) return check(name, 'warn', `The certificate expires at ${end}. Rotate it before.`);
  return check(name, 'pass');
}
