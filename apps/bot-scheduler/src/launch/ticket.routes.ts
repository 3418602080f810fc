import { Router } from 'express';
import { z } from 'zod';
import { limitConcurrency } from '@rapporteur/async';
import { internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import { redeemTicket } from './redeem-ticket.ts';
import type { RedeemDependencies } from './redeem-ticket.ts';

const body = z.strictObject({ ticket: z.string().min(20).max(200), runner: z.uuid() });

/**
 * Further requests wait, for less than their clients' timeouts: more concurrency would only share the database
 * connections.
 */
const redeemedAtOnce = 32;

/**
 * The launch-ticket route. It requires no internal token: the ticket is the credential. 200 bot-invocation.v1; 410.
 * Requests of disconnected clients are skipped.
 */
export function ticketRoutes(dependencies: RedeemDependencies): Router {
  const router = Router();
  const limited = limitConcurrency(redeemedAtOnce);
  router.post(internalRoutes.redeemTicket, jsonBody({ limitBytes: 1_024 }), async (request, response) => {
    const read = body.safeParse(request.body);
    if (!read.success) throw fail('TICKET_GONE');
    const redeem = async () => (response.destroyed ? null : redeemTicket(dependencies, read.data));
    const invocation = await limited(redeem);
    if (invocation === null) return;
    addToLog(request, { teamId: invocation.teamId, botId: invocation.botId, attempt: invocation.attempt });
    response.json(invocation);
  });
  return router;
}
