import type { LinkText } from '../links/find-meeting-links.ts';
import type { Attendee, EventKind, EventNotice, EventStatus, Inherited } from '../schema/entities.ts';

export interface OauthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Used by Microsoft only. */
  readonly tenantId: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly expiresInMs: number;
  /** Null: the current refresh token stays valid. */
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
  readonly title: string;
  readonly description: string | null;
  readonly location: string | null;
  readonly startMs: number;
  readonly endMs: number;
  /** Differences between a time and its original text. */
  readonly timeNotices: readonly EventNotice[];
  readonly isAllDay: boolean;
  readonly timeZone: string;
  readonly status: Exclude<EventStatus, 'cancelled'>;
  readonly isPrivate: boolean;
  readonly isOrganizer: boolean;
  readonly kind: EventKind;
  readonly ownResponse: Attendee['response_status'] | null;
  /** Texts that may contain the meeting link; those of one source are sorted by certainty. */
  readonly linkTexts: readonly LinkText[];
  readonly organizerEmail: string | null;
  readonly organizerName: string | null;
  readonly attendees: readonly Attendee[] | null;
  readonly raw: Readonly<Record<string, unknown>>;
}

export type ProviderItem =
  | { readonly kind: 'occurrence'; readonly occurrence: Occurrence }
  /** An occurrence with only its times: its master contains the rest. */
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
      /** Applies to every occurrence, even if the occurrence does not state it. */
      readonly isCancelled: boolean;
    }
  /** An event, or a series with all of its occurrences. */
  | { readonly kind: 'removed'; readonly providerEventId: string }
  | { readonly kind: 'unreadable'; readonly providerEventId: string; readonly reason: string };

export interface Page {
  readonly items: readonly ProviderItem[];
  /** The next page, or, after the last page, the cursor of the next round. */
  readonly next: { readonly page: string } | { readonly cursor: string };
}

/** Start of a round of pages: everything in a window, or changes since an earlier round. */
export type RoundStart =
  | { readonly kind: 'full'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'incremental'; readonly cursor: string };

export interface Account {
  /** The owner of the calendar. */
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
  /** `next.page` of the previous page; null: the first page. */
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
  /** The provider's id, for renewing or closing it. */
  readonly providerChannelId: string;
  readonly expiresMs: number;
}

export interface ConsentScope {
  /** As the provider names it. */
  readonly scope: string;
  /** One sentence for the owner of the account. */
  readonly purpose: string;
}

export interface ConsentRequest {
  /** Registered at the provider; without a query. */
  readonly redirectUrl: string;
  readonly state: string;
  /** Secret of PKCE. */
  readonly verifier: string;
}

/** The query of the address to which the provider redirected the browser. */
export type ConsentResponse = Readonly<Record<string, string>>;

/** Authorization by the owner of an account: authorization code with PKCE. */
export interface Consent {
  readonly consentScopes: readonly ConsentScope[];
  /** The page of the provider to open in the owner's browser. */
  authorizationUrl(app: OauthApp, request: ConsentRequest): Promise<URL>;
  /** Redeems the code of a response. Rejects with ConsentRefusal, too. */
  redeemCode(
    app: OauthApp,
    request: ConsentRequest,
    response: ConsentResponse,
  ): Promise<Tokens & { readonly refreshToken: string }>;
}

/** A calendar provider. All methods reject with ProviderError. */
export interface CalendarProvider extends Consent {
  /** Maximum lifetime of a new channel, in ms. */
  readonly channelLifetimeMs: number;
  refresh(app: OauthApp, refreshToken: string): Promise<Tokens>;
  listCalendars(accessToken: string): Promise<readonly RawCalendar[]>;
  readCalendar(accessToken: string, rawCalendarId: string): Promise<RawCalendar>;
  readPage(accessToken: string, request: PageRequest): Promise<Page>;
  /** The current occurrences of a series in a window. Rejects with `gone` when the series does not exist. */
  readOccurrences(accessToken: string, request: OccurrencesRequest): Promise<readonly ProviderItem[]>;
  /** Merges an occurrence with its master; null: the series is cancelled. Throws for an unreadable occurrence. */
  inherit(item: Inherited, master: Inherited, account: Account): Occurrence | null;
  readMaster(accessToken: string, providerSeriesId: string): Promise<Inherited>;
  openChannel(accessToken: string, request: ChannelRequest): Promise<OpenChannel>;
  /** Null: the provider does not renew channels; a new one has to be opened. */
  renewChannel(accessToken: string, channel: OpenChannel): Promise<OpenChannel | null>;
  closeChannel(
    accessToken: string,
    channel: { readonly channelId: string; readonly providerChannelId: string },
  ): Promise<void>;
}

/**
 * revoked: the consent was revoked. denied: the consent does not cover the request. expired: the access token is
 * invalid. cursor-expired: a full round is required. gone: not found. busy: retry later. unreachable: no response.
 * unreadable: the response has an unknown form.
 * client-replaced: the operator's OAuth client of the connection is not configured any more.
 */
export type ProviderErrorKind =
  | 'revoked'
  | 'bad-client'
  | 'client-replaced'
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
  /** The wait that the provider requested. */
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
