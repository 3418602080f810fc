import { retry } from '@rapporteur/async';
import type { Database, Executor } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { oauthAppOf } from '../providers/oauth-clients.ts';
import type { OauthClients } from '../providers/oauth-clients.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { CalendarProvider, Tokens } from '../providers/calendar-provider.ts';
import type { ConnectionRow, Platform } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';
import { findConnectionRow, lockConnection } from './connections.store.ts';

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

/**
 * Access tokens of connections. A refresh token may be usable only once: renewals are serialized by the connection's
 * row lock, and the result is stored before use.
 */
export class AccessTokens {
  readonly #dependencies: AccessTokenDependencies;

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
    const { database } = this.#dependencies;
    let renewed: { readonly tokens: Tokens; readonly before: Buffer } | null = null;
    try {
      return await database.transaction(async (transaction) => {
        const row = await lockConnection(transaction, calendarId);
        // Another instance may have renewed it while this one waited for the lock.
        const usable = this.#usable(row, refused);
        if (usable !== null || row === null) return usable ?? '';
        const tokens = await this.#sendRequest(row);
        renewed = { tokens, before: row.refresh_token };
        await this.#store(transaction, row, tokens);
        return tokens.accessToken;
      });
    } catch (error) {
      if (renewed === null) throw error;
      return await this.#storeAgain(calendarId, renewed, error);
    }
  }

  async #sendRequest(row: ConnectionRow): Promise<Tokens> {
    const { sealing, providers } = this.#dependencies;
    const app = oauthAppOf(this.#dependencies, row);
    return await providers[row.platform].refresh(app, sealing.openColumn(row, 'refresh_token') ?? '');
  }

  async #store(executor: Executor, row: ConnectionRow, tokens: Tokens): Promise<void> {
    const { sealing, clock } = this.#dependencies;
    const place = { teamId: row.team_id, calendarId: row.calendar_id };
    const { accessToken, refreshToken, expiresInMs } = tokens;
    await executor.query(
      `update connections set access_token = $2, access_token_expires_at = $3, refresh_token = coalesce($4, refresh_token)
       where calendar_id = $1`,
      [
        row.calendar_id,
        sealing.sealColumn(place, 'access_token', accessToken),
        new Date(clock.now() + expiresInMs),
        refreshToken === null ? null : sealing.sealColumn(place, 'refresh_token', refreshToken),
      ],
    );
  }

  /** The former refresh token may be used up: if the new one is lost, the customer must connect the calendar again. */
  async #storeAgain(
    calendarId: string,
    { tokens, before }: { readonly tokens: Tokens; readonly before: Buffer },
    cause: unknown,
  ): Promise<string> {
    const { database, clock, logger } = this.#dependencies;
    logger.error({ err: cause, calendarId }, 'Renewed tokens could not be stored; trying again.');
    const store = () =>
      database.transaction(async (transaction) => {
        const row = await lockConnection(transaction, calendarId);
        if (row?.refresh_token.equals(before) === true) await this.#store(transaction, row, tokens);
      });
    await retry(store, { clock, ...storeAgain }).catch(() => Promise.reject(cause));
    return tokens.accessToken;
  }
}
