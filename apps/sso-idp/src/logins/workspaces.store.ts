import { insertRow, updateRows } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { LoginPlatform } from '@rapporteur/contracts';
import { workspaces } from '../schema/login-entities.ts';
import type { WorkspaceRow } from '../schema/login-entities.ts';

export interface WorkspacePlace {
  readonly teamId: string;
  readonly platform: LoginPlatform;
  readonly workspaceId: string;
}

export type NewWorkspace = Omit<
  WorkspaceRow,
  'state' | 'failure_data' | 'last_error_message' | 'last_error_at' | 'verification' | 'updated_at'
>;
export type WorkspaceChange = Partial<
  Omit<WorkspaceRow, 'workspace_id' | 'team_id' | 'platform' | 'domain' | 'created_at'>
>;

/** Columns that clear a failure. */
export const cleared = { state: 'active', failure_data: null, last_error_message: null, last_error_at: null } as const;

/** Whether the team has a workspace for the domain. */
export async function hasDomain(
  executor: Executor,
  { teamId, platform, domain }: Omit<WorkspacePlace, 'workspaceId'> & { readonly domain: string },
): Promise<boolean> {
  const rows = await executor.query(
    'select 1 from login_workspaces where team_id = $1 and platform = $2 and domain = $3',
    [teamId, platform, domain],
  );
  return rows.length > 0;
}

/** Throws PostgreSQL's unique violation when the team has a workspace for the domain. */
export function insertWorkspace(executor: Executor, row: NewWorkspace): Promise<WorkspaceRow> {
  return insertRow(executor, workspaces, { ...row, state: 'active', updated_at: row.created_at });
}

export async function findWorkspace(executor: Executor, place: WorkspacePlace): Promise<WorkspaceRow | null> {
  return await findOne(executor, place, '');
}

/** Like `findWorkspace`, and locks the row against writes until the transaction ends. */
export async function lockWorkspace(transaction: Executor, place: WorkspacePlace): Promise<WorkspaceRow | null> {
  return await findOne(transaction, place, 'for no key update');
}

async function findOne(executor: Executor, place: WorkspacePlace, lock: string): Promise<WorkspaceRow | null> {
  const { teamId, platform, workspaceId } = place;
  const [row] = await executor.query<WorkspaceRow>(
    `select * from login_workspaces where workspace_id = $1 and team_id = $2 and platform = $3 ${lock}`,
    [workspaceId, teamId, platform],
  );
  return row ?? null;
}

/** Finds a workspace of any team: for internal work, never for a request of a customer. */
export async function findAnyWorkspace(executor: Executor, workspaceId: string): Promise<WorkspaceRow | null> {
  const [row] = await executor.query<WorkspaceRow>('select * from login_workspaces where workspace_id = $1', [
    workspaceId,
  ]);
  return row ?? null;
}

/** A team's workspaces, newest first. */
export async function listWorkspaces(
  executor: Executor,
  { teamId, platform }: Omit<WorkspacePlace, 'workspaceId'>,
  extra: string | undefined,
): Promise<WorkspaceRow[]> {
  const { where, parameters } = extraConditions(extra, ['team_id = $1', 'platform = $2'], [teamId, platform]);
  return await executor.query<WorkspaceRow>(
    `select * from login_workspaces where ${where} order by created_at desc, workspace_id desc`,
    parameters,
  );
}

/** Null when it does not exist any more. */
export async function changeWorkspace(
  executor: Executor,
  { teamId, platform, workspaceId }: WorkspacePlace,
  columns: WorkspaceChange,
): Promise<WorkspaceRow | null> {
  const where = { workspace_id: workspaceId, team_id: teamId, platform };
  const [row] = await updateRows(executor, workspaces, { where, columns });
  return row ?? null;
}

/** Its logins are deleted with it. False: it does not exist. */
export async function deleteWorkspace(transaction: Executor, place: WorkspacePlace): Promise<boolean> {
  const { teamId, platform, workspaceId } = place;
  const rows = await transaction.query(
    'delete from login_workspaces where workspace_id = $1 and team_id = $2 and platform = $3 returning 1',
    [workspaceId, teamId, platform],
  );
  return rows.length > 0;
}

/**
 * Adds the filters of a list's query parameter `extra` (`field:value`, joined by commas) to conditions and their
 * parameters.
 */
export function extraConditions(
  extra: string | undefined,
  conditions: readonly string[],
  values: readonly unknown[],
): { readonly where: string; readonly parameters: readonly unknown[] } {
  const where = [...conditions];
  const parameters = [...values];
  for (const pair of extra?.split(',') ?? []) {
    const colon = pair.indexOf(':');
    parameters.push(pair.slice(0, colon), pair.slice(colon + 1));
    where.push(`extra->>$${parameters.length - 1}::text = $${parameters.length}::text`);
  }
  return { where: where.join(' and '), parameters };
}
