import { internalCalls } from '@rapporteur/contracts';
import { addToLog, callerOf, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth, Secret } from '@rapporteur/service-runtime';
import { Router } from 'express';
import { signGrant } from './grant-token.ts';
import type { Grants } from './grants.store.ts';

export interface GrantDependencies {
  readonly grants: Grants;
  readonly signingSecret: Secret;
  /** Address of this service for the holder of a grant. */
  readonly runnerUrl: string;
}

/** bot-scheduler requests a grant for each run of a bot, and ends the grants of bots that have ended. */
export function grantRoutes(auth: InternalAuth, dependencies: GrantDependencies): Router {
  const { grants, signingSecret, runnerUrl } = dependencies;
  const { grantUpload, endGrants } = internalCalls.storage;
  return Router().use(
    serveCall(auth, grantUpload, async (body, request) => {
      const { botId, fencing, expiresAt } = body;
      addToLog(request, { fencing });
      await grants.open(body);
      const outlastsRelease = callerOf(request).service === 'transcriber';
      const grant = await signGrant(signingSecret, { botId, fencing, outlastsRelease }, new Date(expiresAt));
      return { url: runnerUrl, grant };
    }),
    serveCall(auth, endGrants, async ({ bots }, request) => {
      await grants.end(bots);
      addToLog(request, { bots: bots.length });
      return { success: true as const };
    }),
  );
}
