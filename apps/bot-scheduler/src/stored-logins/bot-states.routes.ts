import { Router } from 'express';
import { botStates, botStatesRequest, internalRoutes } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** Reports which bots still need the logins that sso-idp reserved for them. */
export function botStatesRoutes(auth: InternalAuth, { database }: { readonly database: Executor }): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes: 65_536 });
  router.post(internalRoutes.botStates, auth.require(['sso-idp']), readJson, async (request, response) => {
    const { botIds } = readInput(botStatesRequest, request.body);
    const rows = await database.query<{ id: string; ended: boolean }>(
      'select id, ended_at is not null as ended from bots where id = any($1::uuid[])',
      [botIds],
    );
    const idsOf = (ended: boolean) => rows.filter((row) => row.ended === ended).map(({ id }) => id);
    response.json(botStates.parse({ active: idsOf(false), ended: idsOf(true) }));
  });
  return router;
}
