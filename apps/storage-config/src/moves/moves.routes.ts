import { internalRoutes, storageMoveRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import { findCurrent } from '../configurations/configurations.store.ts';
import { progressOf, requestMoves } from './moves.store.ts';

/** Operators move the recordings of a team between its buckets and the deployment's store. */
export function addMoveRoutes(app: Express, service: Service, { database }: { readonly database: Database }): void {
  const gatewayOnly = service.auth.require(['api-gateway']);
  app.post(internalRoutes.storageMoves, gatewayOnly, jsonBody({ limitBytes: 10_000 }), async (request, response) => {
    const body = storageMoveRequest.safeParse(request.body);
    if (!body.success) throw fail('VALIDATION', { details: body.error.message });
    const { teamId, to } = body.data;
    addToLog(request, { teamId, to });
    if (to !== null) {
      const current = to === 'team' ? await findCurrent(database, teamId) : null;
      if (to === 'team' && current === null) throw fail('STORAGE_CONFIG_NOT_FOUND');
      const targetConfigId = current?.storage_config_id ?? null;
      await requestMoves(database, { teamId, targetConfigId, at: new Date(service.clock.now()) });
    }
    response.json(await progressOf(database, teamId));
  });
}
