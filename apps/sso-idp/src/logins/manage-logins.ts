import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { LoginPlatform } from '@rapporteur/contracts';
import type { CreateLogin, ListedLogin, UpdateLogin } from './login-shape.ts';
import { checkDomains } from './login-shape.ts';
import { changeLogin, deleteLogin, findLogin, insertLogin } from './logins.store.ts';
import type { LoginPlace } from './logins.store.ts';
import { whenInUse } from './manage-workspaces.ts';
import type { WorkspaceDependencies } from './manage-workspaces.ts';
import { cleared, findWorkspace } from './workspaces.store.ts';

/** Throws WORKSPACE_NOT_FOUND, LOGIN_INVALID and LOGIN_ALREADY_EXISTS, without storing anything. */
export async function createLogin(
  { database, secrets, now }: WorkspaceDependencies,
  { teamId, platform }: { readonly teamId: string; readonly platform: LoginPlatform },
  body: CreateLogin,
): Promise<ListedLogin> {
  const workspace = await findWorkspace(database, { teamId, platform, workspaceId: body.workspace_id });
  if (workspace === null) throw fail('WORKSPACE_NOT_FOUND', { details: 'workspace_id' });
  checkDomains(workspace, body);
  const ids = { team_id: teamId, credential_id: randomUUID() };
  try {
    const row = await insertLogin(database, {
      ...ids,
      workspace_id: workspace.workspace_id,
      platform,
      email: body.email,
      email_key: body.email.toLowerCase(),
      email_group: body.email_group ?? null,
      name: body.name,
      password: body.password === undefined ? null : secrets.sealPassword(ids, body.password),
      extra: body.extra,
      created_at: new Date(now()),
    });
    return { ...row, sessions: 0 };
  } catch (error) {
    if (isUniqueViolation(error)) throw fail('LOGIN_ALREADY_EXISTS', { details: 'email' });
    throw error;
  }
}

/** A new password or state `active` clears a failure. Throws LOGIN_NOT_FOUND and LOGIN_INVALID, without a change. */
export async function updateLogin(
  { database, secrets, now }: WorkspaceDependencies,
  place: LoginPlace,
  body: UpdateLogin,
): Promise<ListedLogin> {
  const { teamId, platform, credentialId } = place;
  const held = await findLogin(database, place);
  if (held === null) throw fail('LOGIN_NOT_FOUND');
  const workspace = await findWorkspace(database, { teamId, platform, workspaceId: held.workspace_id });
  if (workspace === null) throw fail('LOGIN_NOT_FOUND');
  checkDomains(workspace, { email_group: body.email_group });
  const { name, extra, password, email_group, state } = body;
  const ids = { team_id: teamId, credential_id: credentialId };
  const changed = await changeLogin(database, place, {
    ...(name === undefined ? {} : { name }),
    ...(extra === undefined ? {} : { extra }),
    ...(email_group === undefined ? {} : { email_group: email_group === '' ? null : email_group }),
    ...(password === undefined ? {} : { password: secrets.sealPassword(ids, password) }),
    ...(password === undefined && state === undefined ? {} : cleared),
    updated_at: new Date(now()),
  });
  const row = changed ? await findLogin(database, place) : null;
  if (row === null) throw fail('LOGIN_NOT_FOUND');
  return row;
}

/** Throws LOGIN_NOT_FOUND, and LOGIN_IN_USE while a bot uses it. */
export async function removeLogin({ database }: WorkspaceDependencies, place: LoginPlace): Promise<void> {
  if (!(await deleteLogin(database, place).catch(whenInUse))) throw fail('LOGIN_NOT_FOUND');
}
