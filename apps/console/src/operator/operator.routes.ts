import { fleetReport } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { Router } from 'express';
import { sessionOf } from '../session/session.routes.ts';

export interface OperatorDependencies {
  readonly auth: InternalAuth;
  readonly apiUrl: string;
  /** Shown as a link; null: none. */
  readonly grafanaUrl: string | null;
}

const fleetMs = 10_000;

/** `GET /console/operator/fleet`: of all teams, for users with the role operator. Throws FORBIDDEN for others. */
export function operatorRoutes({ auth, apiUrl, grafanaUrl }: OperatorDependencies): Router {
  const router = Router();
  router.get('/fleet', async (request, response) => {
    const session = sessionOf(request);
    if (session.kind === 'key' || session.role !== 'operator')
      throw fail('FORBIDDEN', { message: 'The fleet is shown to operators only.' });
    const reply = await auth
      .fetch('api-gateway', `${apiUrl}/operator/v1/fleet`, { timeoutMs: fleetMs })
      .catch((cause: unknown) => {
        throw fail('UNAVAILABLE', { cause });
      });
    if (!reply.ok) throw fail('UNAVAILABLE', { cause: new Error(`The gateway answered ${reply.status}.`) });
    const fleet = fleetReport.parse(await reply.json());
    response.set('cache-control', 'no-store').json({ success: true, data: { ...fleet, grafanaUrl } });
  });
  return router;
}
