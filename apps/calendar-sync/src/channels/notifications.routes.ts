import { timingSafeEqual } from 'node:crypto';
import { readEach } from '@rapporteur/contracts';
import { Router, json } from 'express';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, idOf } from '@rapporteur/service-runtime';
import type { InternalAuth, Clock } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { Database } from '@rapporteur/database';
import { addSyncRequests } from '../connections/request-sync.store.ts';
import type { NotificationReason, SyncRequest } from '../connections/request-sync.store.ts';
import { hashToken } from './keep-channel.ts';

interface NotificationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Notifies the worker that a calendar is due. */
  readonly onDue: () => void;
}

interface ChannelStatement {
  readonly token: string;
  readonly reason: NotificationReason;
}

/** Stores providers' notifications. Resolves after the commit; concurrent ones share a statement. */
interface Notifications {
  /** True when the channel exists and the token is its own. */
  accept(channelId: string, statement: ChannelStatement): Promise<boolean>;
  /** True while a channel is opening or open. */
  knows(channelId: string): Promise<boolean>;
  stop(): Promise<void>;
}

interface KnownChannel {
  readonly calendarId: string;
  readonly tokenHash: Buffer;
  readonly readAtMs: number;
}

const togetherMs = 20;
/** Maximum age of a cached channel. */
const rememberedMs = 30_000;
const mostRemembered = 10_000;

export function createNotifications(dependencies: NotificationDependencies): Notifications {
  const { database, clock, onDue } = dependencies;
  const remembered = new Map<string, KnownChannel>();
  let waiting: { requests: Map<string, SyncRequest>; done: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();

  const read = async (channelId: string): Promise<KnownChannel | null> => {
    const known = remembered.get(channelId);
    if (known !== undefined && known.readAtMs + rememberedMs > clock.monotonic()) return known;
    const [row] = await database.query<{ calendar_id: string; token_hash: Buffer }>(
      `select calendar_id, token_hash from channels where channel_id = $1`,
      [channelId],
    );
    if (row === undefined) {
      remembered.delete(channelId);
      return null;
    }
    const found = { calendarId: row.calendar_id, tokenHash: row.token_hash, readAtMs: clock.monotonic() };
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(channelId, found);
    return found;
  };

  const flush = async (requests: ReadonlyMap<string, SyncRequest>): Promise<void> => {
    await clock.sleep(togetherMs);
    waiting = null;
    await addSyncRequests(database, [...requests.values()], clock.now());
    onDue();
  };

  return {
    knows: async (channelId) => (await read(channelId)) !== null,
    accept: async (channelId, { token, reason }) => {
      const channel = await read(channelId);
      if (channel === null || !timingSafeEqual(hashToken(token), channel.tokenHash)) return false;
      if (waiting === null) {
        const requests = new Map<string, SyncRequest>();
        waiting = { requests, done: flush(requests) };
        last = waiting.done.catch(() => undefined);
      }
      waiting.requests.set(`${reason} ${channelId}`, { calendarId: channel.calendarId, channelId, reason });
      await waiting.done;
      return true;
    },
    stop: () => last,
  };
}

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
