import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import type { Outbox } from '@rapporteur/event-bus';
import { fail, Failure } from '@rapporteur/failures';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { invalid } from '@rapporteur/service-runtime';
import type { BodyOf, Clock } from '@rapporteur/service-runtime';
import { calendarProviders } from '@rapporteur/contracts';
import type { DecideBots } from '../bots/decide-bots.ts';
import { teamTransaction } from '../bots/team-transaction.ts';
import type { TeamTransaction } from '../bots/team-transaction.ts';
import { writeNotice, writeNotices } from '../notices/write-notices.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { CalendarProvider, OauthApp, RawCalendar, Tokens } from '../providers/calendar-provider.ts';
import type { ConnectionRow, Platform, ConnectionStatus } from '../schema/entities.ts';
import type { CalendarPlace, Sealing } from '../sealing.ts';
import { connectionNotice } from './connection-shape.ts';
import { changeConnection, findConnection, insertConnection, noRenewal } from './connections.store.ts';

type ListRaw = BodyOf<'listRawCalendars'>;
/** The gateway adds the address of the legacy API. */
type CreateCalendar = BodyOf<'createCalendar'> & { readonly webhook_url?: string | null };
type Credentials = Omit<ListRaw, 'calendar_platform'>;

export interface ConnectDependencies {
  readonly database: Database;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly sealing: Sealing;
  readonly events: Pick<Outbox, 'add' | 'notify'>;
  readonly decideBots: DecideBots;
  /** Checks addresses of customers. */
  readonly checkUrl: OutboundHttp['checkUrl'];
  readonly clock: Clock;
  /** Notifies the worker that a calendar is due. */
  readonly onDue: () => void;
  /** Notifies the worker that bots are to be applied. */
  readonly onDecided: () => void;
}

/** Calendars of an account that is not connected. Throws CALENDAR_CREDENTIALS_REFUSED, CALENDAR_FORBIDDEN and UNAVAILABLE. */
export async function listRawCalendars(
  { providers }: Pick<ConnectDependencies, 'providers'>,
  body: ListRaw,
): Promise<readonly RawCalendar[]> {
  const provider = providers[body.calendar_platform];
  return await asFailure(body.calendar_platform, async () => {
    const { app, refreshToken } = credentialsOf(body);
    const { accessToken } = await provider.refresh(app, refreshToken);
    return await provider.listCalendars(accessToken);
  });
}

/**
 * Connects a calendar; its first sync is due at once. Throws what listing throws, CALENDAR_CONNECTED_ALREADY, and
 * VALIDATION or ADDRESS_REFUSED for `webhook_url`.
 */
export async function connectCalendar(
  dependencies: ConnectDependencies,
  teamId: string,
  { calendar_platform: platform, webhook_url: webhookUrl = null, ...body }: CreateCalendar,
): Promise<ConnectionRow> {
  refuseWebhook(dependencies, webhookUrl);
  const credentials = credentialsOf(body);
  const account = await readAccount(dependencies, platform, { credentials, rawCalendarId: body.raw_calendar_id });
  return await insertCalendar(dependencies, teamId, {
    ...account,
    platform,
    credentials,
    preferredPlatform: body.preferred_platform,
    webhookUrl,
  });
}

export interface AppCredentials {
  readonly app: OauthApp;
  readonly refreshToken: string;
  /** The app is the operator's: its secret is not stored with the connection. */
  readonly isOperators: boolean;
}

/** Tokens for credentials, and the calendar that they read. Throws what listing throws. */
export async function readAccount(
  { providers }: Pick<ConnectDependencies, 'providers'>,
  platform: Platform,
  { credentials, rawCalendarId }: { readonly credentials: AppCredentials; readonly rawCalendarId: string },
): Promise<{ readonly tokens: Tokens; readonly calendar: RawCalendar }> {
  return await asFailure(platform, async () => {
    const tokens = await providers[platform].refresh(credentials.app, credentials.refreshToken);
    return { tokens, calendar: await providers[platform].readCalendar(tokens.accessToken, rawCalendarId) };
  });
}

