import { invalid } from '@rapporteur/service-runtime';
import type { BodyOf } from '@rapporteur/service-runtime';
import type { LoginRow, WorkspaceRow } from '../schema/login-entities.ts';

export type CreateLogin = BodyOf<'createMeetLogin'> & { readonly password?: string };
export type UpdateLogin = BodyOf<'updateTeamsLogin'>;

/**
 * Throws LOGIN_INVALID when the address of a Meet login is outside the workspace's domain. Teams tenants have any
 * domain.
 */
export function checkDomains(
  workspace: Pick<WorkspaceRow, 'platform' | 'domain'>,
  addresses: { readonly email?: string; readonly email_group?: string | null | undefined },
): void {
  if (workspace.platform !== 'meet') return;
  for (const field of ['email', 'email_group'] as const) {
    const address = addresses[field];
    if (address === undefined || address === null || address === '') continue;
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
    if (domain === workspace.domain || domain.endsWith(`.${workspace.domain}`)) continue;
    throw invalid(field, `It does not belong to the domain ${workspace.domain} of the workspace.`, 'LOGIN_INVALID');
  }
}

export type ListedLogin = LoginRow & { readonly sessions: number };

/** A login as the API shows it: never its password. */
export function describeLogin(row: ListedLogin): Record<string, unknown> {
  return {
    credential_id: row.credential_id,
    workspace_id: row.workspace_id,
    email: row.email,
    email_group: row.email_group,
    name: row.name,
    state: row.state,
    active_session_count: row.sessions,
    extra: row.extra,
    failure_data: row.failure_data,
    last_error_at: row.last_error_at?.toISOString() ?? null,
    last_error_message: row.last_error_message,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
