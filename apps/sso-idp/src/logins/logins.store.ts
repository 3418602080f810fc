import { insertRow, updateRows } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { LoginPlatform } from '@rapporteur/contracts';
import { logins } from '../schema/login-entities.ts';
import type { LoginRow } from '../schema/login-entities.ts';
import { extraConditions } from './workspaces.store.ts';
import type { ListedLogin } from './login-shape.ts';

export interface LoginPlace {
  readonly teamId: string;
  readonly platform: LoginPlatform;
  readonly credentialId: string;
}

export type NewLogin = Omit<
  LoginRow,
  'state' | 'failure_data' | 'last_error_message' | 'last_error_at' | 'last_used_at' | 'updated_at'
>;
export type LoginChange = Partial<
  Pick<LoginRow, 'name' | 'email_group' | 'password' | 'extra' | 'updated_at' | 'state'>
> &
  Partial<Pick<LoginRow, 'failure_data' | 'last_error_message' | 'last_error_at'>>;

/** Throws PostgreSQL's unique violation when the team has the email. */
export function insertLogin(executor: Executor, row: NewLogin): Promise<LoginRow> {
  return insertRow(executor, logins, { ...row, state: 'active', updated_at: row.created_at });
}

const withSessions = `select logins.*,
  (select count(*)::int from login_sessions where login_sessions.credential_id = logins.credential_id) as sessions
  from logins`;

export async function findLogin(executor: Executor, place: LoginPlace): Promise<ListedLogin | null> {
  const { teamId, platform, credentialId } = place;
  const [row] = await executor.query<ListedLogin>(
    `${withSessions} where credential_id = $1 and team_id = $2 and platform = $3`,
    [credentialId, teamId, platform],
  );
  return row ?? null;
}

/** A team's logins, newest first. */
export async function listLogins(
  executor: Executor,
  { teamId, platform }: Omit<LoginPlace, 'credentialId'>,
  extra: string | undefined,
): Promise<ListedLogin[]> {
  const { where, parameters } = extraConditions(extra, ['team_id = $1', 'platform = $2'], [teamId, platform]);
  return await executor.query<ListedLogin>(
    `${withSessions} where ${where} order by created_at desc, credential_id desc`,
    parameters,
  );
}

/** False: it does not exist any more. */
export async function changeLogin(
  executor: Executor,
  { teamId, platform, credentialId }: LoginPlace,
  columns: LoginChange,
): Promise<boolean> {
  const where = { credential_id: credentialId, team_id: teamId, platform };
  return (await updateRows(executor, logins, { where, columns })).length > 0;
}

/** Throws PostgreSQL's foreign key violation while a bot uses it. False: it does not exist. */
export async function deleteLogin(executor: Executor, place: LoginPlace): Promise<boolean> {
  const { teamId, platform, credentialId } = place;
  const rows = await executor.query(
    'delete from logins where credential_id = $1 and team_id = $2 and platform = $3 returning 1',
    [credentialId, teamId, platform],
  );
  return rows.length > 0;
}

export interface GroupUtilization {
  readonly email_group: string | null;
  readonly logins: number;
  readonly active: number;
  readonly concurrent: number;
}

/** Counts per email group; a login is active when its workspace is too. */
export async function readUtilization(
  executor: Executor,
  { teamId, platform }: Omit<LoginPlace, 'credentialId'>,
): Promise<GroupUtilization[]> {
  return await executor.query<GroupUtilization>(
    `select email_group, count(*)::int as logins, coalesce(sum(sessions), 0)::int as concurrent,
       (count(*) filter (where listed.state = 'active' and workspace.state = 'active'))::int as active
     from (${withSessions}) as listed join login_workspaces workspace using (workspace_id)
     where listed.team_id = $1 and listed.platform = $2
     group by email_group order by email_group nulls last`,
    [teamId, platform],
  );
}
