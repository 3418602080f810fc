import { Router } from 'express';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import {
  addToLog,
  idOf,
  jsonBody,
  readInput,
  teamOf,
  pageOf,
  queryInteger,
  readPlace,
} from '@rapporteur/service-runtime';
import type { InternalAuth, Page, PageCursor } from '@rapporteur/service-runtime';
import { isStorableText } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { z } from 'zod';
import type { CredentialRow } from '../schema/entities.ts';
import type { CredentialPlace } from './credential-secrets.ts';
import { createCredentialBody, describeCredential, updateCredentialBody } from './credential-shape.ts';
import { findCredential } from './credentials.store.ts';
import { createCredential, deleteCredential, updateCredential } from './keep-credentials.ts';
import type { KeepDependencies } from './keep-credentials.ts';

const root = '/internal/v2/zoom-credentials';
const bodyLimitBytes = 64 * 1_024;

/** Stored credentials as the public API shows them. */
export function credentialRoutes(auth: InternalAuth, dependencies: KeepDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes: bodyLimitBytes });
  router.post(root, gatewayOnly, readJson, async (request, response) => {
    const row = await createCredential(dependencies, teamOf(request), readInput(createCredentialBody, request.body));
    addToLog(request, { teamId: row.team_id, credentialId: row.credential_id, type: row.credential_type });
    response.status(201).json({ success: true, data: describeCredential(row) });
  });
  router.get(root, gatewayOnly, async (request, response) => {
    const page = await listCredentials(dependencies.database, teamOf(request), request.query);
    const { rows, cursor, prevCursor } = page;
    response.json({ success: true, data: rows.map(describeCredential), cursor, prev_cursor: prevCursor });
  });
  router.get(`${root}/:id`, gatewayOnly, async (request, response) => {
    const row = await findCredential(dependencies.database, placeOf(request));
    if (row === null) throw fail('CREDENTIAL_NOT_FOUND');
    response.json({ success: true, data: describeCredential(row) });
  });
  router.patch(`${root}/:id`, gatewayOnly, readJson, async (request, response) => {
    const row = await updateCredential(dependencies, placeOf(request), readInput(updateCredentialBody, request.body));
    response.json({ success: true, data: describeCredential(row) });
  });
  router.delete(`${root}/:id`, gatewayOnly, async (request, response) => {
    await deleteCredential(dependencies, placeOf(request));
    response.json({ success: true, data: { message: 'The credential is deleted, and its secrets with it.' } });
  });
  return router;
}

/** An id that is not a UUID matches no credential. */
function placeOf(request: Request): CredentialPlace {
  const place = { teamId: teamOf(request), credentialId: idOf(request, 'id', 'CREDENTIAL_NOT_FOUND') };
  addToLog(request, place);
  return place;
}

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
async function listCredentials(executor: Executor, teamId: string, query: unknown): Promise<Page<CredentialRow>> {
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
