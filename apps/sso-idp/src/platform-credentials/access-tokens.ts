import { LeasedRenewals, retry } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/entities.ts';
import { ZoomRefusal, ZoomTimeout } from '../zoom/zoom-accounts.ts';
import type { ZoomAccounts, ZoomConsent } from '../zoom/zoom-accounts.ts';
import { sealedTokens } from './authorise.ts';
import type { CredentialPlace, CredentialSecrets } from './credential-secrets.ts';
import { changeCredential, claimRenewal, findCredential, noRenewal } from './credentials.store.ts';

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
/** Longer than a request to Zoom and its storage: a refresh token is used by one process alone. */
const leaseMs = 20_000;

/** Access tokens of stored credentials, renewed when needed. */
export class AccessTokens {
  readonly #dependencies: AccessTokenDependencies;
  readonly #renewals: LeasedRenewals<AccessToken>;

  constructor(dependencies: AccessTokenDependencies) {
    this.#dependencies = dependencies;
    this.#renewals = new LeasedRenewals(dependencies.clock, leaseMs);
  }

  /** `refused` is a token that Zoom no longer accepts, whatever its expiry. Rejects with ZoomTimeout. */
  async get(place: CredentialPlace, refused: string | null = null): Promise<AccessToken> {
    const row = await findCredential(this.#dependencies.database, place);
    return this.#usable(row, refused) ?? (await this.#renew(place, refused));
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

  async #renew(place: CredentialPlace, refused: string | null): Promise<AccessToken> {
    const { database } = this.#dependencies;
    return await this.#renewals.renew(place.credentialId, {
      claim: (lease) => claimRenewal(database, place, lease),
      find: () => findCredential(database, place),
      usable: (row) => this.#usable(row, refused),
      request: (row: CredentialRow) => this.#requestZoom(row),
      keep: (_row, consent, renewal) =>
        consent instanceof ZoomRefusal ? this.#spoil(place, consent, renewal) : this.#keep(place, consent, renewal),
      release: (renewal) => changeCredential(database, place, noRenewal, renewal),
      busy: () => new ZoomTimeout('The authorisation is being renewed by another process'),
    });
  }

  /** The old refresh token is used up: without the new one the customer would have to authorise the app again. */
  async #keep(place: CredentialPlace, consent: ZoomConsent, renewal: string): Promise<AccessToken> {
    const { database, clock, logger } = this.#dependencies;
    const columns = { ...this.#columnsOf(place, consent), ...noRenewal };
    await retry(() => changeCredential(database, place, columns, renewal), {
      clock,
      ...storeAgain,
      onRetry: (err) => logger.error({ err, ...place }, 'Renewed tokens could not be stored; trying again.'),
    });
    return { token: consent.accessToken };
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

  async #spoil(place: CredentialPlace, refusal: ZoomRefusal, renewal: string): Promise<AccessToken> {
    const { database, clock, logger } = this.#dependencies;
    const lastError = sentenceFor(refusal);
    const invalid = { state: 'invalid', last_error_message: lastError, last_error_at: new Date(clock.now()) } as const;
    await changeCredential(database, place, { ...invalid, ...noRenewal }, renewal);
    const { status, reason } = refusal;
    logger.warn({ ...place, status, reason }, 'A stored credential is invalid now: Zoom refused to renew it.');
    return { token: null, state: 'invalid', lastError };
  }
}

function sentenceFor({ status, reason }: ZoomRefusal): string {
  const reported = reason === null ? `HTTP status ${status}` : reason;
  if (reason === 'invalid_client' || reason === 'unauthorized_client') {
    return `Zoom no longer accepts the app's client_id and client_secret (${reported}). Send the app's present pair with a new authorization code.`;
  }
  return `Zoom refused to renew the authorisation (${reported}): the user or an administrator took it back, or it was not used for too long. Have the user authorise the app again and send the new code.`;
}
