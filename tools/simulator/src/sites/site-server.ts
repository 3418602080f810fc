import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../certificate.ts';
import { platformOfHost } from './platforms.ts';
import type { PlatformName } from './platforms.ts';
import { refuseSocket } from './site.ts';
import type { Site } from './site.ts';

export type SiteServer = { port: number; stop(): Promise<void> };

/** Serves every site on one HTTPS port; the host name selects the site, as on the internet. */
export async function startSiteServer(options: {
  sites: readonly Site[];
  certificate: Certificate;
  host: string;
  port: number;
  /** A browser requests a page (not its resources). */
  opened: (platform: PlatformName, request: IncomingMessage) => void;
  /** The meeting's page is to receive 503. */
  refuses: (platform: PlatformName, path: string) => boolean;
}): Promise<SiteServer> {
  const { sites, certificate, opened, refuses } = options;
  const siteOf = (request: IncomingMessage): Site | undefined => {
    const platform = platformOfHost(request.headers.host ?? '');
    return sites.find((site) => site.platform === platform);
  };
  const server = createServer({ key: certificate.keyPem, cert: certificate.certificatePem }, (request, response) => {
    const site = siteOf(request);
    if (site !== undefined && requestsPage(request)) opened(site.platform, request);
    if (site !== undefined && refuses(site.platform, request.url ?? '')) return unavailable(response);
    if (site !== undefined) return site.response(request, response);
    response.writeHead(404, { 'content-type': 'text/plain' }).end('The simulator has no site under this host name.\n');
  });
  server.on('upgrade', (request, stream, head) => {
    const site = siteOf(request);
    if (site === undefined) refuseSocket(stream);
    else site.acceptSocket(request, stream, head);
  });
  const port = await listen(server, options.host, options.port);
  return {
    port,
    stop: async () => {
      await Promise.all(sites.map((site) => site.stop()));
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function requestsPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true;
}

function unavailable(response: ServerResponse): void {
  const page = '<!doctype html><title>Error 503 (Service Unavailable)</title><h1>503. That’s an error.</h1>';
  response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '5' }).end(page);
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
