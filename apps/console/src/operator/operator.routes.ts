import { canaryList, fleetReport, internalCalls, pagePackView } from '@rapporteur/contracts';
import { callerFailureOf, fail } from '@rapporteur/failures';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { sessionOf } from '../session/session.routes.ts';

export interface OperatorDependencies {
  readonly auth: InternalAuth;
  readonly apiUrl: string;
  /** Shown as a link; null: none. */
  readonly grafanaUrl: string | null;
}

const apiMs = 10_000;

/**
 * The API of all teams, for users with the role operator: `GET /console/operator/fleet` and `/page-checks`, `POST
 * /console/operator/canaries/{name}/run`. Throws FORBIDDEN for others.
 */
export function operatorRoutes({ auth, apiUrl, grafanaUrl }: OperatorDependencies): Router {
  const router = Router().use(operatorsOnly);
  const call = async <T>(method: 'GET' | 'POST', path: string, shape: z.ZodType<T>): Promise<T> => {
    const reply = await auth
      .fetch('api-gateway', `${apiUrl}/operator/v1${path}`, { method, timeoutMs: apiMs })
      .catch((cause: unknown) => {
        throw fail('UNAVAILABLE', { cause });
      });
    const body: unknown = await reply.json().catch(() => null);
    if (reply.ok) return shape.parse(body);
    const refusal = reply.status === 404 ? callerFailureOf(body) : null;
    throw refusal ?? fail('UNAVAILABLE', { cause: new Error(`The gateway responded with ${reply.status}.`) });
  };
  router.get('/fleet', async (_request, response) => {
    const fleet = await call('GET', '/fleet', fleetReport);
    response.set('cache-control', 'no-store').json({ success: true, data: { ...fleet, grafanaUrl } });
  });
  router.get('/page-checks', async (_request, response) => {
    const [page_packs, { canaries }] = await Promise.all([
      call('GET', '/page-packs', pagePackView),
      call('GET', '/canaries', canaryList),
    ]);
    response.set('cache-control', 'no-store').json({ success: true, data: { page_packs, canaries } });
  });
  router.post('/canaries/:name/run', async (request, response) => {
    const { name } = request.params;
    await call('POST', `/canaries/${encodeURIComponent(name)}/run`, internalCalls.operators.runCanary.reply);
    response.status(202).json({ success: true, data: { name } });
  });
  return router;
}

const operatorsOnly: RequestHandler = (request, _response, next) => {
  const session = sessionOf(request);
  if (session.kind === 'key' || session.role !== 'operator')
    throw fail('FORBIDDEN', { message: 'The fleet is shown to operators only.' });
  next();
};
