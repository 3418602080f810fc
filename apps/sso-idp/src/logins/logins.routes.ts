import { Router } from 'express';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, idOf, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { LoginPlatform } from '@rapporteur/contracts';
import { createLoginBody, describeLogin, updateLoginBody } from './login-shape.ts';
import { findLogin, listLogins, readUtilization } from './logins.store.ts';
import type { GroupUtilization, LoginPlace } from './logins.store.ts';
import { createLogin, removeLogin, updateLogin } from './manage-logins.ts';
import type { WorkspaceDependencies } from './manage-workspaces.ts';
import { listQuery } from './workspaces.routes.ts';

export interface LoginRoutesDependencies extends WorkspaceDependencies {
  /** Limit of bots per login at the same time. */
  readonly sessionsPerLogin: number;
}

const bodyLimitBytes = 64 * 1_024;

/** Logins of one platform as the public API shows them. */
export function loginRoutes(
  auth: InternalAuth,
  platform: LoginPlatform,
  dependencies: LoginRoutesDependencies,
): Router {
  const root = `/internal/v2/${platform}-logins`;
  const { database, sessionsPerLogin } = dependencies;
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes: bodyLimitBytes });
  const placeOf = (request: Request): LoginPlace => {
    const place = { teamId: teamOf(request), credentialId: idOf(request, 'id', 'LOGIN_NOT_FOUND') };
    addToLog(request, place);
    return { ...place, platform };
  };
  router.post(root, gatewayOnly, readJson, async (request, response) => {
    const body = readInput(createLoginBody[platform], request.body);
    const row = await createLogin(dependencies, { teamId: teamOf(request), platform }, body);
    addToLog(request, { teamId: row.team_id, credentialId: row.credential_id });
    response.status(201).json({ success: true, data: describeLogin(row) });
  });
  router.get(root, gatewayOnly, async (request, response) => {
    const { extra } = readInput(listQuery, request.query);
    const rows = await listLogins(database, { teamId: teamOf(request), platform }, extra);
    response.json({ success: true, data: rows.map(describeLogin) });
  });
  // Before the route of one login, whose parameter would match it.
  router.get(`${root}/utilization`, gatewayOnly, async (request, response) => {
    const groups = await readUtilization(database, { teamId: teamOf(request), platform });
    response.json({ success: true, data: describeUtilization(groups, sessionsPerLogin) });
  });
  router.get(`${root}/:id`, gatewayOnly, async (request, response) => {
    const row = await findLogin(database, placeOf(request));
    if (row === null) throw fail('LOGIN_NOT_FOUND');
    response.json({ success: true, data: describeLogin(row) });
  });
  router.patch(`${root}/:id`, gatewayOnly, readJson, async (request, response) => {
    const body = readInput(updateLoginBody[platform], request.body);
    response.json({ success: true, data: describeLogin(await updateLogin(dependencies, placeOf(request), body)) });
  });
  router.delete(`${root}/:id`, gatewayOnly, async (request, response) => {
    await removeLogin(dependencies, placeOf(request));
    response.json({ success: true, data: { message: 'The login is deleted, and its secrets with it.' } });
  });
  return router;
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
