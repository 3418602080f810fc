import { retry } from '@rapporteur/async';
import type { Database, Executor } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/entities.ts';
import type { ZoomAccounts, ZoomConsent } from '../zoom/zoom-accounts.ts';
import { ZoomRefusal } from '../zoom/zoom-failures.ts';
import { sealedTokens } from './authorise.ts';
import type { CredentialPlace, CredentialSecrets } from './credential-secrets.ts';
import { changeCredential, findCredential, lockCredential } from './credentials.store.ts';

export interface AccessTokenDependencies {
  readonly database: Database;
  readonly secrets: CredentialSecrets;
  readonly zoom: Pick<ZoomAccounts, 'renew'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A token for requests to Zoom, or why there is none: the credential is gone, or its consent is. */
export type AccessToken =
  | { readonly token: string }
  | { readonly token: null; readonly state: 'gone' | 'invalid'; readonly lastError: string | null };

/** A token that ends sooner is renewed before it is used. */
const earlyMs = 120_000;
const storeAgain = { firstMs: 200, longestMs: 2_000, withinMs: 5_000 };

/** Access tokens of stored credentials, renewed when needed. */
export class AccessTokens {
  readonly #dependencies: AccessTokenDependencies;
  /** One renewal per credential in this process; among processes its row is locked. */
  readonly #renewing = new Map<string, Promise<AccessToken>>();

  constructor(dependencies: AccessTokenDependencies) {
    this.#dependencies = dependencies;
  }

  /** `refused` is a token that Zoom no longer accepts, whatever its expiry. Rejects with ZoomTimeout. */
  async get(place: CredentialPlace, refused: string | null = null): Promise<AccessToken> {
    const row = await findCredential(this.#dependencies.database, place);
    return this.#usable(row, refused) ?? (await this.#renewOnce(place, refused));
  }

  /** Null when it has to be renewed. */
  #usable(row: CredentialRow | null, refused: string | null): AccessToken | null {
    if (row === null || row.credential_type === 'app') return { token: null, state: 'gone', lastError: null };
    if (row.state === 'invalid') return { token: null, state: 'invalid', lastError: row.last_error_message };
    const endsMs = row.access_token_expires_at?.getTime() ?? 0;
    if (endsMs - earlyMs <= this.#dependencies.clock.now()) return null;
    const token = this.#dependencies.secrets.open(row, 'access_token');
    return token === null || token === refused ? null : { token };
  }

  #renewOnce(place: CredentialPlace, refused: string | null): Promise<AccessToken> {
    const known = this.#renewing.get(place.credentialId);
    if (known !== undefined) return known;
    const renewing = this.#renew(place, refused).finally(() => this.#renewing.delete(place.credentialId));
    this.#renewing.set(place.credentialId, renewing);
    return renewing;
  }

  async #renew(place: CredentialPlace, refused: string | null): Promise<AccessToken> {
    let renewed: { readonly consent: ZoomConsent; readonly before: Buffer | null } | null = null;
    try {
      return await this.#dependencies.database.transaction(async (transaction) => {
        const row = await lockCredential(transaction, place);
        // Another process may have renewed it during the wait for the lock.
        const usable = this.#usable(row, refused);
        if (usable !== null || row === null) return usable ?? { token: null, state: 'gone', lastError: null };
        const consent = await this.#requestZoom(row);
        if (consent instanceof ZoomRefusal) return await this.#spoil(transaction, place, consent);
        renewed = { consent, before: row.refresh_token };
        await changeCredential(transaction, place, this.#columnsOf(place, consent));
        return { token: consent.accessToken };
      });
    } catch (error) {
      if (renewed === null) throw error;
      return await this.#storeAgain(place, renewed, error);
    }
  }

  async #requestZoom(row: CredentialRow): Promise<ZoomConsent | ZoomRefusal> {
    const { secrets, zoom } = this.#dependencies;
    const app = { clientId: row.client_id, clientSecret: secrets.open(row, 'client_secret') ?? '' };
    return await zoom.renew(app, secrets.open(row, 'refresh_token') ?? '').catch((error: unknown) => {
      if (error instanceof ZoomRefusal) return error;
      throw error;
    });
  }

  #columnsOf(place: CredentialPlace, consent: ZoomConsent) {
    const { secrets, clock } = this.#dependencies;
    const scopes = consent.scopes === null ? {} : { scopes: consent.scopes };
    return { ...sealedTokens({ secrets, now: () => clock.now() }, place, consent), ...scopes };
  }

  async #spoil(transaction: Executor, place: CredentialPlace, refusal: ZoomRefusal): Promise<AccessToken> {
    const { clock, logger } = this.#dependencies;
    const lastError = sentenceFor(refusal);
    await changeCredential(transaction, place, {
      state: 'invalid',
      last_error_message: lastError,
      last_error_at: new Date(clock.now()),
    });
    const { status, reason } = refusal;
    logger.warn({ ...place, status, reason }, 'A stored credential is invalid now: Zoom refused to renew it.');
    return { token: null, state: 'invalid', lastError };
  }

  /** The old refresh token is used up: without the new one the customer would have to authorise the app again. */
  async #storeAgain(
    place: CredentialPlace,
    { consent, before }: { readonly consent: ZoomConsent; readonly before: Buffer | null },
    cause: unknown,
  ): Promise<AccessToken> {
    const { database, clock, logger } = this.#dependencies;
    logger.error({ err: cause, ...place }, 'Renewed tokens could not be stored; trying again.');
    const store = () =>
      database.transaction(async (transaction) => {
        const row = await lockCredential(transaction, place);
        if (row === null || before === null || row.refresh_token?.equals(before) !== true) return;
        await changeCredential(transaction, place, this.#columnsOf(place, consent));
      });
    await retry(store, { clock, ...storeAgain }).catch(() => Promise.reject(cause));
    return { token: consent.accessToken };
  }
}

function sentenceFor({ status, reason }: ZoomRefusal): string {
  const reported = reason === null ? `HTTP status ${status}` : reason;
  if (reason === 'invalid_client' || reason === 'unauthorized_client') {
    return `Zoom does not take the app's client_id and client_secret any more (${reported}). Send the app's present pair with a new authorization code.`;
  }
  return `Zoom refused to renew the authorisation (${reported}): the user or an administrator took it back, or it was not used for too long. Have the user authorise the app again and send the new code.`;
}
