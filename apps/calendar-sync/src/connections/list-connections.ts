import type { Executor } from '@rapporteur/database';
import { pageOf, queryInteger, readInput, readPlace } from '@rapporteur/service-runtime';
import type { Page } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { ConnectionRow } from '../schema/entities.ts';

const listQuery = z.object({
  limit: queryInteger(1, 250).default(50),
  cursor: z.string().optional(),
  account_email: z.string().optional(),
  calendar_platform: z.string().optional(),
  status: z.string().optional(),
});

type ListedRow = ConnectionRow & { readonly created_key: string };

/** A page of a team's connections, newest first. Throws VALIDATION that names the field. */
export async function listConnections(
  executor: Executor,
  teamId: string,
  query: unknown,
): Promise<Page<ConnectionRow>> {
  const filters = readInput(listQuery, query);
  const from = filters.cursor === undefined ? null : readPlace(filters.cursor);
  const list = (text: string | undefined): string[] | null => text?.split(',') ?? null;
  const found = await executor.query<ListedRow>(
    `select *, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_key from connections
     where team_id = $1 and deleted_at is null
       and ($2::text[] is null or lower(account_email) = any($2)) and ($3::text[] is null or platform = any($3))
       and ($4::text[] is null or status = any($4))
       and ($5::timestamptz is null or
         case when $7 then (created_at, calendar_id) > ($5, $6::uuid) else (created_at, calendar_id) < ($5, $6::uuid) end)
     order by case when $7 then created_at end, case when $7 then calendar_id end, created_at desc, calendar_id desc
     limit $8`,
    [
      teamId,
      list(filters.account_email?.toLowerCase()),
      list(filters.calendar_platform),
      list(filters.status),
      from?.at ?? null,
      from?.id ?? null,
      from?.backward ?? false,
      filters.limit + 1,
    ],
  );
  return pageOf(found, {
    limit: filters.limit,
    from,
    placeOf: (row) => ({ at: row.created_key, id: row.calendar_id }),
  });
}
