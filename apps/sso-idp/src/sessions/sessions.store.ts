import type { Executor } from '@rapporteur/database';
import type { LoginRow, LoginSelector, LoginSessionRow } from '../schema/login-entities.ts';

/** Serializes reservations of one team until the transaction ends. */
export async function lockPool(transaction: Executor, teamId: string): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('login pool ' || $1, 0))`, [teamId]);
}

export async function findSession(executor: Executor, botId: string): Promise<LoginSessionRow | null> {
  const [row] = await executor.query<LoginSessionRow>('select * from login_sessions where bot_id = $1', [botId]);
  return row ?? null;
}

export interface PoolQuery {
  readonly teamId: string;
  readonly selector: LoginSelector;
  readonly excluded: readonly string[];
}

export interface PoolCandidate {
  readonly credential_id: string;
  readonly active: boolean;
  readonly sessions: number;
}

/** The logins that a selector matches: usable ones first, the least loaded first among them. */
export async function findCandidates(
  executor: Executor,
  { teamId, selector, excluded }: PoolQuery,
): Promise<PoolCandidate[]> {
  const { platform, credentialId, emailGroup } = selector;
  return await executor.query<PoolCandidate>(
    `select logins.credential_id, logins.state = 'active' and workspace.state = 'active' as active,
       (select count(*)::int from login_sessions where login_sessions.credential_id = logins.credential_id) as sessions
     from logins join login_workspaces workspace using (workspace_id)
     where logins.team_id = $1 and logins.platform = $2 and logins.credential_id <> all($5::uuid[])
       and case when $3::text is not null then $3 = '' or lower(logins.email_group) = lower($3)
           else $4::text is null or logins.credential_id::text = lower($4) end
     order by active desc, sessions, logins.last_used_at nulls first, logins.credential_id`,
    [teamId, platform, emailGroup, credentialId, excluded],
  );
}

export async function insertSession(
  transaction: Executor,
  session: Pick<LoginSessionRow, 'bot_id' | 'team_id' | 'credential_id' | 'selector' | 'reserved_at'>,
): Promise<void> {
  await transaction.query(
    `insert into login_sessions (bot_id, team_id, credential_id, selector, failed_logins, reserved_at)
     values ($1, $2, $3, $4::jsonb, '[]', $5)`,
    [session.bot_id, session.team_id, session.credential_id, JSON.stringify(session.selector), session.reserved_at],
  );
}

/** Moves the bot to another login. */
export async function moveSession(
  transaction: Executor,
  botId: string,
  change: Pick<LoginSessionRow, 'credential_id' | 'failed_logins'>,
): Promise<void> {
  await transaction.query('update login_sessions set credential_id = $2, failed_logins = $3::jsonb where bot_id = $1', [
    botId,
    change.credential_id,
    JSON.stringify(change.failed_logins),
  ]);
}

export async function touchSession(transaction: Executor, botId: string, at: Date): Promise<void> {
  await transaction.query('update login_sessions set reserved_at = $2 where bot_id = $1', [botId, at]);
}

export async function markUsed(transaction: Executor, credentialId: string, at: Date): Promise<void> {
  await transaction.query('update logins set last_used_at = $2 where credential_id = $1', [credentialId, at]);
}

export async function deleteSession(executor: Executor, botId: string): Promise<void> {
  await executor.query('delete from login_sessions where bot_id = $1', [botId]);
}

export async function findLoginOfSession(executor: Executor, botId: string): Promise<LoginRow | null> {
  const [row] = await executor.query<LoginRow>(
    'select logins.* from login_sessions join logins using (credential_id) where bot_id = $1',
    [botId],
  );
  return row ?? null;
}

export async function sessionsAfter(executor: Executor, botId: string | null, limit: number): Promise<string[]> {
  const rows = await executor.query<{ bot_id: string }>(
    'select bot_id from login_sessions where $1::uuid is null or bot_id > $1 order by bot_id limit $2',
    [botId, limit],
  );
  return rows.map(({ bot_id }) => bot_id);
}

/** Ends sessions of bots that have ended, and of missing bots reserved before the given time. @returns their number */
export async function endSessions(
  executor: Executor,
  { ended, missing, reservedBefore }: { ended: readonly string[]; missing: readonly string[]; reservedBefore: Date },
): Promise<number> {
  const rows = await executor.query(
    `delete from login_sessions where bot_id = any($1::uuid[])
       or (bot_id = any($2::uuid[]) and reserved_at < $3) returning 1`,
    [ended, missing, reservedBefore],
  );
  return rows.length;
}
