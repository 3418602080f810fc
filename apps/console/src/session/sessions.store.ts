import { createHash } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import type { TeamAccess } from '../oidc/team-access.ts';
import type { SessionRow } from './entities.ts';

export function hashOf(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

export interface NewUser {
  readonly issuer: string;
  readonly subject: string;
  readonly providerSession: string | null;
  readonly signInHash: Buffer;
  readonly name: string;
  readonly tokens: Buffer;
  readonly access: readonly TeamAccess[];
  readonly teamId: string;
}

interface NewSession {
  readonly hash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
}

export async function insertKeySession(executor: Executor, session: NewSession, apiKey: Buffer): Promise<void> {
  await executor.query('insert into sessions (session_hash, created_at, expires_at, api_key) values ($1, $2, $3, $4)', [
    session.hash,
    session.now,
    session.expiresAt,
    apiKey,
  ]);
}

/** Violates sessions_sign_in_hash_key for a sign-in that has created a session already. */
export async function insertUserSession(executor: Executor, session: NewSession, user: NewUser): Promise<void> {
  await executor.query(
    `insert into sessions (session_hash, created_at, expires_at, issuer, subject, provider_session, sign_in_hash,
       user_name, tokens, access, team_id, confirmed_at, tried_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $2, $2)`,
    [
      session.hash,
      session.now,
      session.expiresAt,
      user.issuer,
      user.subject,
      user.providerSession,
      user.signInHash,
      user.name,
      user.tokens,
      JSON.stringify(user.access),
      user.teamId,
    ],
  );
}

export async function findSession(executor: Executor, hash: Buffer, now: Date): Promise<SessionRow | null> {
  const [row] = await executor.query<SessionRow>('select * from sessions where session_hash = $1 and expires_at > $2', [
    hash,
    now,
  ]);
  return row ?? null;
}

/** Whether this caller is to confirm the session: of all that read this row, on any replica, one is. */
export async function claimSession(executor: Executor, row: SessionRow, now: Date): Promise<boolean> {
  const claimed = await executor.query(
    'update sessions set tried_at = $2 where session_hash = $1 and tried_at = $3 and tokens = $4 returning 1',
    [row.session_hash, now, row.tried_at, row.tokens],
  );
  return claimed.length > 0;
}

/** Replaces the provider's tokens, unless another confirmation did. */
export async function storeTokens(
  executor: Executor,
  hash: Buffer,
  { from, to }: { readonly from: Buffer | null; readonly to: Buffer },
): Promise<void> {
  await executor.query('update sessions set tokens = $3 where session_hash = $1 and tokens = $2', [hash, from, to]);
}

export interface Confirmation {
  readonly at: Date;
  /** Those that were confirmed: nothing changes when others are stored by now. */
  readonly tokens: Buffer | null;
  readonly access: readonly TeamAccess[];
}

/** The confirmed row; the selected team stays where it is still the user's. Null when the session ended meanwhile. */
export async function confirmSession(executor: Executor, hash: Buffer, seen: Confirmation): Promise<SessionRow | null> {
  const teams = seen.access.map(({ team_id: id }) => id);
  await executor.query(
    `update sessions set access = $4, confirmed_at = $3, tried_at = $3,
       team_id = case when team_id = any($5::uuid[]) then team_id else ($5::uuid[])[1] end
     where session_hash = $1 and tokens = $2`,
    [hash, seen.tokens, seen.at, JSON.stringify(seen.access), teams],
  );
  return findSession(executor, hash, seen.at);
}

export async function noteTry(executor: Executor, hash: Buffer, now: Date): Promise<void> {
  await executor.query('update sessions set tried_at = $2 where session_hash = $1', [hash, now]);
}

export async function setTeam(executor: Executor, hash: Buffer, teamId: string): Promise<void> {
  await executor.query('update sessions set team_id = $2 where session_hash = $1', [hash, teamId]);
}

export async function deleteSession(executor: Executor, hash: Buffer): Promise<SessionRow | null> {
  const [row] = await executor.query<SessionRow>('delete from sessions where session_hash = $1 returning *', [hash]);
  return row ?? null;
}

/** Deletes every session of a user with the provider, or those of one of its sessions. @returns their number */
export async function deleteSessionsOf(
  executor: Executor,
  { issuer, subject, providerSession }: { issuer: string; subject: string | null; providerSession: string | null },
): Promise<number> {
  const rows = await executor.query(
    `delete from sessions where issuer = $1 and ($2::text is null or subject = $2)
       and ($3::text is null or provider_session = $3) and ($2::text is not null or $3::text is not null)
     returning 1`,
    [issuer, subject, providerSession],
  );
  return rows.length;
}

const rowsAtOnce = 5_000;

/** Deletes a batch of expired sessions. @returns their number */
export async function deleteExpired(executor: Executor, now: Date): Promise<number> {
  const rows = await executor.query(
    `delete from sessions where session_hash in
       (select session_hash from sessions where expires_at <= $1 limit ${rowsAtOnce}) returning 1`,
    [now],
  );
  return rows.length;
}
