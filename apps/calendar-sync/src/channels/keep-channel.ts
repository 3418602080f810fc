import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { Resubscribe } from '../connections/connections.routes.ts';
import type { AccessTokens } from '../connections/access-tokens.ts';
import { failureOf } from '../connections/connect-calendar.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { CalendarProvider, OpenChannel } from '../providers/calendar-provider.ts';
import type { ChannelRow, ConnectionRow, Platform } from '../schema/entities.ts';

export interface ChannelDependencies {
  readonly database: Database;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly tokens: Pick<AccessTokens, 'use'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Base address of the public API for providers; null: no channels are opened. */
  readonly publicApiUrl: string | null;
}

/** A channel that expires sooner is renewed; the old one stays until the new one is open. */
const renewBeforeMs = 86_400_000;
/** Consecutive rounds with changes that no notification announced. */
const silentRoundsUntilReplaced = 2;
/** An older intent without a provider id is of a process that died. */
const abandonedAfterMs = 10 * 60_000;

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Requires the calendar's lease: two syncs never open a channel for the same calendar. Never rejects. */
export async function keepChannel(dependencies: ChannelDependencies, connection: ConnectionRow): Promise<void> {
  const { database, clock, logger, publicApiUrl } = dependencies;
  if (publicApiUrl === null || connection.status === 'revoked') return;
  const now = clock.now();
  try {
    await markReplaced(database, connection);
    const channels = await database.query<ChannelRow>('select * from channels where calendar_id = $1', [
      connection.calendar_id,
    ]);
    await closeOld(dependencies, connection, channels);
    const newest = channels.find(({ state, expires_at }) => state === 'active' && expires_at.getTime() > now);
    if (newest !== undefined && !isRenewalDue(newest, now)) return;
    const isSilent = newest !== undefined && newest.silent_rounds >= silentRoundsUntilReplaced;
    if (newest !== undefined && !isSilent && (await renew(dependencies, connection, newest))) return;
    await openNew(dependencies, connection);
  } catch (error) {
    // Until the next attempt, the periodic sync finds the changes.
    const facts = { err: error, calendarId: connection.calendar_id, teamId: connection.team_id };
    logger.warn(facts, 'The push channel of a calendar could not be kept; changes are found by the periodic sync.');
  }
}

function isRenewalDue({ expires_at, renewal_required, silent_rounds }: ChannelRow, now: number): boolean {
  const isLast = expires_at.getTime() - renewBeforeMs <= now;
  return isLast || renewal_required || silent_rounds >= silentRoundsUntilReplaced;
}

/**
 * Counts a round with changes for channels that were open since the previous round and sent no notification since. One
 * such round may precede a late notification, which resets the count.
 * @param connection as it was before the round
 */
export async function noteSilence(
  executor: Executor,
  { calendar_id: calendarId, synced_at: syncedAt }: Pick<ConnectionRow, 'calendar_id' | 'synced_at'>,
): Promise<void> {
  await executor.query(
    `update channels set silent_rounds = silent_rounds + 1
     where calendar_id = $1 and state = 'active' and created_at < $2 and (notified_at is null or notified_at < $2)`,
    [calendarId, syncedAt],
  );
}

export function createResubscribe(dependencies: ChannelDependencies): Resubscribe {
  return async (connection) => {
    const { clock, publicApiUrl } = dependencies;
    if (publicApiUrl === null) {
      throw fail('NOT_CONFIGURED_YET', {
        message: 'This deployment has no public address for calendar notifications; calendars are synced periodically.',
      });
    }
    try {
      await openNew(dependencies, connection);
    } catch (error) {
      if (error instanceof ProviderError) throw failureOf(error, connection.platform);
      throw error;
    }
    return new Date(clock.now());
  };
}

