import { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { findChosen, issueJoinToken } from './join-tokens.ts';
import type { JoinTokenDependencies } from './join-tokens.ts';

/** bot-scheduler's requests for its bots. */
export function joinTokenRoutes(auth: InternalAuth, dependencies: JoinTokenDependencies): Router {
  return Router().use(
    serveCall(auth, internalCalls.credentials.status, async (choice, request) => {
      const row = await findChosen(dependencies.database, choice);
      addToLog(request, { credentialId: row?.credential_id ?? null });
      const credential = row && {
        credentialId: row.credential_id,
        state: row.state,
        lastError: row.last_error_message,
      };
      return { credential };
    }),
    serveCall(auth, internalCalls.credentials.joinToken, async (command, request) => {
      const result = await issueJoinToken(dependencies, command);
      const { teamId } = command.choice;
      addToLog(request, {
        teamId,
        ...(result.outcome === 'token' ? { credentialId: result.credentialId } : { refused: result.message }),
      });
      return result;
    }),
  );
}
