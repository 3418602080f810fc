import { isStorableText } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { pageOf, queryInteger, readInput, readPlace } from '@rapporteur/service-runtime';
import type { Page, PageCursor } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { CredentialRow } from '../schema/entities.ts';

const text = z.string().min(1).max(4_096).refine(isStorableText, 'holds a character that is never stored').optional();
/**
 * A client that requests no pages reads no cursor either, so it gets all; only a team with more than this has to page.
 */
const allAtOnce = 10_000;

const listQuery = z.object({
  limit: queryInteger(1, 250).default(allAtOnce),
  cursor: text,
  name: text,
  zoom_email: text,
  zoom_display_name: text,
  zoom_user_id: text,
  credential_type: text,
  state: text,
  extra: text,
});
type ListQuery = z.infer<typeof listQuery>;

type ListedRow = CredentialRow & { readonly created_key: string };

/**
 * A team's credentials, newest first: all of them, or a page when a limit is given. Throws VALIDATION that names the
 * field.
 */
export async function listCredentials(
  executor: Executor,
  teamId: string,
  query: unknown,
): Promise<Page<CredentialRow>> {
  const filters = readInput(listQuery, query);
  const at = filters.cursor === undefined ? null : readPlace(filters.cursor);
  const { where, parameters } = conditions(teamId, filters, at);
  const order = at?.backward === true ? 'created_at, credential_id' : 'created_at desc, credential_id desc';
  const found = await executor.query<ListedRow>(
    `select *, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_key
     from platform_credentials where ${where.join(' and ')} order by ${order} limit ${filters.limit + 1}`,
    parameters,
  );
  const placeOf = (row: ListedRow) => ({ at: row.created_key, id: row.credential_id });
  return pageOf(found, { limit: filters.limit, from: at, placeOf });
}

function conditions(teamId: string, query: ListQuery, at: PageCursor | null) {
  const where = ['team_id = $1', 'deleted_at is null'];
  const parameters: unknown[] = [teamId];
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    if (value === undefined) return;
    parameters.push(value);
    where.push(condition(`$${parameters.length}`));
  };
  for (const column of ['name', 'zoom_email', 'zoom_display_name'] as const) {
    add(contains(query[column]), (pattern) => `${column} ilike ${pattern}`);
  }
  add(query.zoom_user_id, (value) => `zoom_user_id = ${value}`);
  add(query.credential_type?.split(','), (value) => `credential_type = any(${value}::text[])`);
  add(query.state?.split(','), (value) => `state = any(${value}::text[])`);
  for (const pair of query.extra?.split(',') ?? []) {
    const colon = pair.indexOf(':');
    parameters.push(pair.slice(0, colon), pair.slice(colon + 1));
    where.push(`extra->>$${parameters.length - 1}::text = $${parameters.length}::text`);
  }
  if (at !== null) {
    parameters.push(at.at, at.id);
    const place = `($${parameters.length - 1}::timestamptz, $${parameters.length}::uuid)`;
    where.push(`(created_at, credential_id) ${at.backward ? '>' : '<'} ${place}`);
  }
  return { where, parameters };
}

/** A pattern for "contains this text", with its special characters escaped. */
function contains(part: string | undefined): string | undefined {
  return part === undefined ? undefined : `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
