import { calendarProviders } from '@rapporteur/contracts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { ConnectionStatus, Platform } from '../schema/entities.ts';

export interface ConnectionProblem {
  readonly status: ConnectionStatus;
  readonly message: string;
}

/** Interval of the syncs of a connection with a problem. */
export const problemRetryMs = 15 * 60_000;
const retried = `The sync is retried every ${problemRetryMs / 60_000} minutes`;

/** Why a provider refused a request, as sentences for the customer. */
export function causeOf({ kind, message }: ProviderError, platform: Platform): string {
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
