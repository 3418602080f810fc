import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Permission, User } from '@rapporteur/service-runtime';
import { createApiKey } from './api-key.ts';

/** The authenticated caller: an API key, or a user of the console. */
export interface KnownKey {
  /** The user's own id where there is one: limits per key are per user. */
  readonly keyId: string;
  /** Null for a key. */
  readonly user: User | null;
  readonly teamId: string;
  readonly permission: Permission;
  readonly expiresAtMs: number | null;
  readonly revoked: boolean;
  /** The effective limit of the team when the key was read. */
  readonly requestsPerSecond: number;
}

/** The identity of a console user in a team. Null when the team does not exist. */
export async function findUserAccess(database: Executor, teamId: string, user: User): Promise<KnownKey | null> {
  const [row] = await database.query<{ requests_per_second: number }>(
    `select coalesce(t.requests_per_second, p.requests_per_second) as requests_per_second
       from teams t join plans p on p.name = t.plan where t.team_id = $1`,
    [teamId],
  );
  if (row === undefined) return null;
  const { requests_per_second: requestsPerSecond } = row;
  return { keyId: user.id, user, teamId, permission: 'full', expiresAtMs: null, revoked: false, requestsPerSecond };
}

/** A key in the admin API. */
export interface KeyRecord {
  readonly key_id: string;
  readonly team_id: string;
  readonly name: string;
  readonly permission: Permission;
  readonly start: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

export interface NewKey {
  readonly teamId: string;
  readonly name: string;
  readonly permission: Permission;
  readonly expiresAt: Date | null;
}

const recordColumns = `key_id, team_id, name, permission, key_start as start, created_at, expires_at, revoked_at, last_used_at`;
const listLimit = 1_000;

/** One query: the key, whether it is valid, and the limit of its team's plan. Null for an unknown key. */
export async function findKey(database: Executor, keyHash: Buffer): Promise<KnownKey | null> {
  const [row] = await database.query<{
    key_id: string;
    team_id: string;
    permission: Permission;
    expires_at: Date | null;
    revoked: boolean;
    requests_per_second: number;
  }>(
    `select k.key_id, k.team_id, k.permission, k.expires_at, k.revoked_at is not null as revoked,
            coalesce(t.requests_per_second, p.requests_per_second) as requests_per_second
       from api_keys k join teams t using (team_id) join plans p on p.name = t.plan
      where k.key_hash = $1`,
    [keyHash],
  );
  if (row === undefined) return null;
  return {
    keyId: row.key_id,
    user: null,
    teamId: row.team_id,
    permission: row.permission,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    revoked: row.revoked,
    requestsPerSecond: row.requests_per_second,
  };
}

/** Creates a key for a team. `text` is the whole key, returned only here. Throws TEAM_NOT_FOUND. */
export async function addKey(executor: Executor, key: NewKey): Promise<{ record: KeyRecord; text: string }> {
  const fresh = createApiKey();
  const [record] = await executor.query<KeyRecord>(
    `insert into api_keys (team_id, name, permission, expires_at, key_hash, key_start)
     select team_id, $2, $3, $4, $5, $6 from teams where team_id = $1
     returning ${recordColumns}`,
    [key.teamId, key.name, key.permission, key.expiresAt, fresh.hash, fresh.start],
  );
  if (record === undefined) throw fail('TEAM_NOT_FOUND');
  return { record, text: fresh.text };
}

/** Newest first, of one team or of all teams. */
export function listKeys(database: Executor, teamId: string | null): Promise<KeyRecord[]> {
  return database.query<KeyRecord>(
    `select ${recordColumns} from api_keys where $1::uuid is null or team_id = $1
      order by created_at desc, key_id limit ${listLimit}`,
    [teamId],
  );
}

export interface KeyChange {
  readonly name?: string;
  readonly permission?: Permission;
  /** Null: never. */
  readonly expires_at?: string | null;
}

/** Absent members keep their value. A revoked key stays revoked. Throws API_KEY_NOT_FOUND. */
export async function changeKey(database: Database, keyId: string, change: KeyChange): Promise<KeyRecord> {
  const [record] = await database.query<KeyRecord>(
    `update api_keys set name = coalesce($2, name), permission = coalesce($3, permission),
            expires_at = case when $4 then $5::timestamptz else expires_at end
      where key_id = $1 returning ${recordColumns}`,
    [keyId, change.name ?? null, change.permission ?? null, change.expires_at !== undefined, change.expires_at ?? null],
  );
  if (record === undefined) throw fail('API_KEY_NOT_FOUND');
  return record;
}

/** Keys of a team that are neither revoked nor expired. */
export async function countGoodKeys(database: Executor, teamId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from api_keys
      where team_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [teamId],
  );
  return row?.count ?? 0;
}

/** Revokes a key, of one team or of any. Idempotent. Throws API_KEY_NOT_FOUND. */
export async function revokeKey(database: Executor, keyId: string, teamId: string | null): Promise<KeyRecord> {
  const [record] = await database.query<KeyRecord>(
    `update api_keys set revoked_at = coalesce(revoked_at, now())
      where key_id = $1 and ($2::uuid is null or team_id = $2) returning ${recordColumns}`,
    [keyId, teamId],
  );
  if (record === undefined) throw fail('API_KEY_NOT_FOUND');
  return record;
}

/** Writes the last use of keys in one statement; a time never decreases. */
export async function markUsed(database: Database, usedAtMs: ReadonlyMap<string, number>): Promise<void> {
  if (usedAtMs.size === 0) return;
  await database.query(
    `update api_keys k set last_used_at = greatest(k.last_used_at, to_timestamp(used.at_ms / 1000.0))
       from unnest($1::uuid[], $2::float8[]) as used (key_id, at_ms) where k.key_id = used.key_id`,
    [[...usedAtMs.keys()], [...usedAtMs.values()]],
  );
}
