import { Router, json } from 'express';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import { idOf } from '../request-input.ts';
import type { Notifications } from './notifications.ts';

const limitBytes = 256 * 1_024;
const longestValidationToken = 2_048;

/** What the gateway passes on of a provider's notification. */
const passed = z.object({
  validation_token: z.string().max(longestValidationToken).nullable(),
  channel_token: z.string().max(512).nullable(),
  body: z.unknown(),
});
const graphNotifications = z.object({
  value: z
    .array(z.object({ clientState: z.string().max(512) }))
    .min(1)
    .max(1_000),
});

/**
 * `POST /internal/v1/calendar-notifications/{channel_id}`: a provider says that a calendar changed. 202 once it is noted; 404 for
 * a channel that is not known or a token that is not its own. 200 {validation_token} for Microsoft's handshake.
 */
export function notificationRoutes(auth: InternalAuth, notifications: Notifications): Router {
  const router = Router();
  const readJson = json({ limit: limitBytes });
  const path = '/internal/v1/calendar-notifications/:channel_id';
  router.post(path, auth.require(['api-gateway']), readJson, async (request, response) => {
    const channelId = idOf(request, 'channel_id', 'NOT_FOUND');
    addToLog(request, { channelId });
    const { validation_token, ...rest } = readPassed(request);
    if (validation_token !== null) {
      if (!(await notifications.knows(channelId))) throw fail('NOT_FOUND');
      response.json({ success: true, data: { validation_token } });
      return;
    }
    if (!(await acceptAny(notifications, channelId, tokensOf(rest)))) throw fail('NOT_FOUND');
    response.status(202).json({ success: true, data: { validation_token: null } });
  });
  return router;
}

function readPassed(request: Request): z.infer<typeof passed> {
  const read = passed.safeParse(request.body);
  if (!read.success) throw fail('NOT_FOUND');
  return read.data;
}

/** Google's token stands in a header, Microsoft's with each change: several subscriptions may share a request. */
function tokensOf({ channel_token, body }: Omit<z.infer<typeof passed>, 'validation_token'>): string[] {
  if (channel_token !== null) return [channel_token];
  const read = graphNotifications.safeParse(body);
  return read.success ? [...new Set(read.data.value.map(({ clientState }) => clientState))] : [];
}

async function acceptAny(notifications: Notifications, channelId: string, tokens: readonly string[]): Promise<boolean> {
  for (const token of tokens) if (await notifications.accept(channelId, token)) return true;
  return false;
}
