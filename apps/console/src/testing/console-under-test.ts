import { randomBytes } from 'node:crypto';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { openSecretBox } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import { createLogger, createService, Secret, systemClock } from '@rapporteur/service-runtime';
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
  /** What the table holds of every session's id. */
  sessionIds(): Promise<readonly string[]>;
  /** Ends the time of every session. */
  expireAll(): Promise<void>;
  /** Deletes expired sessions. @returns the number of those that are left */
  sweep(): Promise<number>;
  /** Advances the clock of confirmations. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

export interface ConsoleOptions {
  readonly apiUrl: string;
  readonly publicUrl?: string;
  readonly files?: { readonly publicUrl: string; readonly url: string };
  /** The same key: another process of the same deployment. */
  readonly secretKey?: string;
  readonly formerSecretKey?: string;
  /** The same address: another replica of the same deployment. Left out: a database of its own. */
  readonly databaseUrl?: string;
  /** The secret between the services of one deployment. */
  readonly internalSecret?: Secret;
  readonly port?: number;
  readonly poolSize?: number;
  /** Sign-in by OpenID Connect. */
  readonly oidc?: (box: SecretBox, now: () => number) => OidcParts & IdentityDependencies;
}

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
  const database = await openConsoleDatabase(databaseUrl, options.poolSize ?? 3);
  service.onStop('database', () => database.close());
  const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  service.onStop('connections', () => outbound.close());
  const secretKey = new Secret(options.secretKey ?? randomBytes(32).toString('base64'));
  const formerSecretKeys = options.formerSecretKey === undefined ? undefined : new Secret(options.formerSecretKey);
  const oidc = options.oidc?.(openSecretBox({ secretKey }), () => clock.now()) ?? null;
  const config = { secretKey, formerSecretKeys, sessionHours: 1, publicUrl: options.publicUrl };
  const sessions = createSessions({ database, config, clock, identity: oidc });
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
    sessionIds: async () => (await database.query<{ sid: string }>('select sid from sessions')).map(({ sid }) => sid),
    expireAll: async () => void (await database.query(`update sessions set expire = now() - interval '2 seconds'`)),
    sweep: async () => {
      await sessions.sweep();
      return (await database.query('select from sessions')).length;
    },
    advance: (ms) => void (aheadMs += ms),
    stop: async () => void (await service.stop()),
  };
}