export interface NewCalendar {
  readonly platform: Platform;
  readonly credentials: AppCredentials;
  readonly tokens: Tokens;
  readonly calendar: RawCalendar;
  readonly preferredPlatform: ConnectionRow['preferred_platform'];
  readonly webhookUrl: string | null;
}

/** Throws CALENDAR_CONNECTED_ALREADY. */
export async function insertCalendar(
  dependencies: ConnectDependencies,
  teamId: string,
  { platform, credentials, tokens, calendar, preferredPlatform, webhookUrl }: NewCalendar,
): Promise<ConnectionRow> {
  const { database, events, clock } = dependencies;
  const place = { teamId, calendarId: randomUUID() };
  try {
    const row = await database.transaction(async (transaction) => {
      const created = await insertConnection(transaction, {
        calendar_id: place.calendarId,
        team_id: teamId,
        platform,
        raw_calendar_id: calendar.id,
        account_email: calendar.email,
        name: calendar.name,
        time_zone: calendar.timeZone,
        ...credentialColumns(dependencies, place, { credentials, tokens }),
        preferred_platform: preferredPlatform,
        webhook_url: webhookUrl,
        created_at: new Date(clock.now()),
      });
      await writeNotice({ transaction, events }, created, connectionNotice(created, 'calendar.connection_created'));
      return created;
    });
    events.notify();
    dependencies.onDue();
    return row;
  } catch (error) {
    if (isUniqueViolation(error)) throw fail('CALENDAR_CONNECTED_ALREADY');
    throw error;
  }
}

function refuseWebhook({ checkUrl }: Pick<ConnectDependencies, 'checkUrl'>, url: string | null): void {
  try {
    if (url !== null) checkUrl(url);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw invalid('webhook_url', error.message, error.code);
  }
}

/**
 * Replaces the credentials of a connection, which must work, and chooses links again. Throws CALENDAR_NOT_FOUND and
 * what connecting throws.
 */
export async function updateCalendar(
  dependencies: ConnectDependencies,
  place: CalendarPlace,
  { preferred_platform: preferred, ...given }: BodyOf<'updateCalendar'>,
): Promise<ConnectionRow> {
  const { database, events, clock } = dependencies;
  const held = await findConnection(database, place);
  if (held === null) throw fail('CALENDAR_NOT_FOUND');
  const at = new Date(clock.now());
  // The contract requires the credentials together.
  const credentials =
    given.oauth_client_id === undefined ? null : credentialsOf({ oauth_tenant_id: 'common', ...given } as Credentials);
  const renewed = credentials === null ? {} : await checkCredentials(dependencies, held, { credentials, at });
  const row = await teamTransaction(database, place.teamId, async (transaction) => {
    const before = await findConnection(transaction, place);
    const changed = await changeConnection(transaction, place.calendarId, {
      ...renewed,
      ...(preferred === undefined ? {} : { preferred_platform: preferred }),
      updated_at: at,
    });
    if (before === null || changed === null) throw fail('CALENDAR_NOT_FOUND');
    if (changed.preferred_platform !== before.preferred_platform) await chooseLinks(dependencies, transaction, changed);
    await writeNotice({ transaction, events }, changed, connectionNotice(changed, 'calendar.connection_updated'));
    return changed;
  });
  events.notify();
  dependencies.onDue();
  dependencies.onDecided();
  return row;
}

/** Checks credentials and returns their columns. */
async function checkCredentials(
  dependencies: ConnectDependencies,
  held: ConnectionRow,
  { credentials, at }: { readonly credentials: AppCredentials; readonly at: Date },
) {
  const { tokens } = await readAccount(dependencies, held.platform, {
    credentials,
    rawCalendarId: held.raw_calendar_id,
  });
  return renewedColumns(dependencies, held, { credentials, tokens, at });
}

