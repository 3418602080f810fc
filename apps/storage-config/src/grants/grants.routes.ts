import { endGrantsRequest, internalRoutes, uploadGrantRequest } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { addToLog, callerOf, jsonBody } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import { signGrant } from './grant-token.ts';
import type { Grants } from './grants.store.ts';

export interface GrantDependencies {
  readonly grants: Grants;
  readonly signingSecret: Secret;
  /** Address of this service for the holder of a grant. */
  readonly runnerUrl: string;
}

/** The range of the column. */
const largestFencing = 2 ** 31 - 1;

/** bot-scheduler requests a grant for each run of a bot, and ends the grants of bots that have ended. */
export function addGrantRoutes(app: Express, service: Service, dependencies: GrantDependencies): void {
  app.post(
    internalRoutes.uploadGrants,
    service.auth.require(['bot-scheduler', 'transcriber']),
    jsonBody({ limitBytes: 10_000 }),
    async (request, response) => {
      const body = uploadGrantRequest.safeParse(request.body);
      if (!body.success) throw fail('VALIDATION', { details: body.error.message });
      if (body.data.fencing > largestFencing) throw fail('VALIDATION', { details: 'fencing' });
      addToLog(request, { botId: body.data.botId, teamId: body.data.teamId, fencing: body.data.fencing });
      await dependencies.grants.open(body.data);
      const { botId, fencing, expiresAt } = body.data;
      const outlastsRelease = callerOf(request).service === 'transcriber';
      const grant = await signGrant(
        dependencies.signingSecret,
        { botId, fencing, outlastsRelease },
        new Date(expiresAt),
      );
      response.status(201).json({ url: dependencies.runnerUrl, grant });
    },
  );
  app.post(
    internalRoutes.endGrants,
    service.auth.require(['bot-scheduler']),
    jsonBody({ limitBytes: 100_000 }),
    async (request, response) => {
      const body = endGrantsRequest.safeParse(request.body);
      if (!body.success) throw fail('VALIDATION', { details: body.error.message });
      await dependencies.grants.end(body.data.bots);
      addToLog(request, { bots: body.data.bots.length });
      response.json({ success: true });
    },
  );
}
