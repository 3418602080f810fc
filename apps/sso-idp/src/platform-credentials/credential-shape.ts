import type { BodyOf } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/entities.ts';

export type CreateCredential = BodyOf<'createZoomCredential'>;
export type UpdateCredential = BodyOf<'updateZoomCredential'>;

/** The code of a body with its redirect address, which the contract wants together; null for neither. */
export function codeOf({
  authorization_code: code,
  redirect_uri: redirectUri,
}: Pick<UpdateCredential | CreateCredential, 'authorization_code' | 'redirect_uri'>) {
  return code == null || redirectUri == null ? null : { code, redirectUri };
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
