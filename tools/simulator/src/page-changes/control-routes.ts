import express from 'express';
import * as z from 'zod';
import { readControlBody } from '../control/control-body.ts';
import { platformNames } from '../sites/platforms.ts';
import type { PageChanges } from './page-changes.ts';
import { pageChangeChoiceSchema } from './choice.ts';
import { pageChangeNames, pageChangePresets } from './presets.ts';

const choiceBody = z.strictObject({ change: pageChangeChoiceSchema, platform: z.enum(platformNames).optional() });

/** `/page-changes`: the known changes, and the one of each platform's page from now on. */
export function pageChangeRoutes(changes: PageChanges): express.Router {
  const router = express.Router();
  router.get('/page-changes', (_request, response) => {
    const known = pageChangeNames.map((name) => ({ name, what: pageChangePresets[name].what }));
    response.json({ changes: known, chosen: changes.chosen() });
  });
  router.put('/page-changes', (request, response) => {
    const { change, platform } = readControlBody(choiceBody, request);
    changes.choose(change, platform === undefined ? undefined : [platform]);
    response.json({ chosen: changes.chosen() });
  });
  return router;
}
