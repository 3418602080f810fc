import { canaryList, canaryRunReply, internalRoutes, pagePackView } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { SendRequest } from '@rapporteur/service-runtime';
import type { Router } from 'express';

/** What the deployment knows of the platforms' pages: page packs in use, and canaries with their results. */
export function addPageRoutes(router: Router, { requestScheduler }: { readonly requestScheduler: SendRequest }): void {
  router.get('/page-packs', async (_request, response) => {
    const data = await requestScheduler({ path: internalRoutes.pagePacks, body: {}, reply: pagePackView });
    response.json({ success: true, data });
  });
  router.get('/canaries', async (_request, response) => {
    const { canaries } = await requestScheduler({ path: internalRoutes.canaries, body: {}, reply: canaryList });
    response.json({ success: true, data: canaries });
  });
  router.post('/canaries/:name/run', async (request, response) => {
    const name = request.params.name;
    const body = { name: name.slice(0, 64) };
    const { due, canaries } = await requestScheduler({ path: internalRoutes.canaryRuns, body, reply: canaryRunReply });
    if (!due)
      throw fail('VALIDATION', {
        message: `path/name: there is no such canary. There are: ${canaries.join(', ') || 'none; set RAPPORTEUR_CANARIES of bot-scheduler'}.`,
      });
    response.status(202).json({ success: true, data: { name } });
  });
}
