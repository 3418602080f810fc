import { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { issueSignIn } from './issue-sign-in.ts';
import type { IssueSignInDependencies } from './issue-sign-in.ts';
import type { LoginPool } from './login-pool.ts';

export interface SessionRoutesDependencies extends IssueSignInDependencies {
  readonly pool: LoginPool;
}

/** bot-scheduler's requests for its bots. */
export function sessionRoutes(auth: InternalAuth, dependencies: SessionRoutesDependencies): Router {
  const { pool } = dependencies;
  const { reserve, availability, release, signIn } = internalCalls.logins;
  return Router().use(
    serveCall(auth, reserve, async (body, request) => {
      const reply = await pool.reserve(body);
      const credentialId = reply.outcome === 'reserved' ? reply.credentialId : null;
      addToLog(request, { outcome: reply.outcome, credentialId });
      return reply;
    }),
    serveCall(auth, availability, ({ teamId, selector }) => pool.availability(teamId, selector)),
    serveCall(auth, release, async ({ botId }) => {
      await pool.release(botId);
      return { success: true as const };
    }),
    serveCall(auth, signIn, async (command, request) => {
      const reply = await issueSignIn(dependencies, command);
      const credentialId = reply.outcome === 'credentials' ? reply.credentials.credentialId : null;
      addToLog(request, { outcome: reply.outcome, credentialId });
      return reply;
    }),
  );
}
