import { z } from 'zod';
import { invalid } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/entities.ts';

/* Lengths and patterns are the contract's; the gateway has validated the body. */
const name = z.string().min(1).max(100);
const visible = z.string().regex(/^[!-~]{1,256}$/);
const code = z.string().min(1).max(2_000);
const address = z.string().min(1).max(2_000);
const extra = z.record(z.string(), z.unknown()).nullable();

export const createCredentialBody = z.strictObject({
  name,
  client_id: visible,
  client_secret: visible,
  authorization_code: code.nullable().default(null),
  redirect_uri: address.nullable().default(null),
  extra: extra.default(null),
});
export type CreateCredential = z.infer<typeof createCredentialBody>;

export const updateCredentialBody = z.strictObject({
  name: name.optional(),
  client_id: visible.optional(),
  client_secret: visible.optional(),
  authorization_code: code.optional(),
  redirect_uri: address.optional(),
  extra: extra.optional(),
});
export type UpdateCredential = z.infer<typeof updateCredentialBody>;

type CodeFields = { readonly authorization_code?: string | null; readonly redirect_uri?: string | null };

/** The code of a body with its redirect address, or null. Throws VALIDATION when one of the two is missing. */
export function codeOf(body: CodeFields): { readonly code: string; readonly redirectUri: string } | null {
  const given = body.authorization_code ?? null;
  const redirectUri = body.redirect_uri ?? null;
  if (given === null && redirectUri === null) return null;
  if (redirectUri === null) {
    throw invalid('redirect_uri', 'Zoom wants the address that the code was asked with: send both.');
  }
  if (given === null) {
    throw invalid('authorization_code', 'A redirect_uri belongs to a code: send both, or neither.');
  }
  return { code: given, redirectUri };
}

/** A credential as the API shows it, without secrets. */
export function describeCredential(row: CredentialRow): Record<string, unknown> {
  return {
    credential_id: row.credential_id,
    name: row.name,
    credential_type: row.credential_type,
    zoom_user_id: row.zoom_user_id,
    zoom_account_id: row.zoom_account_id,
    zoom_email: row.zoom_email,
    zoom_display_name: row.zoom_display_name,
    scopes: row.scopes,
    state: row.state,
    last_error_message: row.last_error_message,
    last_error_at: row.last_error_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    extra: row.extra,
  };
}
