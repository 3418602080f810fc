import { z } from 'zod';
import { invalid } from '@rapporteur/service-runtime';
import type { LoginPlatform } from '@rapporteur/contracts';
import type { LoginRow, WorkspaceRow } from '../schema/login-entities.ts';

/* Lengths and patterns are the contract's; the gateway has validated the body. */
const name = z.string().min(1).max(100);
const email = z.string().min(3).max(254);
const password = z.string().min(1).max(1_024);
const extra = z.record(z.string(), z.unknown()).nullable();

const createMeetBody = z.strictObject({
  email,
  email_group: email.optional(),
  name,
  workspace_id: z.uuid(),
  extra: extra.default(null),
});
const createTeamsBody = createMeetBody.extend({ password });
export type CreateLogin = z.infer<typeof createMeetBody> & { readonly password?: string };

const updateMeetBody = z.strictObject({
  name: name.optional(),
  email_group: z.union([email, z.literal(''), z.null()]).optional(),
  state: z.literal('active').optional(),
  extra: extra.optional(),
});
const updateTeamsBody = updateMeetBody.extend({ password: password.optional() });
export type UpdateLogin = z.infer<typeof updateTeamsBody>;

export const createLoginBody: Readonly<Record<LoginPlatform, z.ZodType<CreateLogin>>> = {
  meet: createMeetBody,
  teams: createTeamsBody,
};
export const updateLoginBody: Readonly<Record<LoginPlatform, z.ZodType<UpdateLogin>>> = {
  meet: updateMeetBody,
  teams: updateTeamsBody,
};

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