/** True when the provider renewed the channel. */
async function renew(
  { database, providers, tokens, clock }: ChannelDependencies,
  { calendar_id, platform }: ConnectionRow,
  channel: ChannelRow,
): Promise<boolean> {
  const provider = providers[platform];
  const wanted = {
    providerChannelId: channel.provider_channel_id ?? '',
    expiresMs: clock.now() + provider.channelLifetimeMs,
  };
  const renewed = await tokens
    .use(calendar_id, (accessToken) => provider.renewChannel(accessToken, wanted))
    .catch((error: unknown) => {
      if (error instanceof ProviderError && error.kind === 'gone') return null;
      throw error;
    });
  if (renewed === null) return false;
  await database.query('update channels set expires_at = $2, renewal_required = false where channel_id = $1', [
    channel.channel_id,
    new Date(renewed.expiresMs),
  ]);
  return true;
}

/**
 * The intent is stored first: the provider requests validation before it responds. Replaced channels are closed
 * afterwards.
 */
async function openNew(dependencies: ChannelDependencies, connection: ConnectionRow): Promise<void> {
  const { database, providers, tokens, clock, publicApiUrl } = dependencies;
  const { calendar_id, platform, raw_calendar_id } = connection;
  const provider = providers[platform];
  const channelId = randomUUID();
  const token = randomBytes(32).toString('base64url');
  const expiresMs = clock.now() + provider.channelLifetimeMs;
  await database.query(
    `insert into channels (channel_id, calendar_id, token_hash, state, expires_at, created_at)
     values ($1, $2, $3, 'opening', $4, $5)`,
    [channelId, calendar_id, hashToken(token), new Date(expiresMs), new Date(clock.now())],
  );
  const request = {
    channelId,
    rawCalendarId: raw_calendar_id,
    address: `${publicApiUrl ?? ''}/v2/calendar-notifications/${channelId}`,
    token,
    expiresMs,
  };
  let opened: OpenChannel;
  try {
    opened = await tokens.use(calendar_id, (accessToken) => provider.openChannel(accessToken, request));
  } catch (error) {
    await database.query('delete from channels where channel_id = $1', [channelId]);
    throw error;
  }
  await database.query(
    `update channels set state = 'active', provider_channel_id = $2, expires_at = $3 where channel_id = $1`,
    [channelId, opened.providerChannelId, new Date(opened.expiresMs)],
  );
  await closeOld(dependencies, connection, await markReplaced(database, connection));
}

/**
 * Keeps only the newest open channel of a calendar. Requests and syncs may open channels concurrently: the later one
 * finds the other.
 */
async function markReplaced(database: Database, { calendar_id }: ConnectionRow): Promise<ChannelRow[]> {
  return await database.query<ChannelRow>(
    `update channels set state = 'closing' where calendar_id = $1 and state = 'active' and (created_at, channel_id) <
       (select created_at, channel_id from channels where calendar_id = $1 and state = 'active'
        order by created_at desc, channel_id desc limit 1)
     returning *`,
    [calendar_id],
  );
}

/** Closes replaced channels, and deletes those that expired or were never opened. */
export async function closeOld(
  { database, providers, tokens, clock }: ChannelDependencies,
  { calendar_id, platform }: ConnectionRow,
  channels: readonly ChannelRow[],
): Promise<void> {
  const now = clock.now();
  const isAbandoned = ({ state, created_at }: ChannelRow): boolean =>
    state === 'opening' && created_at.getTime() + abandonedAfterMs < now;
  for (const channel of channels) {
    const hasEnded = channel.expires_at.getTime() <= now;
    if (channel.state !== 'closing' && !hasEnded && !isAbandoned(channel)) continue;
    const { channel_id: channelId, provider_channel_id: providerChannelId } = channel;
    if (!hasEnded && providerChannelId !== null) {
      await tokens
        .use(calendar_id, (accessToken) =>
          providers[platform].closeChannel(accessToken, { channelId, providerChannelId }),
        )
        .catch((error: unknown) => {
          // Without the consent or the channel, nothing needs to be stopped.
          const isOver =
            error instanceof ProviderError && ['gone', 'revoked', 'denied', 'expired'].includes(error.kind);
          if (!isOver) throw error;
        });
    }
    await database.query('delete from channels where channel_id = $1', [channelId]);
  }
}
