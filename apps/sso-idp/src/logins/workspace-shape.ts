import { z } from 'zod';
import { invalid } from '@rapporteur/service-runtime';
import type { LoginPlatform } from '@rapporteur/contracts';
import type { ServiceProvider, WorkspaceRow } from '../schema/login-entities.ts';
import type { LoginSecrets, PemPair } from './login-secrets.ts';

/* Lengths and patterns are the contract's; the gateway has validated the body. */
const name = z.string().min(1).max(100);
const pem = z.string().min(1).max(16_384);
const domain = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[a-z0-9.-]+\.[a-z]{2,}$/);
const extra = z.record(z.string(), z.unknown()).nullable();
const state = z.literal('active');
/** Signed and compared byte by byte: only characters that XML allows and that are visible. */
const entityId = z
  .string()
  .min(1)
  .max(1_024)
  .regex(/^[^\p{Cc}\p{Cs}\uFFFE\uFFFF]*$/u, 'holds a control character');
const browserAddress = z
  .string()
  .max(2_000)
  .regex(/^https:\/\/[^\s\p{Cc}]*$/u)
  .refine((url) => URL.canParse(url), 'is not an address');
const serviceProviders = z
  .array(
    z.strictObject({
      entity_id: entityId,
      acs_url: browserAddress,
      audience: entityId.nullable().default(null),
      logout_url: browserAddress.nullable().default(null),
    }),
  )
  .min(1)
  .max(10);

const defaultNames = { meet: 'Google Workspace', teams: 'Microsoft Teams' } as const;

const createMeetBody = z.strictObject({
  domain,
  name: name.default(defaultNames.meet),
  generate_keypair: z.boolean().default(false),
  cert_pem: pem.optional(),
  private_key_pem: pem.optional(),
  service_providers: serviceProviders.optional(),
  extra: extra.default(null),
});
const createTeamsBody = z.strictObject({ domain, name: name.default(defaultNames.teams), extra: extra.default(null) });
export type CreateWorkspace = z.infer<typeof createTeamsBody> & Partial<z.infer<typeof createMeetBody>>;

const updateTeamsBody = z.strictObject({ name: name.optional(), state: state.optional(), extra: extra.optional() });
const updateMeetBody = updateTeamsBody.extend({
  cert_pem: pem.optional(),
  private_key_pem: pem.optional(),
  service_providers: serviceProviders.optional(),
});
export type UpdateWorkspace = z.infer<typeof updateMeetBody>;

export const createWorkspaceBody: Readonly<Record<LoginPlatform, z.ZodType<CreateWorkspace>>> = {
  meet: createMeetBody,
  teams: createTeamsBody,
};
export const updateWorkspaceBody: Readonly<Record<LoginPlatform, z.ZodType<UpdateWorkspace>>> = {
  meet: updateMeetBody,
  teams: updateTeamsBody,
};
export const verifyBody = z.strictObject({ credential_id: z.uuid().optional() });

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
