import { calendarProviders } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { Logger } from '@rapporteur/service-runtime';
import { randomPKCECodeVerifier, randomState } from 'openid-client';
import { insertCalendar, asFailure, readAccount, renewedColumns } from '../connections/connect-calendar.ts';
import type { ConnectDependencies, NewCalendar } from '../connections/connect-calendar.ts';
import { connectionNotice } from '../connections/connection-shape.ts';
import { changeConnection } from '../connections/connections.store.ts';
import { writeNotice } from '../notices/write-notices.ts';
import type { ConsentResponse, OauthApp, RawCalendar } from '../providers/calendar-provider.ts';
import { ConsentRefusal } from '../providers/consent.ts';
import type { ConsentRefusalReason } from '../providers/consent.ts';
import type { ConnectionRow, ConsentRow, Platform } from '../schema/entities.ts';
import { insertConsent, keepRefreshToken, redeemConsent, takeConsent } from './consents.store.ts';
import type { ConsentOwner } from './consents.store.ts';
import type { OauthClients } from '../providers/oauth-clients.ts';

export interface ConsentDependencies extends ConnectDependencies {
  readonly clients: OauthClients;
  readonly logger: Logger;
}

export interface StartedConsent {
  readonly row: ConsentRow;
  readonly address: URL;
}

/** Begins a consent. Throws CALENDAR_CONSENT_UNAVAILABLE. */
export async function startConsent(
  { database, sealing, providers, clients, clock }: ConsentDependencies,
  owner: ConsentOwner,
  platform: Platform,
): Promise<StartedConsent> {
  const app = clientOf(clients, platform);
  const [state, verifier] = [randomState(), randomPKCECodeVerifier()];
  const now = clock.now();
  const row = await insertConsent(database, sealing, {
    ...owner,
    platform,
    clientId: app.clientId,
    state,
    verifier,
    now,
  });
  const request = { redirectUrl: clients.redirectUrl, state, verifier };
  return { row, address: await providers[platform].authorizationUrl(app, request) };
}

export interface RedeemedConsent {
  readonly row: ConsentRow;
  readonly calendars: readonly RawCalendar[];
  readonly expiresAt: Date;
}

/**
 * Redeems what the provider sent to the redirect address; `state` works once. Throws CALENDAR_CONSENT_NOT_FOUND,
 * CALENDAR_CONSENT_REFUSED and what listing calendars throws.
 */
export async function redeem(
  dependencies: ConsentDependencies,
  owner: ConsentOwner,
  response: ConsentResponse & { readonly state: string },
): Promise<RedeemedConsent> {
  const { database, sealing, providers, clients, clock } = dependencies;
  const { state } = response;
  const row = await redeemConsent(database, owner, { state, now: clock.now() });
  if (row === null) throw fail('CALENDAR_CONSENT_NOT_FOUND');
  const app = clientOf(clients, row.platform);
  const verifier = sealing.openConsent(row, 'verifier') ?? '';
  const request = { redirectUrl: clients.redirectUrl, state, verifier };
  const provider = providers[row.platform];
  const tokens = await asFailure(row.platform, () => provider.redeemCode(app, request, response)).catch(
    (error: unknown) => {
      throw error instanceof ConsentRefusal ? refusalOf(dependencies, row, error) : error;
    },
  );
  const calendars = await asFailure(row.platform, () => provider.listCalendars(tokens.accessToken));
  const { refreshToken } = tokens;
  const expiresAt = await keepRefreshToken(database, sealing, { row, refreshToken, now: clock.now() });
  return { row, calendars, expiresAt };
}

export interface ChosenCalendar {
  readonly consentId: string;
  readonly rawCalendarId: string;
  readonly preferredPlatform: ConnectionRow['preferred_platform'];
}

/**
 * Connects a calendar of a redeemed consent, or renews the credentials of its connection. The consent is used up.
 * Throws CALENDAR_CONSENT_NOT_FOUND and what connecting throws.
 */
export async function connectConsented(
  dependencies: ConsentDependencies,
  owner: ConsentOwner,
  { consentId, rawCalendarId, preferredPlatform }: ChosenCalendar,
): Promise<ConnectionRow> {
  const { database, sealing, clients, clock } = dependencies;
  const consent = await takeConsent(database, owner, { consentId, now: clock.now() });
  if (consent === null) throw fail('CALENDAR_CONSENT_NOT_FOUND');
  const { platform } = consent;
  const credentials = {
    app: clientOf(clients, platform),
    refreshToken: sealing.openConsent(consent, 'refresh_token') ?? '',
    isOperators: true,
  };
  const account = await readAccount(dependencies, platform, { credentials, rawCalendarId });
  const calendar = { ...account, platform, credentials, preferredPlatform, webhookUrl: null };
  return (
    (await renewConnected(dependencies, owner.teamId, calendar)) ??
    (await insertCalendar(dependencies, owner.teamId, calendar))
  );
}

/** Null: the team has not connected this calendar. */
async function renewConnected(
  dependencies: ConsentDependencies,
  teamId: string,
  { platform, credentials, tokens, calendar }: NewCalendar,
): Promise<ConnectionRow | null> {
  const { database, events, clock } = dependencies;
  const at = new Date(clock.now());
  const row = await database.transaction(async (transaction) => {
    const [held] = await transaction.query<ConnectionRow>(
      `select * from connections where team_id = $1 and platform = $2 and raw_calendar_id = $3 and deleted_at is null
       for no key update`,
      [teamId, platform, calendar.id],
    );
    if (held === undefined) return null;
    const columns = renewedColumns(dependencies, held, { credentials, tokens, at });
    const renewed = await changeConnection(transaction, held.calendar_id, columns);
    if (renewed === null) return null;
    await writeNotice({ transaction, events }, renewed, connectionNotice(renewed, 'calendar.connection_updated'));
    return renewed;
  });
  if (row === null) return null;
  events.notify();
  dependencies.onDue();
  return row;
}

function clientOf({ of }: OauthClients, platform: Platform): OauthApp {
  const app = of[platform];
  if (app === null) throw fail('CALENDAR_CONSENT_UNAVAILABLE');
  return app;
}

const refusalTexts: Readonly<Record<ConsentRefusalReason, (name: string) => string>> = {
  declined: (name) => `The consent was declined at ${name}. Nothing was connected.`,
  administrator: (name) =>
    `The organization of this account lets only an administrator permit this at ${name}. Ask the administrator to approve the app, then connect again.`,
  scope_missing: (name) =>
    `${name} did not get permission to show the calendar, because its box was not ticked. Connect again and leave it ticked.`,
  no_refresh_token: (name) =>
    `${name} gave access for one hour only. Remove this app from the account's connected apps, then connect again.`,
  code_refused: (name) => `${name} does not accept the code of this consent: it expired or was used. Connect again.`,
  provider_error: (name) =>
    `${name} reported an error of this deployment's OAuth client. Its operator finds the reason in the log of calendar-sync.`,
};

function refusalOf({ logger }: ConsentDependencies, row: ConsentRow, error: ConsentRefusal): Failure {
  const { consent_id: consentId, team_id: teamId, platform } = row;
  logger.warn({ err: error, consentId, teamId, platform }, 'A consent for a calendar was refused.');
  const message = refusalTexts[error.reason](calendarProviders[platform].name);
  return fail('CALENDAR_CONSENT_REFUSED', { message, details: error.reason, cause: error });
}
