import { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import { oldestSpilled } from './spilled-objects.store.ts';

/** Objects held for a team's bucket, for operators. */
export function spilledObjectRoutes(auth: InternalAuth, { database }: { readonly database: Database }): Router {
  return serveCall(auth, internalCalls.storage.spilledObjects, async ({ limit }) => {
    const rows = await oldestSpilled(database, limit);
    return {
      objects: rows.map((row) => ({
        bot_id: row.bot_id,
        team_id: row.team_id,
        storage_config_id: row.storage_config_id,
        key: row.key,
        bytes: Number(row.bytes),
        spilled_at: row.spilled_at.toISOString(),
        attempts: row.attempts,
        next_attempt_at: row.next_attempt_at.toISOString(),
        last_error: row.last_error,
      })),
    };
  });
}
