import type { RequestHandler } from 'express';
import type { Executor } from '@rapporteur/database';
import { acceptedOf } from '../contract/validator.ts';
import { keyOf } from '../keys/authentication.ts';
import { listEntries } from './audit.store.ts';

/** The work of `GET /v2/audit-log`. */
export function listAuditLog(database: Executor): RequestHandler {
  return async (request, response) => {
    const { limit, cursor } = acceptedOf(request).query as { limit?: number; cursor?: string };
    const page = await listEntries(database, keyOf(request).teamId, { limit: Number(limit ?? 50), cursor });
    response.json({ success: true, data: page.rows, cursor: page.cursor, prev_cursor: page.prevCursor });
  };
}
