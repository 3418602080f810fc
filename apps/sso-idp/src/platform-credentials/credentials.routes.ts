import type { Router } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, pageOf, readPlace, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth, Page, PageCursor, QueryOf } from '@rapporteur/service-runtime';
import type { Executor } from '@rapporteur/database';
import type { CredentialRow } from '../schema/entities.ts';
import { describeCredential } from './credential-shape.ts';
import { findCredential } from './credentials.store.ts';
import { createCredential, deleteCredential, updateCredential } from './keep-credentials.ts';
import type { KeepDependencies } from './keep-credentials.ts';

/** Stored credentials as the public API shows them. */
export function credentialRoutes(auth: InternalAuth, dependencies: KeepDependencies): Router {
  const placeOf = (teamId: string, { credential_id: credentialId }: { readonly credential_id: string }) => ({
    teamId,
    credentialId,
  });
  return servePublic(auth, {
    createZoomCredential: async ({ teamId, body, request }) => {
      const row = await createCredential(dependencies, teamId, body);
      addToLog(request, { credentialId: row.credential_id, type: row.credential_type });
      return { data: describeCredential(row) };
    },
    listZoomCredentials: async ({ teamId, query }) => {
      const { rows, cursor, prevCursor } = await listCredentials(dependencies.database, teamId, query);
      return { data: rows.map(describeCredential), cursor, prev_cursor: prevCursor };
    },
    getZoomCredential: async ({ teamId, params }) => {
      const row = await findCredential(dependencies.database, placeOf(teamId, params));
      if (row === null) throw fail('CREDENTIAL_NOT_FOUND');
      return { data: describeCredential(row) };
    },
    updateZoomCredential: async ({ teamId, params, body }) => ({
      data: describeCredential(await updateCredential(dependencies, placeOf(teamId, params), body)),
    }),
    deleteZoomCredential: async ({ teamId, params }) => {
      await deleteCredential(dependencies, placeOf(teamId, params));
      return { data: { message: 'The credential is deleted, and its secrets with it.' } };
    },
  });
}

/**
 * A client that requests no pages reads no cursor either, so it gets all; only a team with more than this has to page.
 */
const allAtOnce = 10_000;

type ListQuery = QueryOf<'listZoomCredentials'>;

type ListedRow = CredentialRow & { readonly created_key: string };

/**
 * A team's credentials, newest first: all of them, or a page when a limit is given. Throws VALIDATION for a cursor of
 * another list.
 */
async function listCredentials(executor: Executor, teamId: string, filters: ListQuery): Promise<Page<CredentialRow>> {
  const { limit = allAtOnce } = filters;
  const at = filters.cursor === undefined ? null : readPlace(filters.cursor);
  const { where, parameters } = conditions(teamId, filters, at);
  const order = at?.backward === true ? 'created_at, credential_id' : 'created_at desc, credential_id desc';
  const found = await executor.query<ListedRow>(
    `select *, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_key
     from platform_credentials where ${where.join(' and ')} order by ${order} limit ${limit + 1}`,
    parameters,
  );
  const placeOf = (row: ListedRow) => ({ at: row.created_key, id: row.credential_id });
  return pageOf(found, { limit, from: at, placeOf });
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
