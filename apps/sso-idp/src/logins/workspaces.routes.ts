import { Router } from 'express';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, idOf, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { LoginPlatform } from '@rapporteur/contracts';
import type { Verification } from '../schema/login-entities.ts';
import { createWorkspace, removeWorkspace, updateWorkspace } from './manage-workspaces.ts';
import type { WorkspaceDependencies } from './manage-workspaces.ts';
import { createWorkspaceBody, describeWorkspace, updateWorkspaceBody, verifyBody } from './workspace-shape.ts';
import type { SsoAddresses } from './workspace-shape.ts';
import { findWorkspace, listWorkspaces } from './workspaces.store.ts';
import type { WorkspacePlace } from './workspaces.store.ts';

/** @throws Failure WORKSPACE_NOT_FOUND, LOGIN_NOT_FOUND */
export type VerifyWorkspace = (place: WorkspacePlace, credentialId: string | null) => Promise<Verification>;

export interface WorkspaceRoutesDependencies extends WorkspaceDependencies {
  readonly addresses: SsoAddresses;
  readonly verify: VerifyWorkspace;
}

const bodyLimitBytes = 128 * 1_024;
export const listQuery = z.object({ extra: z.string().min(1).max(4_096).optional() });

/** Workspaces of one platform as the public API shows them. */
export function workspaceRoutes(
  auth: InternalAuth,
  platform: LoginPlatform,
  dependencies: WorkspaceRoutesDependencies,
): Router {
  const root = `/internal/v2/${platform}-workspaces`;
  const { database } = dependencies;
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes: bodyLimitBytes });
  const placeOf = (request: Request): WorkspacePlace => {
    const place = { teamId: teamOf(request), workspaceId: idOf(request, 'id', 'WORKSPACE_NOT_FOUND') };
    addToLog(request, place);
    return { ...place, platform };
  };
  router.post(root, gatewayOnly, readJson, async (request, response) => {
    const body = readInput(createWorkspaceBody[platform], request.body);
    const row = await createWorkspace(dependencies, { teamId: teamOf(request), platform }, body);
    addToLog(request, { teamId: row.team_id, workspaceId: row.workspace_id });
    response.status(201).json({ success: true, data: describeWorkspace(row, dependencies) });
  });
  router.get(root, gatewayOnly, async (request, response) => {
    const { extra } = readInput(listQuery, request.query);
    const rows = await listWorkspaces(database, { teamId: teamOf(request), platform }, extra);
    response.json({ success: true, data: rows.map((row) => describeWorkspace(row, dependencies)) });
  });
  router.get(`${root}/:id`, gatewayOnly, async (request, response) => {
    const row = await findWorkspace(database, placeOf(request));
    if (row === null) throw fail('WORKSPACE_NOT_FOUND');
    response.json({ success: true, data: describeWorkspace(row, dependencies) });
  });
  router.patch(`${root}/:id`, gatewayOnly, readJson, async (request, response) => {
    const body = readInput(updateWorkspaceBody[platform], request.body);
    const row = await updateWorkspace(dependencies, placeOf(request), body);
    response.json({ success: true, data: describeWorkspace(row, dependencies) });
  });
  router.delete(`${root}/:id`, gatewayOnly, async (request, response) => {
    await removeWorkspace(dependencies, placeOf(request));
    response.json({ success: true, data: { message: 'The workspace is deleted, with its logins and its secrets.' } });
  });
  if (platform === 'meet') {
    router.post(`${root}/:id/verify`, gatewayOnly, readJson, async (request, response) => {
      const body = readInput(verifyBody, request.body ?? {});
      const verification = await dependencies.verify(placeOf(request), body.credential_id ?? null);
      response.json({ success: true, data: verification });
    });
  }
  return router;
}
