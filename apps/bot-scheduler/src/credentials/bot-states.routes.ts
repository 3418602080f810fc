import type { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** Reports which bots still need the logins that sso-idp reserved for them. */
export function botStatesRoutes(auth: InternalAuth, { database }: { readonly database: Executor }): Router {
  return serveCall(auth, internalCalls.bots.states, async ({ botIds }) => {
    const rows = await database.query<{ id: string; ended: boolean }>(
      'select id, ended_at is not null as ended from bots where id = any($1::uuid[])',
      [botIds],
    );
    const idsOf = (ended: boolean) => rows.filter((row) => row.ended === ended).map(({ id }) => id);
    return { active: idsOf(false), ended: idsOf(true) };
  });
}
