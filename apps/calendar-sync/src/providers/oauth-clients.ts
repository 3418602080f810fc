import { ConfigurationError } from '@rapporteur/service-runtime';
import type { CalendarSyncConfig } from '../config.ts';
import { ProviderError } from './calendar-provider.ts';
import type { OauthApp } from './calendar-provider.ts';
import type { ConnectionRow, Platform } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';

/** The operator's OAuth clients, for consents. */
export interface OauthClients {
  /** Where providers redirect the browser after a consent. */
  readonly redirectUrl: string;
  /** Null: the operator has configured no client of the provider. */
  readonly of: Readonly<Record<Platform, OauthApp | null>>;
}

/** Throws ConfigurationError for a client of which a part is missing. */
export function oauthClientsOf(config: CalendarSyncConfig): OauthClients {
  const redirectUrl = config.consentRedirectUrl ?? '';
  const clientOf = (name: 'GOOGLE' | 'MICROSOFT', app: Partial<OauthApp>): OauthApp | null => {
    const { clientId = '', clientSecret = '', tenantId = '' } = app;
    if (clientId === '' && clientSecret === '') return null;
    if (clientId === '' || clientSecret === '' || redirectUrl === '')
      throw new ConfigurationError(
        `Consent needs RAPPORTEUR_${name}_CLIENT_ID, RAPPORTEUR_${name}_CLIENT_SECRET and RAPPORTEUR_CONSENT_REDIRECT_URL: one of them is missing.`,
      );
    return { clientId, clientSecret, tenantId };
  };
  const { googleClientId, googleClientSecret, microsoftClientId, microsoftClientSecret, microsoftTenant } = config;
  return {
    redirectUrl,
    of: {
      google: clientOf('GOOGLE', {
        clientId: googleClientId ?? '',
        clientSecret: googleClientSecret?.reveal() ?? '',
        tenantId: 'common',
      }),
      microsoft: clientOf('MICROSOFT', {
        clientId: microsoftClientId ?? '',
        clientSecret: microsoftClientSecret?.reveal() ?? '',
        tenantId: microsoftTenant,
      }),
    },
  };
}

/**
 * The OAuth app of a connection: the customer's, or the operator's for one by consent. Throws ProviderError
 * `client-replaced` when the operator has removed or replaced the client.
 */
export function oauthAppOf(
  { sealing, clients }: { readonly sealing: Sealing; readonly clients: OauthClients },
  row: ConnectionRow,
): OauthApp {
  const clientSecret = sealing.openColumn(row, 'client_secret') ?? '';
  if (clientSecret !== '') return { clientId: row.oauth_client_id, clientSecret, tenantId: row.oauth_tenant_id };
  const client = clients.of[row.platform];
  if (client?.clientId !== row.oauth_client_id)
    throw new ProviderError('client-replaced', 'The operator replaced the OAuth client of this deployment.');
  return { ...client, tenantId: row.oauth_tenant_id };
}
