import { randomBytes } from 'node:crypto';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import { createLogger, createReverseProxy, createService, systemClock } from '@rapporteur/service-runtime';
import { createConsoleApp } from '../console-app.ts';
import { createSessions } from '../session/sessions.ts';
import type { PageFiles } from '../static-files/page-files.ts';

export interface ConsoleUnderTest {
  readonly url: string;
  /** Moves the clock of sessions. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

export interface ConsoleOptions {
  readonly apiUrl: string;
  readonly publicUrl?: string;
  readonly files?: { readonly publicUrl: string; readonly url: string };
  /** The same key: another process of the same deployment. */
  readonly secretKey?: string;
}

export const sessionMs = 3_600_000;

export const smallPage: PageFiles = {
  html: '<!doctype html><title>Rapporteur</title>',
  assets: new Map([
    [
      'page-A1.js',
      { type: 'text/javascript; charset=utf-8', plain: Buffer.from('plain'), gzip: Buffer.from('gz'), brotli: null },
    ],
  ]),
};

/** The console's server in this process, on a free port. */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleUnderTest> {
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const service = createService({ name: 'console', logger: createLogger('console', 'silent'), clock });
  const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  const proxy = createReverseProxy();
  service.onStop('connections', () => {
    outbound.close();
    proxy.close();
  });
  const box = createSecretBox({ current: options.secretKey ?? randomBytes(32).toString('base64') });
  const app = createConsoleApp({
    service,
    sessions: createSessions({ box, clock, lifetimeMs: sessionMs }),
    proxy,
    outbound,
    pageFiles: smallPage,
    apiUrl: options.apiUrl,
    publicUrl: options.publicUrl,
    files: options.files ?? null,
  });
  const { url } = await service.listen(app, { host: '127.0.0.1', port: 0 });
  return { url, advance: (ms) => void (aheadMs += ms), stop: async () => void (await service.stop()) };
}
