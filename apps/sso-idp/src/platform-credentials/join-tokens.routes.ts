import { Router } from 'express';
import { credentialChoice, credentialStatus, internalRoutes, joinTokenCommand } from '@rapporteur/contracts';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { findChosen, issueJoinToken } from './join-tokens.ts';
import type { JoinTokenDependencies } from './join-tokens.ts';

/** bot-scheduler's requests for its bots. */
export function joinTokenRoutes(auth: InternalAuth, dependencies: JoinTokenDependencies): Router {
  const router = Router();
  const schedulerOnly = auth.require(['bot-scheduler']);
  const readJson = jsonBody({ limitBytes: 4_096 });
  router.post(internalRoutes.credentialStatus, schedulerOnly, readJson, async (request, response) => {
    const choice = readInput(credentialChoice, request.body);
    const row = await findChosen(dependencies.database, choice);
    const credential = row && {
      credentialId: row.credential_id,
      state: row.state,
      lastError: row.last_error_message,
    };
    addToLog(request, { teamId: choice.teamId, credentialId: row?.credential_id ?? null });
    response.json(credentialStatus.parse({ credential }));
  });
  router.post(internalRoutes.joinTokens, schedulerOnly, readJson, async (request, response) => {
    const command = readInput(joinTokenCommand, request.body);
    const result = await issueJoinToken(dependencies, command);
    addToLog(request, {
      teamId: command.choice.teamId,
      botId: command.botId,
      ...(result.outcome === 'token' ? { credentialId: result.credentialId } : { refused: result.message }),
    });
    response.json(result);
  });
  return router;
}
