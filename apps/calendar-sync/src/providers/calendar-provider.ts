import type { LinkText } from '../links/find-meeting-links.ts';
import type { Attendee, EventNotice, EventStatus, Inherited } from '../schema/rows.ts';

export interface OauthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Used by Microsoft only. */
  readonly tenantId: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly expiresInMs: number;
  /** Null: the refresh token that was used stays. */
  readonly refreshToken: string | null;
}

export interface RawCalendar {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isPrimary: boolean;
  /** IANA name. */
  readonly timeZone: string;
}

/** Instants are epoch ms. */
export interface Occurrence {
  readonly occurrenceKey: string;
  readonly providerEventId: string;
  readonly providerSeriesId: string;
  readonly isRecurring: boolean;
  readonly isException: boolean;
  /** The same in every attendee's calendar; together with the start it names one meeting. */
  readonly meetingUid: string;
  readonly title: string;
  readonly description: string | null;
  readonly location: string | null;
  readonly startMs: number;
  readonly endMs: number;
  /** Where a time is not used as it was written. */
  readonly timeNotices: readonly EventNotice[];
  readonly isAllDay: boolean;
  readonly timeZone: string;
  readonly status: Exclude<EventStatus, 'cancelled'>;
  readonly isPrivate: boolean;
  readonly isOrganizer: boolean;
  readonly ownResponse: Attendee['response_status'] | null;
  /** Texts that may hold the meeting link; of those of one source the most certain is first. */
  readonly linkTexts: readonly LinkText[];
  readonly organizerEmail: string | null;
  readonly organizerName: string | null;
  readonly attendees: readonly Attendee[] | null;
  readonly raw: Readonly<Record<string, unknown>>;
}

export type ProviderItem =
  | { readonly kind: 'occurrence'; readonly occurrence: Occurrence }
  /** An occurrence that says only when it is: its master says the rest. */
  | {
      readonly kind: 'inheriting';
      readonly providerEventId: string;
      readonly providerSeriesId: string;
      readonly item: Inherited;
    }
  | {
      readonly kind: 'master';
      readonly providerSeriesId: string;
      readonly master: Inherited;
      /** It holds for every occurrence, which may not state it. */
      readonly isCancelled: boolean;
    }
  /** An event, or a series with all of its occurrences. */
  | { readonly kind: 'removed'; readonly providerEventId: string }
  | { readonly kind: 'unreadable'; readonly providerEventId: string; readonly reason: string };

export interface Page {
  readonly items: readonly ProviderItem[];
  /** Where the next page is; or, after the last page, where the next round begins. */
  readonly next: { readonly page: string } | { readonly cursor: string };
}

/** Where a round of pages begins: with everything in a window, or with what changed since an earlier round. */
export type RoundStart =
  | { readonly kind: 'full'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'incremental'; readonly cursor: string };

export interface Account {
  /** The account whose calendar it is. */
  readonly accountEmail: string;
  readonly timeZone: string;
}

export interface OccurrencesRequest extends Account {
  readonly rawCalendarId: string;
  readonly providerSeriesId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PageRequest extends Account {
  readonly rawCalendarId: string;
  readonly start: RoundStart;
  /** `next.page` of the page before; null: the first one. */
  readonly page: string | null;
}

export interface ChannelRequest {
  readonly channelId: string;
  readonly rawCalendarId: string;
  readonly address: string;
  readonly token: string;
  readonly expiresMs: number;
}

export interface OpenChannel {
  /** What the provider needs to renew or stop it. */
  readonly providerChannelId: string;
  readonly expiresMs: number;
}

/** One provider of calendars. Everything rejects with ProviderError. */
export interface CalendarProvider {
  /** How long a new channel lasts at most, in ms. */
  readonly channelLifetimeMs: number;
  refresh(app: OauthApp, refreshToken: string): Promise<Tokens>;
  listCalendars(accessToken: string): Promise<readonly RawCalendar[]>;
  readCalendar(accessToken: string, rawCalendarId: string): Promise<RawCalendar>;
  readPage(accessToken: string, request: PageRequest): Promise<Page>;
  /** The occurrences of a series that are in a window now. Rejects with `gone` when there is no such series. */
  readOccurrences(accessToken: string, request: OccurrencesRequest): Promise<readonly ProviderItem[]>;
  /**
   * The whole occurrence, from what it says itself and its master; null: the series is cancelled. Throws for an occurrence that
   * cannot be read.
   */
  inherit(item: Inherited, master: Inherited, account: Account): Occurrence | null;
  readMaster(accessToken: string, providerSeriesId: string): Promise<Inherited>;
  openChannel(accessToken: string, request: ChannelRequest): Promise<OpenChannel>;
  /** Null: this provider renews none, a new one has to be opened. */
  renewChannel(accessToken: string, channel: OpenChannel): Promise<OpenChannel | null>;
  closeChannel(
    accessToken: string,
    channel: { readonly channelId: string; readonly providerChannelId: string },
  ): Promise<void>;
}

/**
 * revoked: the consent is gone. denied: it does not cover this. expired: the access token does not work. cursor-expired: begin
 * with a full round. gone: there is no such thing. busy: later. unreachable: no response. unreadable: one of an unknown form.
 */
export type ProviderErrorKind =
  | 'revoked'
  | 'bad-client'
  | 'denied'
  | 'expired'
  | 'cursor-expired'
  | 'gone'
  | 'busy'
  | 'refused'
  | 'unreadable'
  | 'unreachable';

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
