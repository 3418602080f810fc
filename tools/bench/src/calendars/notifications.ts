import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operator } from '@rapporteur/api-fuzz';

export interface NotificationLoad {
  readonly gatewayUrl: string;
  readonly operator: Operator;
  readonly calendarIds: readonly string[];
}

interface Channel {
  readonly url: string;
  readonly token: string;
}

const tickMs = 20;

/** Opens a channel for each calendar in the database, with the row that the service itself writes. */
export async function writeChannels({ gatewayUrl, operator, calendarIds }: NotificationLoad): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (const calendarId of calendarIds) {
    const [channelId, token] = [randomUUID(), randomBytes(24).toString('base64url')];
    await operator.query(
      `insert into calendars.channels (channel_id, calendar_id, provider_channel_id, token_hash, state, expires_at, created_at)
       values ($1, $2, 'bench', $3, 'active', now() + interval '6 days', now())`,
      [channelId, calendarId, createHash('sha256').update(token).digest()],
    );
    channels.push({ url: `${gatewayUrl}/v2/calendar-notifications/${channelId}`, token });
  }
  return channels;
}

async function notify({ url, token }: Channel): Promise<number> {
  const beganMs = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-goog-channel-token': token, 'x-goog-resource-state': 'exists' },
    signal: AbortSignal.timeout(10_000),
  });
  await response.body?.cancel();
  if (response.status !== 202) throw new Error(`A notification was answered with ${response.status}.`);
  return performance.now() - beganMs;
}

/**
 * Notifications at a steady rate, over all channels in rotation. Returns the latencies of the acknowledgements, in ms,
 * sorted.
 */
export async function notifySteadily(
  channels: readonly Channel[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<number[]> {
  const perTick = (perSecond * tickMs) / 1_000;
  const beganMs = performance.now();
  const sent: Promise<number>[] = [];
  for (let tick = 0; tick * tickMs < seconds * 1_000; tick += 1) {
    for (let index = 0; index < perTick; index += 1) {
      const channel = channels[sent.length % channels.length];
      if (channel !== undefined) sent.push(notify(channel));
    }
    await sleep(Math.max(0, beganMs + (tick + 1) * tickMs - performance.now()));
  }
  return (await Promise.all(sent)).toSorted((one, other) => one - other);
}

/**
 * As many notifications for one channel, some concurrently, as fast as they are acknowledged. Returns the duration in
 * ms.
 */
export async function notifyStorm(channel: Channel, count: number): Promise<number> {
  const beganMs = performance.now();
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await notify(channel);
    }
  };
  await Promise.all(Array.from({ length: 50 }, sender));
  return performance.now() - beganMs;
}
