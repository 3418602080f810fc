import type { ProviderError } from '../providers/calendar-provider.ts';
import type { ConnectionStatus, Platform } from '../schema/rows.ts';

const providerNames: Readonly<Record<Platform, string>> = { google: 'Google', microsoft: 'Microsoft' };

export interface StatedProblem {
  readonly status: ConnectionStatus;
  readonly message: string;
}

/** What a provider's refusal makes of a connection, in words for the customer; null: it may pass by itself. */
export function problemOf(error: ProviderError, platform: Platform): StatedProblem | null {
  const name = providerNames[platform];
  switch (error.kind) {
    case 'revoked':
    case 'expired':
      return {
        status: 'revoked',
        message: `${name} refused to renew the authorisation: it was revoked or has expired. Send a new oauth_refresh_token with PATCH.`,
      };
    case 'bad-client':
      return {
        status: 'revoked',
        message: `${name} does not accept the oauth_client_id and oauth_client_secret any more. Send the present ones with PATCH.`,
      };
    case 'denied':
      return {
        status: 'permission_denied',
        message: `${name} does not permit reading this calendar. Grant the calendar scope again, and send the new oauth_refresh_token with PATCH.`,
      };
    case 'gone':
      return { status: 'error', message: `${name} has no such calendar any more. Delete this connection.` };
    default:
      return null;
  }
}
