import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAccount, encodeOperator, encodeUser, fmtCreds } from '@nats-io/jwt';
import { createAccount, createOperator, createUser, fromSeed } from '@nats-io/nkeys';
import type { KeyPair } from '@nats-io/nkeys';
import { runnerSubjects } from '@rapporteur/contracts';
import { writeDurably } from './durable-file.ts';

/** The keys of one installation's bus, and the configuration of nats-server and the services. */
export interface BusAuthority {
  /** Text for nats-server's configuration: operator, accounts, resolver. */
  readonly serverConfig: string;
  /** Credentials of the services: everything inside their account. */
  readonly serviceCredentials: string;
  /** Seed of the runners' account, which signs their credentials; only bot-scheduler gets it. */
  readonly accountSeed: string;
}

const seedMakers = {
  operatorSeed: createOperator,
  systemSeed: createAccount,
  servicesSeed: createAccount,
  runnersSeed: createAccount,
  serviceSeed: createUser,
} as const;
type Seeds = Readonly<Record<keyof typeof seedMakers, string>>;

const unlimited = { subs: -1, data: -1, payload: -1 } as const;
const accountLimits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 } as const;
const jetStreamLimits = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 } as const;
/**
 * A runner subscribes to its notifications and one inbox; the rest is spare for a reconnect. Payload in bytes. NATS
 * limits the connections of an account and not of a user.
 */
const runnerLimits = { subs: 8, data: -1, payload: 1_048_576 } as const;
/** The limit for all runners; a server accepts 65 536 by default, so that the services always find one. */
const runnerConnections = 50_000;

/**
 * Runners have an account of their own, without JetStream, and reach the services only through these imports. Inside
 * one account a runner could name a JetStream command, such as a purge, as the reply subject of a report, and the
 * server would send the acknowledgement to it; across an import only replies return.
 */
const openings = [
  { name: 'reports', subject: runnerSubjects.report('*'), type: 'service' },
  { name: 'leases', subject: runnerSubjects.lease('*'), type: 'service' },
  { name: 'leases of any instance', subject: runnerSubjects.leaseOfAny('*'), type: 'service' },
  { name: 'join tokens', subject: runnerSubjects.joinToken('*'), type: 'service' },
  { name: 'sign-ins', subject: runnerSubjects.signIn('*'), type: 'service' },
  { name: 'doorbells', subject: runnerSubjects.notification('*'), type: 'stream' },
] as const;

/**
 * An import of the system account, which the server loads before it listens, so that it loads the services' account too.
 * Where clients of both accounts connect at the same time and neither account is loaded, the server may bind the
 * runners' imports to a second copy of the services' account, and no runner gets a response until it restarts. An
 * account with stored streams is loaded at the start anyway; one whose store is new or lost is not.
 */
const loading = { name: 'loading', subject: 'loading' } as const;

/** Opens the keys in a folder and creates missing ones (file mode 0600). */
export async function openBusAuthority(
  folder: string,
  limits: { readonly runnerConnections: number } = { runnerConnections },
): Promise<BusAuthority> {
  const seeds = openSeeds(folder);
  const operator = keyOf(seeds.operatorSeed);
  const [system, services, runners] = [seeds.systemSeed, seeds.servicesSeed, seeds.runnersSeed].map(keyOf) as [
    KeyPair,
    KeyPair,
    KeyPair,
  ];
  const signedBy = { signer: operator };
  const operatorToken = await encodeOperator('rapporteur', operator, { system_account: system.getPublicKey() });
  const loadedFirst = { ...loading, type: 'stream', account: services.getPublicKey() } as const;
  const systemToken = await encodeAccount(
    'system',
    system,
    { limits: accountLimits, imports: [loadedFirst] },
    signedBy,
  );
  const servicesToken = await encodeAccount(
    'services',
    services,
    { limits: { ...accountLimits, ...jetStreamLimits }, exports: [...openings, { ...loading, type: 'stream' }] },
    signedBy,
  );
  const imports = openings.map((opening) => ({ ...opening, account: services.getPublicKey() }));
  const runnerAccountLimits = {
    ...accountLimits,
    payload: runnerLimits.payload,
    conn: limits.runnerConnections,
    leaf: 0,
  };
  const runnersToken = await encodeAccount('runners', runners, { limits: runnerAccountLimits, imports }, signedBy);
  const service = keyOf(seeds.serviceSeed);
  const serviceToken = await encodeUser('services', service, services, unlimited);
  return {
    serverConfig: `operator: ${operatorToken}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: {
  ${system.getPublicKey()}: ${systemToken}
  ${services.getPublicKey()}: ${servicesToken}
  ${runners.getPublicKey()}: ${runnersToken}
}`,
    serviceCredentials: new TextDecoder().decode(fmtCreds(serviceToken, service)),
    accountSeed: seeds.runnersSeed,
  };
}

function openSeeds(folder: string): Seeds {
  const file = join(folder, 'authority.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Seeds>) : {};
  const names = Object.keys(seedMakers) as (keyof Seeds)[];
  const seeds = Object.fromEntries(names.map((name) => [name, kept[name] ?? seedOf(seedMakers[name]())])) as Seeds;
  if (names.every((name) => kept[name] !== undefined)) return seeds;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeDurably(file, JSON.stringify(seeds));
  return seeds;
}

function seedOf(key: KeyPair): string {
  return new TextDecoder().decode(key.getSeed());
}

function keyOf(seed: string): KeyPair {
  return fromSeed(new TextEncoder().encode(seed));
}

/** Prefix of reply subjects for a bot's own connection. */
export function runnerInboxPrefix(botId: string): string {
  return `_INBOX_${botId}`;
}

export interface CredentialIssuer {
  /**
   * Credentials text for one runner: publish its reports, lease requests and token requests, receive its notifications
   * and its replies.
   */
  forBot(botId: string, lifetimeSeconds: number): Promise<string>;
}

export function createCredentialIssuer(accountSeed: string): CredentialIssuer {
  const account = keyOf(accountSeed);
  return {
    forBot: async (botId, lifetimeSeconds) => {
      const user = createUser();
      const token = await encodeUser(
        `bot-${botId}`,
        user,
        account,
        {
          ...runnerLimits,
          allowed_connection_types: ['STANDARD'],
          pub: {
            allow: [
              runnerSubjects.report(botId),
              runnerSubjects.lease(botId),
              runnerSubjects.leaseOfAny(botId),
              runnerSubjects.joinToken(botId),
              runnerSubjects.signIn(botId),
            ],
            deny: [],
          },
          sub: { allow: [runnerSubjects.notification(botId), `${runnerInboxPrefix(botId)}.>`], deny: [] },
        },
        { exp: Math.floor(Date.now() / 1000) + lifetimeSeconds },
      );
      return new TextDecoder().decode(fmtCreds(token, user));
    },
  };
}
