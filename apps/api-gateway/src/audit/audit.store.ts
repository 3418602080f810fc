import type { Executor } from '@rapporteur/database';
import { pageOf, readPlace } from '@rapporteur/service-runtime';
import type { Page } from '@rapporteur/service-runtime';

export interface AuditEntry {
  readonly entryId: string;
  readonly teamId: string;
  readonly at: Date;
  /** Null: a user, or an operator through the admin API. */
  readonly keyId: string | null;
  /** Name of the user who was signed in to the console; null for a key and an operator. */
  readonly user: string | null;
  readonly userId: string | null;
  /** Id of the operation, or method and route of the admin API. */
  readonly action: string;
  /** Path parameters of the request. */
  readonly target: Readonly<Record<string, string>>;
  readonly status: number;
  readonly requestId: string;
}

/** An entry in the shape of the public API. */
export interface ListedEntry {
  readonly entry_id: string;
  readonly at: string;
  readonly key_id: string | null;
  readonly user: string | null;
  readonly user_id: string | null;
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly status: number;
  readonly request_id: string;
}

export async function insertEntries(executor: Executor, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map(({ entryId, teamId, at, keyId, user, userId, action, target, status, requestId }) => ({
    entry_id: entryId,
    team_id: teamId,
    at,
    key_id: keyId,
    user_name: user,
    user_id: userId,
    action,
    target,
    status,
    request_id: requestId,
  }));
  await executor.query(
    `insert into audit_log (entry_id, team_id, at, key_id, user_name, user_id, action, target, status, request_id)
     select * from jsonb_to_recordset($1::jsonb) as entry(entry_id uuid, team_id uuid, at timestamptz, key_id uuid,
       user_name text, user_id uuid, action text, target jsonb, status integer, request_id text)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
}

/** Filters; an entry must match all that are set. */
export interface AuditFilters {
  readonly action?: string;
  readonly keyId?: string;
  /** Id of a user, or a substring of the name. */
  readonly user?: string;
  readonly after?: Date;
  readonly before?: Date;
}

interface ListedPart {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filters?: AuditFilters;
}

/** One page of a team's entries, newest first. Throws VALIDATION for a cursor that this list did not issue. */
export async function listEntries(
  executor: Executor,
  teamId: string,
  { limit, cursor, filters = {} }: ListedPart,
): Promise<Page<ListedEntry>> {
  const from = cursor === undefined ? null : readPlace(cursor);
  const backward = from?.backward === true;
  const found = await executor.query<ListedEntry>(
    `select entry_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, key_id, user_name as "user", user_id, action, target,
       status, request_id
     from audit_log
     where team_id = $1 and ($2::timestamptz is null or (at, entry_id) ${backward ? '>' : '<'} ($2, $3::uuid))
       and ($4::text is null or action = $4) and ($5::uuid is null or key_id = $5)
       and ($6::text is null or strpos(lower(user_name), lower($6)) > 0 or user_id::text = lower($6))
       and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8)
     order by ${backward ? 'at, entry_id' : 'at desc, entry_id desc'} limit ${limit + 1}`,
    [
      teamId,
      from?.at ?? null,
      from?.id ?? null,
      filters.action ?? null,
      filters.keyId ?? null,
      filters.user ?? null,
      filters.after ?? null,
      filters.before ?? null,
    ],
  );
  return pageOf(found, { limit, from, placeOf: ({ at, entry_id }) => ({ at, id: entry_id }) });
}

const rowsAtOnce = 5_000;

/** Deletes a batch of entries from before this time and returns how many. */
export async function removeEntries(executor: Executor, before: Date): Promise<number> {
  const removed = await executor.query(
    `delete from audit_log where entry_id in (select entry_id from audit_log where at < $1 limit ${rowsAtOnce})
     returning entry_id`,
    [before],
  );
  return removed.length;
}
