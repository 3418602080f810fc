import { randomBytes } from 'node:crypto';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import { createLogger, createService, systemClock } from '@rapporteur/service-runtime';
import type { Secret } from '@rapporteur/service-runtime';
import { createTestDatabase } from '@rapporteur/testbed';
import { createConsoleApp } from '../console-app.ts';
import type { OidcParts } from '../console-app.ts';
import { openConsoleDatabase } from '../session/open-console-database.ts';
import { createSessions } from '../session/sessions.ts';
import type { IdentityDependencies } from '../session/sessions.ts';
import type { PageFiles } from '../static-files/page-files.ts';

export interface ConsoleUnderTest {
  readonly url: string;
  readonly databaseUrl: string;
  /** Deletes expired sessions. @returns their number */
  sweep(): Promise<number>;
  /** Advances the clock of sessions. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

export interface ConsoleOptions {
  readonly apiUrl: string;
  readonly publicUrl?: string;
  readonly files?: { readonly publicUrl: string; readonly url: string };
  /** The same key: another process of the same deployment. */
  readonly secretKey?: string;
  /** The same address: another replica of the same deployment. Left out: a database of its own. */
  readonly databaseUrl?: string;
  /** The secret between the services of one deployment. */
  readonly internalSecret?: Secret;
  readonly port?: number;
  /** Sign-in by OpenID Connect. */
  readonly oidc?: (box: SecretBox, now: () => number) => OidcParts & IdentityDependencies;
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
  const { internalSecret } = options;
  const service = createService({
    name: 'console',
    logger: createLogger('console', 'silent'),
    clock,
    ...(internalSecret === undefined ? {} : { internalSecret }),
  });
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase(openConsoleDatabase)).url;
  const database = await openConsoleDatabase(databaseUrl, 3);
  service.onStop('database', () => database.close());
  const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  service.onStop('connections', () => outbound.close());
  const box = createSecretBox({ current: options.secretKey ?? randomBytes(32).toString('base64') });
  const oidc = options.oidc?.(box, () => clock.now()) ?? null;
  const sessions = createSessions({ database, box, clock, lifetimeMs: sessionMs, identity: oidc });
  const app = createConsoleApp({
    service,
    sessions,
    outbound,
    pageFiles: smallPage,
    apiUrl: options.apiUrl,
    publicUrl: options.publicUrl,
    files: options.files ?? null,
    grafanaUrl: 'https://grafana.example.com',
    oidc,
  });
  const { url } = await service.listen(app, { host: '127.0.0.1', port: options.port ?? 0 });
  return {
    url,
    databaseUrl,
    sweep: () => sessions.sweep(),
    advance: (ms) => void (aheadMs += ms),
    stop: async () => void (await service.stop()),
  };
}
