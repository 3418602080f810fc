import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import { createReverseProxy, runService } from '@rapporteur/service-runtime';
import { consoleConfig } from './config.ts';
import { createConsoleApp } from './console-app.ts';
import { createSessions } from './session/sessions.ts';
import { readPageFiles } from './static-files/page-files.ts';

await runService({
  name: 'console',
  config: consoleConfig,
  start: async (service) => {
    const { config, clock } = service;
    const pageFiles = readPageFiles(config.publicFolder);
    const box = createSecretBox({
      current: config.secretKey.reveal(),
      former: config.formerSecretKeys?.reveal().split(',') ?? [],
    });
    const outbound = createOutboundHttp({
      allow: config.allowedAddresses,
      requireHttps: config.requireHttps,
      ...(config.caFile === undefined ? {} : { caFile: config.caFile }),
    });
    service.onStop('connections to stores', () => outbound.close());
    const proxy = createReverseProxy();
    service.onStop('connections to the API', () => proxy.close());
    const { apiUrl, publicUrl } = config;
    const app = createConsoleApp({
      service,
      sessions: createSessions({ box, clock, lifetimeMs: config.sessionHours * 3_600_000 }),
      proxy,
      outbound,
      pageFiles,
      apiUrl,
      publicUrl,
    });
    await service.listen(app, { host: config.host, port: config.port });
  },
});
