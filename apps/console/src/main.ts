import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import { createReverseProxy, runService } from '@rapporteur/service-runtime';
import { hostAndPort } from './artifacts/reachable-url.ts';
import type { FilesAddress } from './artifacts/reachable-url.ts';
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
    const files = filesAddressOf(config);
    const outbound = createOutboundHttp({
      allow: files === null ? config.allowedAddresses : [...config.allowedAddresses, hostAndPort(files.url)],
      requireHttps: config.requireHttps,
      caFile: config.caFile,
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
      files,
    });
    await service.listen(app, { host: config.host, port: config.port });
  },
});

function filesAddressOf(config: {
  readonly filesUrl?: string | undefined;
  readonly publicFilesUrl?: string | undefined;
}): FilesAddress | null {
  const { filesUrl: url, publicFilesUrl: publicUrl } = config;
  if (url === undefined && publicUrl === undefined) return null;
  if (url !== undefined && publicUrl !== undefined) return { publicUrl, url };
  throw new Error('RAPPORTEUR_FILES_URL and RAPPORTEUR_PUBLIC_FILES_URL are needed together: one of them is missing.');
}
