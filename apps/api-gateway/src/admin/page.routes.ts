import { canaryList, canaryRunReply, internalRoutes, pagePackView } from '@rapporteur/contracts';
import type { SendRequest } from '@rapporteur/service-runtime';
import type { Router } from 'express';

/** The deployment's data on the platforms' pages: page packs in use, and canaries with their results. */
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
    const { name } = request.params;
    await requestScheduler({ path: internalRoutes.canaryRuns, body: { name }, reply: canaryRunReply });
    response.status(202).json({ success: true, data: { name } });
  });
}