/** Columns of a connection that works with other credentials from now on. */
export function renewedColumns(
  dependencies: ConnectDependencies,
  held: ConnectionRow,
  { at, ...renewed }: Received & { readonly at: Date },
) {
  const place = { teamId: held.team_id, calendarId: held.calendar_id };
  return {
    ...credentialColumns(dependencies, place, renewed),
    // A renewal of the former tokens that is in progress stores nothing.
    ...noRenewal,
    status: 'active' as const,
    status_message: null,
    sync_failures: 0,
    next_sync_at: at,
    updated_at: at,
  };
}

/**
 * Chooses the links of a calendar's events again after a change of its preferred platform; updates bots and webhooks.
 */
async function chooseLinks(
  { decideBots, events }: Pick<ConnectDependencies, 'decideBots' | 'events'>,
  transaction: TeamTransaction,
  connection: ConnectionRow,
): Promise<void> {
  const changed = await transaction.query<{ event_id: string }>(
    `update events set meeting_url = chosen.link->>'url', meeting_platform = chosen.link->>'platform', updated_at = $3
     from (select event_id, coalesce(
         (select link from jsonb_array_elements(meeting_links) with ordinality as given (link, place)
          where link->>'platform' = $2 order by place limit 1), meeting_links->0) as link
       from events where calendar_id = $1 and jsonb_array_length(meeting_links) > 1) chosen
     where events.event_id = chosen.event_id and events.meeting_url <> chosen.link->>'url' returning events.event_id`,
    [connection.calendar_id, connection.preferred_platform, connection.updated_at],
  );
  const ids = changed.map(({ event_id }) => event_id);
  await decideBots(transaction, connection.team_id, ids);
  const changes = ids.map((event_id) => ({ event_id, change: 'updated' as const }));
  await writeNotices({ transaction, events }, connection, { changes, isFull: false });
}

/**
 * Deletes a connection with its events; its bots that have not started are cancelled, its push channels are closed soon
 * after.
 */
export async function deleteCalendar(dependencies: ConnectDependencies, place: CalendarPlace): Promise<void> {
  const { database, events, clock, decideBots } = dependencies;
  const at = new Date(clock.now());
  await teamTransaction(database, place.teamId, async (transaction) => {
    const [row] = await transaction.query<ConnectionRow>(
      `update connections set deleted_at = $3, next_sync_at = $3, updated_at = $3
       where team_id = $1 and calendar_id = $2 and deleted_at is null returning *`,
      [place.teamId, place.calendarId, at],
    );
    if (row === undefined) throw fail('CALENDAR_NOT_FOUND');
    const wanting = await transaction.query<{ event_id: string }>(
      `select event.event_id from events event where event.calendar_id = $1 and exists (
         select 1 from wanted_bots bot where bot.event_id = event.event_id and bot.state = 'wanted')`,
      [place.calendarId],
    );
    await decideBots(
      transaction,
      place.teamId,
      wanting.map(({ event_id }) => event_id),
    );
    await transaction.query('delete from series where calendar_id = $1', [place.calendarId]);
    await transaction.query(`update channels set state = 'closing' where calendar_id = $1`, [place.calendarId]);
    await writeNotice({ transaction, events }, row, {
      event: 'calendar.connection_deleted',
      data: { calendar_id: row.calendar_id, calendar_platform: row.platform, deleted_at: at.toISOString() },
    });
  });
  events.notify();
  dependencies.onDecided();
  dependencies.onDue();
}

function credentialsOf(body: Credentials): AppCredentials {
  const { oauth_client_id: clientId, oauth_client_secret: clientSecret, oauth_tenant_id: tenantId } = body;
  return { app: { clientId, clientSecret, tenantId }, refreshToken: body.oauth_refresh_token, isOperators: false };
}

interface Received {
  readonly credentials: AppCredentials;
  readonly tokens: Tokens;
}

