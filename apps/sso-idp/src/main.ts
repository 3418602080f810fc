import { runService } from '@rapporteur/service-runtime';
import { ssoConfig } from './config.ts';
import { startSso } from './sso.ts';

await runService({
  name: 'sso-idp',
  config: ssoConfig,
  start: async (service) => {
    await startSso(service, service.config);
  },
});
