import { timingSafeEqual } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import type { Clock } from '@rapporteur/service-runtime';
import { addSyncRequests } from '../connections/request-sync.store.ts';
import type { NotificationReason, SyncRequest } from '../connections/request-sync.store.ts';
import { hashToken } from './keep-channel.ts';

export interface NotificationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Notifies the worker that a calendar is due. */
  readonly onDue: () => void;
}

export interface ChannelStatement {
  readonly token: string;
  readonly reason: NotificationReason;
}

/** Stores providers' notifications. Resolves after the commit; concurrent ones share a statement. */
export interface Notifications {
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
