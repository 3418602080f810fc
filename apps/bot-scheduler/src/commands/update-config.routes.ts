import { Router } from 'express';
import { z } from 'zod';
import { findUnstorable } from '../schema/read-request.ts';
import type { Database } from '@rapporteur/database';
import { placeOf } from '../schema/bot-id.ts';
import { jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { updateExtra } from './update-extra.ts';

const body = z.strictObject({ extra: z.record(z.string(), z.unknown()).nullable() });

/** `PATCH /internal/v2/bots/{bot_id}/update-config`: 200 {success, data: {message}}; 400, 404. */
export function updateConfigRoutes(
  auth: InternalAuth,
  dependencies: { readonly database: Database; readonly now: () => number },
): Router {
  const router = Router();
  router.patch(
    '/internal/v2/bots/:bot_id/update-config',
    auth.require(['api-gateway']),
    jsonBody({ limitBytes: 1_048_576 }),
    async (request, response) => {
      const place = placeOf(request);
      const { extra } = readInput(body, request.body);
      const unstorable = findUnstorable(extra, 'extra');
      if (unstorable !== null) throw unstorable;
      await updateExtra(dependencies, place, extra);
      response.json({ success: true, data: { message: 'The extra of the bot was changed.' } });
    },
  );
  return router;
}
