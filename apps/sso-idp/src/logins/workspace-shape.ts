import { invalid } from '@rapporteur/service-runtime';
import type { BodyOf } from '@rapporteur/service-runtime';
import type { ServiceProvider, WorkspaceRow } from '../schema/login-entities.ts';
import type { LoginSecrets, PemPair } from './login-secrets.ts';

export type CreateWorkspace = BodyOf<'createTeamsWorkspace'> & Partial<BodyOf<'createMeetWorkspace'>>;
export type UpdateWorkspace = BodyOf<'updateMeetWorkspace'>;

/**
 * Throws VALIDATION for what can be neither signed nor opened by a browser: entity ids are compared byte by byte, in
 * characters that XML allows.
 */
export function checkServiceProviders(given: readonly ServiceProvider[] | undefined): void {
  for (const [index, { entity_id, audience, acs_url, logout_url }] of (given ?? []).entries()) {
    const texts = { entity_id, audience, acs_url, logout_url };
    for (const [name, text] of Object.entries(texts)) {
      const field = `service_providers[${index}].${name}`;
      if (/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text ?? '')) throw invalid(field, 'holds a control character.');
      if (name.endsWith('_url') && text !== null && !URL.canParse(text)) throw invalid(field, 'is not an address.');
    }
  }
}

/** The uploaded pair, or null when the body has none. Throws WORKSPACE_INVALID for half a pair. */
export function uploadedPair(body: UpdateWorkspace): PemPair | null {
  const { cert_pem: certPem, private_key_pem: keyPem } = body;
  if (certPem === undefined && keyPem === undefined) return null;
  if (certPem === undefined || keyPem === undefined) {
    const field = certPem === undefined ? 'cert_pem' : 'private_key_pem';
    throw invalid(field, 'cert_pem and private_key_pem come together.', 'WORKSPACE_INVALID');
  }
  return { certPem, keyPem };
}

/** The service providers of Google's organization-wide profile, with and without the domain-specific issuer. */
export function serviceProvidersOf(
  row: Pick<WorkspaceRow, 'domain' | 'service_providers'>,
): readonly ServiceProvider[] {
  if (row.service_providers !== null) return row.service_providers;
  const acs_url = `https://www.google.com/a/${row.domain}/acs`;
  return ['google.com', `google.com/a/${row.domain}`].map((entity_id) => ({
    entity_id,
    acs_url,
    audience: null,
    logout_url: null,
  }));
}

export interface SsoAddresses {
  /** This identity provider's entity id. */
  readonly entityId: string;
  readonly signInUrl: string;
  readonly signOutUrl: string;
}

/** A workspace as the API shows it: the certificates, never a private key. */
export function describeWorkspace(
  row: WorkspaceRow,
  { secrets, addresses }: { readonly secrets: LoginSecrets; readonly addresses: SsoAddresses },
): Record<string, unknown> {
  return {
    workspace_id: row.workspace_id,
    domain: row.domain,
    name: row.name,
    ...(row.platform === 'meet' ? describeSaml(row, secrets, addresses) : {}),
    state: row.state,
    extra: row.extra,
    failure_data: row.failure_data,
    last_error_at: row.last_error_at?.toISOString() ?? null,
    last_error_message: row.last_error_message,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function describeSaml(row: WorkspaceRow, secrets: LoginSecrets, addresses: SsoAddresses) {
  const signing = secrets.signingPair(row);
  return {
    cert_pem: (secrets.nextPair(row) ?? signing)?.certPem,
    signing_cert_pem: signing?.certPem,
    service_providers: serviceProvidersOf(row),
    idp_entity_id: addresses.entityId,
    sign_in_url: addresses.signInUrl,
    sign_out_url: addresses.signOutUrl,
    verification: row.verification,
  };
}