function credentialColumns(
  { sealing, clock }: ConnectDependencies,
  place: CalendarPlace,
  { credentials: { app, refreshToken, isOperators }, tokens }: Received,
) {
  return {
    oauth_client_id: app.clientId,
    oauth_tenant_id: app.tenantId,
    client_secret: sealing.sealColumn(place, 'client_secret', isOperators ? '' : app.clientSecret),
    // The one of the request stays valid, unless the provider issued another.
    refresh_token: sealing.sealColumn(place, 'refresh_token', tokens.refreshToken ?? refreshToken),
    access_token: sealing.sealColumn(place, 'access_token', tokens.accessToken),
    access_token_expires_at: new Date(clock.now() + tokens.expiresInMs),
  };
}

/** Converts the provider's errors. */
export async function asFailure<T>(platform: Platform, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) throw failureOf(error, platform);
    throw error;
  }
}

export function failureOf(error: ProviderError, platform: Platform): Failure {
  const message = causeOf(error, platform);
  switch (error.kind) {
    case 'revoked':
    case 'bad-client':
    case 'client-replaced':
    case 'expired':
    case 'refused':
      return fail('CALENDAR_CREDENTIALS_REFUSED', { message, cause: error });
    case 'denied':
      return fail('CALENDAR_FORBIDDEN', { message, cause: error });
    case 'gone':
      return invalid('raw_calendar_id', 'The account has no such calendar. POST /v2/calendars/list-raw lists them.');
    case 'cursor-expired':
    case 'busy':
    case 'unreadable':
    case 'unreachable':
      return fail('UNAVAILABLE', { message: `${message} Try again in a moment.`, cause: error });
  }
}

interface ConnectionProblem {
  readonly status: ConnectionStatus;
  readonly message: string;
}

/** Interval of the syncs of a connection with a problem. */
export const problemRetryMs = 15 * 60_000;
const retried = `The sync is retried every ${problemRetryMs / 60_000} minutes`;

/** Why a provider refused a request, as sentences for the customer. */
function causeOf({ kind, message }: ProviderError, platform: Platform): string {
  const { name } = calendarProviders[platform];
  switch (kind) {
    case 'revoked':
    case 'expired':
      return `${name} refused to renew the authorisation: it was revoked or has expired. Have the user authorise the app again.`;
    case 'bad-client':
      return `${name} does not accept the OAuth client: check its id and secret.`;
    case 'denied':
      return `${name} does not permit reading this calendar: grant the calendar scope.`;
    default:
      return message;
  }
}

/** The status and message of a connection after a failed sync; null: the error is temporary. */
export function connectionProblemOf(error: unknown, platform: Platform): ConnectionProblem | null {
  if (!(error instanceof ProviderError)) {
    return {
      status: 'error',
      message: `The sync of this calendar failed in this deployment. ${retried}; if that does not help, send the calendar_id to the operator.`,
    };
  }
  const cause = causeOf(error, platform);
  switch (error.kind) {
    case 'revoked':
    case 'expired':
      return {
        status: 'revoked',
        message: `${cause} Then connect the calendar again, or send the new oauth_refresh_token with PATCH.`,
      };
    case 'bad-client':
      return {
        status: 'revoked',
        message: `${cause} Send both with PATCH, or connect the calendar again.`,
      };
    case 'client-replaced':
      return { status: 'revoked', message: `${cause} Connect the calendar again.` };
    case 'denied':
      return {
        status: 'permission_denied',
        message: `${cause} Then connect the calendar again, or send the new oauth_refresh_token with PATCH.`,
      };
    case 'gone':
      return {
        status: 'error',
        message: `${calendarProviders[platform].name} has no such calendar any more. Delete this connection.`,
      };
    case 'unreadable':
    case 'refused':
      return { status: 'error', message: `${cause} ${retried}.` };
    case 'cursor-expired':
    case 'busy':
    case 'unreachable':
      return null;
  }
}
