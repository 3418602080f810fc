import { Router } from 'express';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, idOf, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { CredentialPlace } from './credential-secrets.ts';
import { createCredentialBody, describeCredential, updateCredentialBody } from './credential-shape.ts';
import { findCredential } from './credentials.store.ts';
import { createCredential, deleteCredential, updateCredential } from './keep-credentials.ts';
import type { KeepDependencies } from './keep-credentials.ts';
import { listCredentials } from './list-credentials.ts';

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
