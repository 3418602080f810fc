import { randomUUID } from 'node:crypto';
import { retry } from '@rapporteur/async';
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
const pollMs = 100;

/**
 * Access tokens of connections. A refresh token may be usable only once: a renewal is leased by the connection's row,
 * and its result is stored before use.
 */
export class AccessTokens {
  readonly #dependencies: AccessTokenDependencies;
  /** One renewal per connection in this process. */
  readonly #renewing = new Map<string, Promise<string>>();

  constructor(dependencies: AccessTokenDependencies) {
    this.#dependencies = dependencies;
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
    const running = this.#renewing.get(calendarId);
    if (running !== undefined) return await running;
    const renewing = this.#renewOnce(calendarId, refused).finally(() => this.#renewing.delete(calendarId));
    this.#renewing.set(calendarId, renewing);
    return await renewing;
  }

  /** No connection to the database is held while the provider responds. */
  async #renewOnce(calendarId: string, refused: string | null): Promise<string> {
    const { database, clock } = this.#dependencies;
    const renewal = randomUUID();
    for (const endMs = clock.monotonic() + leaseMs; clock.monotonic() < endMs; await clock.sleep(pollMs)) {
      const at = clock.now();
      const lease = { renewal, at: new Date(at), until: new Date(at + leaseMs) };
      const row = await claimRenewal(database, calendarId, lease);
      // Another process may have renewed it in the meantime.
      const usable = this.#usable(row ?? (await findConnectionRow(database, calendarId)), refused);
      if (row !== null && usable === null) return await this.#renewLeased(row, renewal);
      if (row !== null) await changeConnection(database, calendarId, noRenewal, renewal);
      if (usable !== null) return usable;
    }
    throw new ProviderError('busy', 'The authorisation is being renewed by another process.');
  }

  async #renewLeased(row: ConnectionRow, renewal: string): Promise<string> {
    const { database, clock, logger, providers, sealing } = this.#dependencies;
    const { calendar_id: calendarId } = row;
    const app = oauthAppOf(this.#dependencies, row);
    const refreshing = providers[row.platform].refresh(app, sealing.openColumn(row, 'refresh_token') ?? '');
    const tokens = await refreshing.catch(async (error: unknown) => {
      await changeConnection(database, calendarId, noRenewal, renewal);
      throw error;
    });
    const columns = { ...this.#columnsOf(row, tokens), ...noRenewal };
    // The former refresh token may be used up: if the new one is lost, the customer must connect the calendar again.
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
