import type { RequestHandler } from 'express';
import type { Executor } from '@rapporteur/database';
import { parseDateTime } from '@rapporteur/service-runtime';
import { acceptedOf } from '../contract/validator.ts';
import { keyOf } from '../keys/authentication.ts';
import { listEntries } from './audit.store.ts';
import type { AuditFilters } from './audit.store.ts';

interface Query {
  readonly limit?: number;
  readonly cursor?: string;
  readonly action?: string;
  readonly key_id?: string;
  readonly user?: string;
  readonly after?: string;
  readonly before?: string;
}

/** The handler of `GET /v2/audit-log`. */
export function listAuditLog(database: Executor): RequestHandler {
  return async (request, response) => {
    const query = acceptedOf(request).query as Query;
    const { limit, cursor } = query;
    const page = await listEntries(database, keyOf(request).teamId, {
      limit: Number(limit ?? 50),
      cursor,
      filters: filtersOf(query),
    });
    response.json({ success: true, data: page.rows, cursor: page.cursor, prev_cursor: page.prevCursor });
  };
}

function filtersOf({ action, key_id: keyId, user, after, before }: Query): AuditFilters {
  const time = (text: string): Date => new Date(parseDateTime(text) ?? text);
  return {
    ...(action === undefined ? {} : { action }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(user === undefined ? {} : { user }),
    ...(after === undefined ? {} : { after: time(after) }),
    ...(before === undefined ? {} : { before: time(before) }),
  };
}
