import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAccount, encodeOperator, encodeUser, fmtCreds } from '@nats-io/jwt';
import { createAccount, createOperator, createUser, fromSeed } from '@nats-io/nkeys';
import type { KeyPair } from '@nats-io/nkeys';
import { runnerSubjects } from '@rapporteur/contracts';

/** The keys of one installation's bus, and what a nats-server and the services need of them. */
export interface BusAuthority {
  /** Text for nats-server's configuration: operator, accounts, resolver. */
  readonly serverConfig: string;
  /** Credentials of the services: everything inside the account. */
  readonly serviceCredentials: string;
  /** Seed that signs runners' credentials; only bot-scheduler gets it. */
  readonly accountSeed: string;
}

interface AuthorityFile {
  readonly operatorSeed: string;
  readonly accountSeed: string;
  readonly systemSeed: string;
  readonly serviceSeed: string;
}

const unlimited = { subs: -1, data: -1, payload: -1 } as const;
/** A runner needs its doorbell and one inbox; the rest is room for a reconnect. Payload in bytes. */
const runnerLimits = { subs: 8, data: -1, payload: 1_048_576 } as const;

/** Opens the keys kept in a folder, makes them on the first start (file mode 0600). */
export async function openBusAuthority(folder: string): Promise<BusAuthority> {
  const file = join(folder, 'authority.json');
  if (!existsSync(file)) writeSeeds(folder, file);
  const seeds = JSON.parse(readFileSync(file, 'utf8')) as AuthorityFile;
  const [operator, account, system, service] = [
    seeds.operatorSeed,
    seeds.accountSeed,
    seeds.systemSeed,
    seeds.serviceSeed,
  ].map(keyOf) as [KeyPair, KeyPair, KeyPair, KeyPair];
  const accountLimits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const jetStreamLimits = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const operatorToken = await encodeOperator('rapporteur', operator, { system_account: system.getPublicKey() });
  const accountToken = await encodeAccount(
    'rapporteur',
    account,
    { limits: { ...accountLimits, ...jetStreamLimits } },
    { signer: operator },
  );
  const systemToken = await encodeAccount('system', system, { limits: accountLimits }, { signer: operator });
  const serviceToken = await encodeUser('services', service, account, unlimited);
  return {
    serverConfig: `operator: ${operatorToken}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: {
  ${account.getPublicKey()}: ${accountToken}
  ${system.getPublicKey()}: ${systemToken}
}`,
    serviceCredentials: new TextDecoder().decode(fmtCreds(serviceToken, service)),
    accountSeed: seeds.accountSeed,
  };
}

/** Whole or not at all: half a file would lock every service out. */
function writeSeeds(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, JSON.stringify(newSeeds()), { mode: 0o600 });
  renameSync(unfinished, file);
}

function newSeeds(): AuthorityFile {
  return {
    operatorSeed: seedOf(createOperator()),
    accountSeed: seedOf(createAccount()),
    systemSeed: seedOf(createAccount()),
    serviceSeed: seedOf(createUser()),
  };
}

function seedOf(key: KeyPair): string {
  return new TextDecoder().decode(key.getSeed());
}

function keyOf(seed: string): KeyPair {
  return fromSeed(new TextEncoder().encode(seed));
}

/** Where replies to a bot's own connection arrive. */
export function runnerInboxPrefix(botId: string): string {
  return `_INBOX_${botId}`;
}

export interface CredentialIssuer {
  /** Credentials text for one runner: publish its reports and lease requests, hear its doorbell and its replies. */
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
          pub: { allow: [runnerSubjects.report(botId), runnerSubjects.lease(botId)], deny: [] },
          sub: { allow: [runnerSubjects.doorbell(botId), `${runnerInboxPrefix(botId)}.>`], deny: [] },
        },
        { exp: Math.floor(Date.now() / 1000) + lifetimeSeconds },
      );
      return new TextDecoder().decode(fmtCreds(token, user));
    },
  };
}
