import { calendarProviders } from '@rapporteur/contracts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { ConnectionStatus, Platform } from '../schema/entities.ts';

export interface StatedProblem {
  readonly status: ConnectionStatus;
  readonly message: string;
}

/** The status and message of a connection after a failed request or sync; null: the error is temporary. */
export function problemOf(error: unknown, platform: Platform): StatedProblem | null {
  const { name } = calendarProviders[platform];
  if (!(error instanceof ProviderError)) {
    return {
      status: 'error',
      message:
        'The sync of this calendar keeps failing on our side. It is tried again every quarter of an hour; the log of calendar-sync states the cause.',
    };
  }
  switch (error.kind) {
    case 'revoked':
    case 'expired':
      return {
        status: 'revoked',
        message: `${name} refused to renew the authorisation: it was revoked or has expired. Connect the calendar again, or send a new oauth_refresh_token with PATCH.`,
      };
    case 'bad-client':
      return {
        status: 'revoked',
        message: `${name} does not accept the OAuth client any more. Connect the calendar again, or send the present oauth_client_id and oauth_client_secret with PATCH.`,
      };
    case 'denied':
      return {
        status: 'permission_denied',
        message: `${name} does not permit reading this calendar. Connect the calendar again and grant the calendar scope, or send a new oauth_refresh_token with PATCH.`,
      };
    case 'gone':
      return { status: 'error', message: `${name} has no such calendar any more. Delete this connection.` };
    case 'unreadable':
    case 'refused':
      return {
        status: 'error',
        message: `${error.message} This calendar cannot be synced until that changes; it is tried again every quarter of an hour.`,
      };
    default:
      return null;
  }
}
