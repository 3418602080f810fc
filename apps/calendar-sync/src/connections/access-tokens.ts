import { LeasedRenewals, retry } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { oauthAppOf } from '../providers/oauth-clients.ts';
import type { OauthClients } from '../providers/oauth-clients.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { CalendarProvider, Tokens } from '../providers/calendar-provider.ts';
import type { ConnectionRow, Platform } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';
import { changeConnection, claimRenewal, findConnectionRow, noRenewal } from './connections.store.ts';

export interface AccessTokenDependencies {
  readonly database: Database;
  readonly sealing: Sealing;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly clients: OauthClients;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A token that expires sooner is renewed before use. */
const earlyMs = 120_000;
const storeAgain = { firstMs: 200, longestMs: 2_000, withinMs: 5_000 };
/** Longer than a request to the provider and its storage: a refresh token is used by one process alone. */
const leaseMs = 30_000;

/**
 * Access tokens of connections. A refresh token may be usable only once: a renewal is leased by the connection's row,
 * and its result is stored before use.
 */
export class AccessTokens {
  readonly #dependencies: AccessTokenDependencies;
  readonly #renewals: LeasedRenewals<string>;

  constructor(dependencies: AccessTokenDependencies) {
    this.#dependencies = dependencies;
    this.#renewals = new LeasedRenewals(dependencies.clock, leaseMs);
  }

  /**
   * Runs `work` with a token, and once more with a new one when the provider rejects it. Rejects with ProviderError.
   */
  async use<T>(calendarId: string, work: (accessToken: string) => Promise<T>): Promise<T> {
    const token = await this.get(calendarId, null);
    try {
      return await work(token);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'expired') throw error;
      return await work(await this.get(calendarId, token));
    }
  }

  /** @param refused a token that the provider rejected, even if it has not expired */
  async get(calendarId: string, refused: string | null): Promise<string> {
    const row = await findConnectionRow(this.#dependencies.database, calendarId);
    return this.#usable(row, refused) ?? (await this.#renew(calendarId, refused));
  }

  #usable(row: ConnectionRow | null, refused: string | null): string | null {
    if (row === null) throw new ProviderError('gone', 'The calendar was deleted.');
    const endsMs = row.access_token_expires_at?.getTime() ?? 0;
    if (endsMs - earlyMs <= this.#dependencies.clock.now()) return null;
    const token = this.#dependencies.sealing.openColumn(row, 'access_token');
    return token === refused ? null : token;
  }

  async #renew(calendarId: string, refused: string | null): Promise<string> {
    const { database, sealing, providers } = this.#dependencies;
    return await this.#renewals.renew(calendarId, {
      claim: (lease) => claimRenewal(database, calendarId, lease),
      find: () => findConnectionRow(database, calendarId),
      usable: (row) => this.#usable(row, refused),
      request: (row: ConnectionRow) =>
        providers[row.platform].refresh(
          oauthAppOf(this.#dependencies, row),
          sealing.openColumn(row, 'refresh_token') ?? '',
        ),
      keep: (row, tokens, renewal) => this.#keep(row, tokens, renewal),
      release: (renewal) => changeConnection(database, calendarId, noRenewal, renewal),
      busy: () => new ProviderError('busy', 'The authorisation is being renewed by another process.'),
    });
  }

  /** The former refresh token may be used up: if the new one is lost, the customer must connect the calendar again. */
  async #keep(row: ConnectionRow, tokens: Tokens, renewal: string): Promise<string> {
    const { database, clock, logger } = this.#dependencies;
    const { calendar_id: calendarId } = row;
    const columns = { ...this.#columnsOf(row, tokens), ...noRenewal };
    await retry(() => changeConnection(database, calendarId, columns, renewal), {
      clock,
      ...storeAgain,
      onRetry: (err) => logger.error({ err, calendarId }, 'Renewed tokens could not be stored; trying again.'),
    });
    return tokens.accessToken;
  }

  #columnsOf(row: ConnectionRow, { accessToken, refreshToken, expiresInMs }: Tokens) {
    const { sealing, clock } = this.#dependencies;
    const place = { teamId: row.team_id, calendarId: row.calendar_id };
    return {
      access_token: sealing.sealColumn(place, 'access_token', accessToken),
      access_token_expires_at: new Date(clock.now() + expiresInMs),
      ...(refreshToken === null ? {} : { refresh_token: sealing.sealColumn(place, 'refresh_token', refreshToken) }),
    };
  }
}
