import { runService } from '@rapporteur/service-runtime';
import { ssoConfig } from './config.ts';
import { startSso } from './sso.ts';
import { openSsoSchema } from './schema/open-schema.ts';

await runService({
  name: 'sso-idp',
  config: ssoConfig,
  migrate: async (databaseUrl) => (await openSsoSchema(databaseUrl, 1)).close(),
  start: async (service) => {
    await startSso(service, service.config);
  },
});
