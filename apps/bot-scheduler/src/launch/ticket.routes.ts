import { Router } from 'express';
import { z } from 'zod';
import { internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import { redeemTicket } from './redeem-ticket.ts';
import type { RedeemDependencies } from './redeem-ticket.ts';

const body = z.strictObject({ ticket: z.string().min(20).max(200), runner: z.uuid().nullable().default(null) });

/** The launch-ticket route. It requests no internal token: the ticket is the proof. 200 bot-invocation.v1; 410. */
export function ticketRoutes(dependencies: RedeemDependencies): Router {
  const router = Router();
  router.post(internalRoutes.redeemTicket, jsonBody({ limitBytes: 1_024 }), async (request, response) => {
    const read = body.safeParse(request.body);
    if (!read.success) throw fail('TICKET_GONE');
    const invocation = await redeemTicket(dependencies, read.data);
    addToLog(request, { teamId: invocation.teamId, botId: invocation.botId, attempt: invocation.attempt });
    response.json(invocation);
  });
  return router;
}
