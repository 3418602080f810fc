import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import { ZoomRefusal, ZoomTimeout } from '../zoom/zoom-accounts.ts';
import type { ZoomAccounts, ZoomApp, ZoomConsent, ZoomUser } from '../zoom/zoom-accounts.ts';
import type { CredentialPlace, CredentialSecrets } from './credential-secrets.ts';
import type { ConsentColumns } from './credentials.store.ts';

export interface AuthoriseDependencies {
  readonly zoom: ZoomAccounts;
  readonly secrets: CredentialSecrets;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Columns of a consent for a credential without a user. */
export const noConsent: ConsentColumns = {
  credential_type: 'app',
  refresh_token: null,
  access_token: null,
  access_token_expires_at: null,
  zoom_user_id: null,
  zoom_account_id: null,
  zoom_email: null,
  zoom_display_name: null,
  scopes: null,
};

/**
 * Exchanges a code and reads its user. Throws CREDENTIAL_REFUSED that names the field when Zoom refuses it, and
 * UNAVAILABLE when Zoom does not respond.
 */
export async function authorise(
  dependencies: AuthoriseDependencies,
  place: CredentialPlace,
  app: ZoomApp,
  code: { readonly code: string; readonly redirectUri: string },
): Promise<ConsentColumns> {
  const consent = await dependencies.zoom.exchange(app, code).catch((error: unknown) => {
    throw inWords(error, codeRefusal);
  });
  const user = await dependencies.zoom.readUser(consent.accessToken).catch((error: unknown) => {
    throw inWords(error, userRefusal);
  });
  return { ...sealedTokens(dependencies, place, consent), ...userColumns(user), scopes: consent.scopes };
}

/** The columns of the two tokens, which always change together. */
export function sealedTokens(
  { secrets, now }: Omit<AuthoriseDependencies, 'zoom'>,
  place: CredentialPlace,
  consent: ZoomConsent,
) {
  return {
    refresh_token: secrets.seal(place, 'refresh_token', consent.refreshToken),
    access_token: secrets.seal(place, 'access_token', consent.accessToken),
    access_token_expires_at: new Date(now() + consent.expiresInMs),
  };
}

function userColumns(user: ZoomUser) {
  return {
    credential_type: 'user' as const,
    zoom_user_id: user.id,
    zoom_account_id: user.accountId,
    zoom_email: user.email,
    zoom_display_name: user.displayName,
  };
}

function inWords(error: unknown, refused: (refusal: ZoomRefusal) => Failure): unknown {
  if (error instanceof ZoomRefusal) return refused(error);
  if (error instanceof ZoomTimeout) {
    const message = 'Zoom does not respond now, so the authorization code could not be checked. Nothing was stored.';
    return fail('UNAVAILABLE', { message, cause: error });
  }
  return error;
}

function codeRefusal({ reason }: ZoomRefusal): Failure {
  if (reason === 'invalid_client' || reason === 'unauthorized_client') {
    return refusal(
      'client_secret',
      'Zoom does not recognise this pair of client_id and client_secret. Copy both from your app.',
    );
  }
  const why =
    'A code works once, for five minutes, and with the redirect_uri it was requested with: have the user authorise the app again.';
  return refusal('authorization_code', `Zoom does not take this code. ${why}`);
}

function userRefusal(): Failure {
  const sentence =
    'Zoom accepted the code but does not identify its user. Add the scope user:read:user to your app, and have the user authorise it again.';
  return refusal('authorization_code', sentence);
}

function refusal(field: string, sentence: string): Failure {
  return invalid(field, sentence, 'CREDENTIAL_REFUSED');
}
