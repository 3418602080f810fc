import { internalRoutes, spilledObjectsRequest } from '@rapporteur/contracts';
import type { SpilledObjects } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import { oldestSpilled } from './spilled-objects.store.ts';

/** Objects held for a team's bucket, for operators. */
export function addSpilledObjectRoutes(app: Express, service: Service, { database }: { database: Database }): void {
  const gatewayOnly = service.auth.require(['api-gateway']);
  app.post(internalRoutes.spilledObjects, gatewayOnly, jsonBody({ limitBytes: 10_000 }), async (request, response) => {
    const body = spilledObjectsRequest.safeParse(request.body);
    if (!body.success) throw fail('VALIDATION', { details: body.error.message });
    const rows = await oldestSpilled(database, body.data.limit);
    const reply: SpilledObjects = {
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
    response.json(reply);
  });
}
