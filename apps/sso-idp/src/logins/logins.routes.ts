import { randomUUID } from 'node:crypto';
import type { Request, Router } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { LoginPlatform } from '@rapporteur/contracts';
import { isUniqueViolation } from '@rapporteur/database';
import { describeLogin, checkDomains } from './login-shape.ts';
import type { CreateLogin, ListedLogin, UpdateLogin } from './login-shape.ts';
import { findLogin, listLogins, readUtilization, changeLogin, deleteLogin, insertLogin } from './logins.store.ts';
import type { GroupUtilization, LoginPlace } from './logins.store.ts';
import { whenInUse } from './manage-workspaces.ts';
import type { WorkspaceDependencies } from './manage-workspaces.ts';
import { cleared, findWorkspace } from './workspaces.store.ts';

export interface LoginRoutesDependencies extends WorkspaceDependencies {
  /** Limit of bots per login at the same time. */
  readonly sessionsPerLogin: number;
}

/** Logins as the public API shows them. */
export function loginRoutes(auth: InternalAuth, dependencies: LoginRoutesDependencies): Router {
  const [meet, teams] = [handlersOf('meet', dependencies), handlersOf('teams', dependencies)];
  return servePublic(auth, {
    createMeetLogin: meet.create,
    listMeetLogins: meet.list,
    getMeetLoginUtilization: meet.utilization,
    getMeetLogin: meet.get,
    updateMeetLogin: meet.update,
    deleteMeetLogin: meet.remove,
    createTeamsLogin: teams.create,
    listTeamsLogins: teams.list,
    getTeamsLoginUtilization: teams.utilization,
    getTeamsLogin: teams.get,
    updateTeamsLogin: teams.update,
    deleteTeamsLogin: teams.remove,
  });
}

interface Call {
  readonly teamId: string;
  readonly params: { readonly credential_id: string };
}

function handlersOf(platform: LoginPlatform, dependencies: LoginRoutesDependencies) {
  const { database, sessionsPerLogin } = dependencies;
  const placeOf = ({ teamId, params }: Call) => ({ teamId, platform, credentialId: params.credential_id });
  return {
    create: async ({ teamId, body, request }: Pick<Call, 'teamId'> & { body: CreateLogin; request: Request }) => {
      const row = await createLogin(dependencies, { teamId, platform }, body);
      addToLog(request, { credentialId: row.credential_id });
      return { data: describeLogin(row) };
    },
    list: async ({ teamId, query }: Pick<Call, 'teamId'> & { query: { extra?: string } }) => ({
      data: (await listLogins(database, { teamId, platform }, query.extra)).map(describeLogin),
    }),
    utilization: async ({ teamId }: Pick<Call, 'teamId'>) => ({
      data: describeUtilization(await readUtilization(database, { teamId, platform }), sessionsPerLogin),
    }),
    get: async (call: Call) => {
      const row = await findLogin(database, placeOf(call));
      if (row === null) throw fail('LOGIN_NOT_FOUND');
      return { data: describeLogin(row) };
    },
    update: async (call: Call & { body: UpdateLogin }) => ({
      data: describeLogin(await updateLogin(dependencies, placeOf(call), call.body)),
    }),
    remove: async (call: Call) => {
      await removeLogin(dependencies, placeOf(call));
      return { data: { message: 'The login is deleted, and its secrets with it.' } };
    },
  };
}

/** `data` of GET /v2/meet-logins/utilization. */
function describeUtilization(groups: readonly GroupUtilization[], sessionsPerLogin: number) {
  const sum = (count: (group: GroupUtilization) => number) => groups.reduce((total, group) => total + count(group), 0);
  const [total, active, concurrent] = [
    sum((one) => one.logins),
    sum((one) => one.active),
    sum((one) => one.concurrent),
  ];
  const capacity = active * sessionsPerLogin;
  return {
    logins_total: total,
    logins_active: active,
    logins_invalid: total - active,
    concurrent_sessions: concurrent,
    concurrent_capacity: capacity,
    utilization_pct: capacity === 0 ? 0 : Math.round((concurrent / capacity) * 1_000) / 10,
    by_email_group: groups.map((group) => ({
      email_group: group.email_group,
      logins: group.logins,
      concurrent: group.concurrent,
      capacity: group.active * sessionsPerLogin,
    })),
  };
}

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
async function updateLogin(
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
async function removeLogin({ database }: WorkspaceDependencies, place: LoginPlace): Promise<void> {
  if (!(await deleteLogin(database, place).catch(whenInUse))) throw fail('LOGIN_NOT_FOUND');
}
