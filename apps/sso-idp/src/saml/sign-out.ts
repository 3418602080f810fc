import { sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { Database } from '@rapporteur/database';
import type { ServiceProvider, WorkspaceRow } from '../schema/login-entities.ts';
import { readLogoutRequest, RequestRefused } from './authn-request.ts';
import type { LogoutRequest } from './authn-request.ts';
import { logoutResponse, workspaceOfSession } from './saml-response.ts';
import { checkFreshness, currentPair, signingKeyOf } from './sign-in.ts';
import type { SignInCall, SignInDependencies } from './sign-in.ts';

type SignOutCall = Pick<SignInCall, 'samlRequest' | 'relayState'>;

const signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
/** The limit in the specification of the binding. */
const longestRelayState = 1_024;

/**
 * The redirect address that responds to a LogoutRequest of a registered service provider (HTTP-Redirect binding). No
 * session ends: a bot's browser has no session of this identity provider.
 * @throws RequestRefused
 */
export async function signOut(
  { database, secrets, addresses, now }: Omit<SignInDependencies, 'logger'>,
  { samlRequest, relayState }: SignOutCall,
): Promise<string> {
  if (samlRequest === null) throw new RequestRefused('no-request', 'The SAMLRequest is missing.');
  if ((relayState?.length ?? 0) > longestRelayState)
    throw new RequestRefused('relay-state', 'The RelayState is too long.');
  const request = readLogoutRequest(samlRequest);
  checkFreshness(request, { address: addresses.signOutUrl, nowMs: now() });
  const found = await findLogout(database, request);
  if (found === null) throw new RequestRefused('service-provider', 'No service provider with a logout_url sent this.');
  const { workspace, logoutUrl } = found;
  const xml = logoutResponse({
    issuer: addresses.entityId,
    destination: logoutUrl,
    requestId: request.id,
    nowMs: now(),
  });
  const { key } = signingKeyOf(currentPair(secrets, workspace, now()));
  const response = [`SAMLResponse=${encodeURIComponent(deflateRawSync(Buffer.from(xml)).toString('base64'))}`];
  if (relayState !== null) response.push(`RelayState=${encodeURIComponent(relayState)}`);
  const signed = [...response, `SigAlg=${encodeURIComponent(signatureAlgorithm)}`].join('&');
  const signature = encodeURIComponent(sign('RSA-SHA256', Buffer.from(signed), key).toString('base64'));
  return `${logoutUrl}${logoutUrl.includes('?') ? '&' : '?'}${signed}&Signature=${signature}`;
}

/**
 * The workspace that signed the user in, and the logout address of its service provider. Teams register any domain, any
 * user and any entity id: only the session index originates from this service. Without one, the user must be a login of
 * one workspace alone.
 */
async function findLogout(
  database: Database,
  { issuer, nameId, sessionIndex }: LogoutRequest,
): Promise<{ readonly workspace: WorkspaceRow; readonly logoutUrl: string } | null> {
  if (nameId === null) return null;
  const ofSession = sessionIndex === null ? null : workspaceOfSession(sessionIndex);
  const [workspace, another] = await database.query<WorkspaceRow>(
    `select workspace.* from logins join login_workspaces workspace on workspace.workspace_id = logins.workspace_id
     where logins.email_key = $1 and ($2::uuid is null or workspace.workspace_id = $2) limit 2`,
    [nameId.toLowerCase(), ofSession],
  );
  if (workspace === undefined || another !== undefined) return null;
  const provider = workspace.service_providers?.find(isThat(issuer));
  return provider?.logout_url == null ? null : { workspace, logoutUrl: provider.logout_url };
}

function isThat(issuer: string): (provider: ServiceProvider) => boolean {
  return ({ entity_id, logout_url }) => entity_id === issuer && logout_url !== null;
}
