import { readEach } from '@rapporteur/contracts';
import { Router, json } from 'express';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, idOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { NotificationReason } from '../connections/request-sync.store.ts';
import type { ChannelStatement, Notifications } from './notifications.ts';

const limitBytes = 256 * 1_024;
const longestValidationToken = 2_048;

/** The part of a provider's notification that the gateway forwards. */
const passed = z.object({
  validation_token: z.string().max(longestValidationToken).nullable(),
  channel_token: z.string().max(512).nullable(),
  body: z.unknown(),
});
const mostItems = 1_000;
const graphItem = z.object({ clientState: z.string().max(512), lifecycleEvent: z.string().max(100).nullish() });
const graphNotifications = z.object({ value: z.array(z.unknown()).transform((value) => value.slice(0, mostItems)) });

/**
 * `POST /internal/v1/calendar-notifications/{channel_id}`: a provider's notification about a calendar or its channel.
 * 202 once it is stored; 404 for an unknown channel or another channel's token. 200 {validation_token} for Microsoft's
 * validation.
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
    if (!(await acceptAll(notifications, channelId, statementsOf(rest)))) throw fail('NOT_FOUND');
    response.status(202).json({ success: true, data: { validation_token: null } });
  });
  return router;
}

function readPassed(request: Request): z.infer<typeof passed> {
  const read = passed.safeParse(request.body);
  if (!read.success) throw fail('NOT_FOUND');
  return read.data;
}

/**
 * Google's token is in a header, Microsoft's in each item: several subscriptions may share a request. Invalid items and
 * items without a token are skipped.
 */
function statementsOf({ channel_token, body }: Omit<z.infer<typeof passed>, 'validation_token'>): ChannelStatement[] {
  if (channel_token !== null) return [{ token: channel_token, reason: 'changed' }];
  const read = graphNotifications.safeParse(body);
  if (!read.success) return [];
  const statements = readEach(read.data.value, (item): ChannelStatement => {
    const { clientState, lifecycleEvent } = graphItem.parse(item);
    return { token: clientState, reason: reasonOf(lifecycleEvent ?? null) };
  });
  return [...new Map(statements.map((one) => [`${one.reason} ${one.token}`, one])).values()];
}

/** An unknown lifecycle event at least requires a sync. */
function reasonOf(lifecycleEvent: string | null): NotificationReason {
  switch (lifecycleEvent) {
    case null:
      return 'changed';
    case 'subscriptionRemoved':
      return 'removed';
    case 'reauthorizationRequired':
      return 'renewal';
    default:
      return 'missed';
  }
}

async function acceptAll(
  notifications: Notifications,
  channelId: string,
  statements: readonly ChannelStatement[],
): Promise<boolean> {
  const accepted = await Promise.all(statements.map((one) => notifications.accept(channelId, one)));
  return accepted.includes(true);
}
