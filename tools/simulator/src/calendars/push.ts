import { randomBytes } from 'node:crypto';
import type { StoredCalendar } from './calendar-store.ts';

export interface GoogleChannel {
  readonly id: string;
  readonly resourceId: string;
  readonly calendarId: string;
  readonly address: string;
  readonly token: string | null;
  readonly expiresMs: number;
  messages: number;
}

export interface Subscription {
  readonly id: string;
  readonly calendarId: string;
  readonly resource: string;
  readonly notificationUrl: string;
  readonly lifecycleUrl: string | null;
  readonly clientState: string;
  expiresMs: number;
}

/** One pending request. */
export interface Notification {
  readonly calendarId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const sendMs = 10_000;

/**
 * Push of both providers: the channels, and the notifications sent to them. Delivery is not guaranteed, as with the
 * real ones.
 */
export class Push {
  readonly channels = new Map<string, GoogleChannel>();
  readonly subscriptions = new Map<string, Subscription>();
  /** While true, notifications are held until `release`. */
  held = false;
  #kept: Notification[] = [];
  readonly #now: () => number;
  readonly #sending = new Set<Promise<void>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notifies every channel of a calendar that it changed. */
  changed(calendar: StoredCalendar): void {
    for (const channel of this.channels.values()) {
      if (channel.calendarId === calendar.id && channel.expiresMs > this.#now())
        this.#give(googleNotification(channel, 'exists'));
    }
    for (const one of this.subscriptions.values()) {
      if (one.calendarId === calendar.id && one.expiresMs > this.#now())
        this.#give(calendar.sparse ? amongOthers(graphNotification(one)) : graphNotification(one));
    }
  }

  opened(channel: GoogleChannel): void {
    this.#give(googleNotification(channel, 'sync'));
  }

  lifecycle(subscription: Subscription, lifecycleEvent: string): void {
    if (subscription.lifecycleUrl === null) return;
    const { value } = JSON.parse(graphNotification(subscription).body) as { value: object[] };
    const {
      changeType: _type,
      resource: _resource,
      resourceData: _data,
      ...head
    } = value[0] as Record<string, unknown>;
    const body = JSON.stringify({ value: [{ ...head, lifecycleEvent }] });
    this.#give({ ...graphNotification(subscription), url: subscription.lifecycleUrl, body });
  }

  /** The provider removes a calendar's subscriptions, and sends lifecycle notifications. */
  removeSubscriptions(calendarId: string): void {
    for (const one of [...this.subscriptions.values()].filter((each) => each.calendarId === calendarId)) {
      this.lifecycle(one, 'subscriptionRemoved');
      this.subscriptions.delete(one.id);
    }
  }

  /** Every channel and subscription ends now, without a notification. */
  expireAll(): void {
    this.channels.clear();
    this.subscriptions.clear();
  }

  /** Sends what was kept, as returned by `choose`: in another order, twice, or not at all. */
  async release(choose: (kept: readonly Notification[]) => readonly Notification[] = (kept) => kept): Promise<void> {
    const kept = this.#kept;
    this.#kept = [];
    await Promise.all(choose(kept).map((notification) => this.#send(notification)));
  }

  /** Resolves when nothing is in progress. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** True when the receiver responded to the validation of a subscription as it must. */
  async validates(url: string): Promise<boolean> {
    const token = `Validation: ${randomBytes(8).toString('hex')} & <more>`;
    const target = new URL(url);
    target.searchParams.set('validationToken', token);
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        signal: AbortSignal.timeout(sendMs),
      });
      const type = response.headers.get('content-type') ?? '';
      return (await response.text()) === token && response.status === 200 && type.startsWith('text/plain');
    } catch {
      return false;
    }
  }

  #give(notification: Notification): void {
    if (this.held) this.#kept.push(notification);
    else void this.#send(notification);
  }

  #send({ url, headers, body }: Notification): Promise<void> {
    const sending = fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(sendMs) })
      .then((response) => response.body?.cancel())
      .catch(() => undefined)
      .finally(() => this.#sending.delete(sending)) as Promise<void>;
    this.#sending.add(sending);
    return sending;
  }
}

export function googleNotification(channel: GoogleChannel, state: string): Notification {
  channel.messages += 1;
  return {
    calendarId: channel.calendarId,
    url: channel.address,
    headers: {
      'x-goog-channel-id': channel.id,
      ...(channel.token === null ? {} : { 'x-goog-channel-token': channel.token }),
      'x-goog-channel-expiration': new Date(channel.expiresMs).toUTCString(),
      'x-goog-resource-id': channel.resourceId,
      'x-goog-resource-uri': `https://www.googleapis.com/calendar/v3/calendars/${channel.calendarId}/events`,
      'x-goog-resource-state': state,
      'x-goog-message-number': String(channel.messages),
    },
    body: '',
  };
}

function graphNotification(subscription: Subscription): Notification {
  const change = {
    subscriptionId: subscription.id,
    clientState: subscription.clientState,
    changeType: 'updated',
    resource: `${subscription.resource}/changed`,
    resourceData: { '@odata.type': '#Microsoft.Graph.Event', id: 'changed' },
    tenantId: 'simulated-tenant',
    subscriptionExpirationDateTime: new Date(subscription.expiresMs).toISOString(),
  };
  return {
    calendarId: subscription.calendarId,
    url: subscription.notificationUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ value: [change] }),
  };
}

/** One request may have changes of other subscriptions, without a client state or of another form. */
function amongOthers(notification: Notification): Notification {
  const { value } = JSON.parse(notification.body) as { value: object[] };
  const other = { subscriptionId: randomBytes(8).toString('hex'), changeType: 'updated', clientState: null };
  return { ...notification, body: JSON.stringify({ value: [{ subscriptionId: 'other' }, other, null, ...value] }) };
}
