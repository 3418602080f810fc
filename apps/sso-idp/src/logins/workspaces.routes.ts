import type { Request, Router } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { LoginPlatform } from '@rapporteur/contracts';
import type { Verification, WorkspaceRow } from '../schema/login-entities.ts';
import { createWorkspace, removeWorkspace, updateWorkspace } from './manage-workspaces.ts';
import type { WorkspaceDependencies } from './manage-workspaces.ts';
import { describeWorkspace } from './workspace-shape.ts';
import type { CreateWorkspace, SsoAddresses, UpdateWorkspace } from './workspace-shape.ts';
import { findWorkspace, listWorkspaces } from './workspaces.store.ts';
import type { WorkspacePlace } from './workspaces.store.ts';

/** @throws Failure WORKSPACE_NOT_FOUND, LOGIN_NOT_FOUND */
export type VerifyWorkspace = (place: WorkspacePlace, credentialId: string | null) => Promise<Verification>;

export interface WorkspaceRoutesDependencies extends WorkspaceDependencies {
  readonly addresses: SsoAddresses;
  readonly verify: VerifyWorkspace;
}

/** Workspaces as the public API shows them. */
export function workspaceRoutes(auth: InternalAuth, dependencies: WorkspaceRoutesDependencies): Router {
  const [meet, teams] = [handlersOf('meet', dependencies), handlersOf('teams', dependencies)];
  return servePublic(auth, {
    createMeetWorkspace: meet.create,
    listMeetWorkspaces: meet.list,
    getMeetWorkspace: meet.get,
    updateMeetWorkspace: meet.update,
    deleteMeetWorkspace: meet.remove,
    createTeamsWorkspace: teams.create,
    listTeamsWorkspaces: teams.list,
    getTeamsWorkspace: teams.get,
    updateTeamsWorkspace: teams.update,
    deleteTeamsWorkspace: teams.remove,
    verifyMeetWorkspace: async ({ body, ...call }) => {
      const data = await dependencies.verify(meet.placeOf(call), body?.credential_id ?? null);
      return { data };
    },
  });
}

interface Call {
  readonly teamId: string;
  readonly params: { readonly workspace_id: string };
}

function handlersOf(platform: LoginPlatform, dependencies: WorkspaceRoutesDependencies) {
  const { database } = dependencies;
  const describe = (row: WorkspaceRow) => describeWorkspace(row, dependencies);
  const placeOf = ({ teamId, params }: Call) => ({ teamId, platform, workspaceId: params.workspace_id });
  return {
    placeOf,
    create: async ({ teamId, body, request }: Pick<Call, 'teamId'> & { body: CreateWorkspace; request: Request }) => {
      const row = await createWorkspace(dependencies, { teamId, platform }, body);
      addToLog(request, { workspaceId: row.workspace_id });
      return { data: describe(row) };
    },
    list: async ({ teamId, query }: Pick<Call, 'teamId'> & { query: { extra?: string } }) => ({
      data: (await listWorkspaces(database, { teamId, platform }, query.extra)).map(describe),
    }),
    get: async (call: Call) => {
      const row = await findWorkspace(database, placeOf(call));
      if (row === null) throw fail('WORKSPACE_NOT_FOUND');
      return { data: describe(row) };
    },
    update: async (call: Call & { body: UpdateWorkspace }) => ({
      data: describe(await updateWorkspace(dependencies, placeOf(call), call.body)),
    }),
    remove: async (call: Call) => {
      await removeWorkspace(dependencies, placeOf(call));
      return { data: { message: 'The workspace is deleted, with its logins and its secrets.' } };
    },
  };
}
