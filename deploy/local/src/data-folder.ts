import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '@rapporteur/event-bus/durable-file';
import { identify, isAlive } from '@rapporteur/process-identity';
import type { ProcessIdentity } from '@rapporteur/process-identity';

/** The folder with everything of one installation: deleting it removes all of it. */
export interface DataFolder {
  readonly path: string;
  readonly postgres: string;
  readonly nats: string;
  readonly busAuthority: string;
  readonly objects: string;
  readonly runs: string;
  readonly logs: string;
  readonly simulator: string;
  /** Address and token of the admin API, read by the operator CLI. */
  readonly adminFile: string;
  readonly secrets: StackSecrets;
  /** Encrypts the secrets of customers in this service; created at the first call and kept. */
  secretKeyOf(service: string): string;
  /** Its former keys (`rotate-secret.ts`) in the form of the setting FORMER_SECRET_KEYS; null: none. */
  formerSecretKeysOf(service: string): string | null;
}

export interface StackSecrets {
  readonly internal: string;
  readonly admin: string;
  readonly signing: string;
}

/** Creates missing folders and secrets. Secrets are created once, in a file that only this user can read. */
export function openDataFolder(path: string): DataFolder {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const folder = (name: string): string => {
    const full = join(path, name);
    mkdirSync(full, { recursive: true });
    return full;
  };
  return {
    path,
    // Created by their own starters, with the owner and mode that the server requires.
    postgres: join(path, 'postgres'),
    nats: join(path, 'nats'),
    busAuthority: folder('bus-authority'),
    objects: folder('objects'),
    runs: folder('runs'),
    logs: folder('logs'),
    simulator: folder('simulator'),
    adminFile: join(path, 'admin.json'),
    ...openSecrets(join(path, 'secrets.json')),
  };
}

/** File names of the keys of the first services; those of others have their service's name. */
const firstKeyNames: Readonly<Record<string, string>> = {
  delivery: 'deliveryKey',
  'bot-scheduler': 'schedulerKey',
  'sso-idp': 'ssoKey',
};

export const keyNameOf = (service: string): string => firstKeyNames[service] ?? service;
export const formerKeysName = (service: string): string => `${keyNameOf(service)}.former`;

/** An installation from before one of these secrets existed gets it when needed, and keeps the others. */
function openSecrets(file: string): Pick<DataFolder, 'secrets' | 'secretKeyOf' | 'formerSecretKeysOf'> {
  const kept: Record<string, string> = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
    : {};
  const get = (name: string, encoding: 'base64' | 'base64url'): string => {
    const secret = kept[name] ?? randomBytes(32).toString(encoding);
    if (kept[name] === undefined) writePrivately(file, Object.assign(kept, { [name]: secret }));
    return secret;
  };
  return {
    secrets: {
      internal: get('internal', 'base64url'),
      admin: get('admin', 'base64url'),
      signing: get('signing', 'base64url'),
    },
    secretKeyOf: (service) => get(keyNameOf(service), 'base64'),
    formerSecretKeysOf: (service) => kept[formerKeysName(service)] ?? null,
  };
}

/** Writes JSON that only this user can read, atomically and durably. */
export function writePrivately(file: string, value: unknown): void {
  writeDurably(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The record of one run of the stack for the next: its identity, its children and its ports. */
export interface StackRecord {
  readonly stack: ProcessIdentity;
  readonly children: Readonly<Record<string, ProcessIdentity>>;
  readonly ports: Readonly<Record<string, number>>;
}

export class StackRecordFile {
  readonly #file: string;
  #record: StackRecord;
  /** The record of the run before this one, if any. */
  readonly previous: StackRecord | null;

  /** Throws when another stack runs on this data folder. */
  constructor(folder: DataFolder) {
    this.#file = join(folder.path, 'stack.json');
    this.previous = existsSync(this.#file) ? (JSON.parse(readFileSync(this.#file, 'utf8')) as StackRecord) : null;
    // This process may start another stack once it has stopped its first one.
    if (this.previous !== null && this.previous.stack.pid !== process.pid && isAlive(this.previous.stack)) {
      throw new Error(
        `Rapporteur already runs on ${folder.path} (process ${this.previous.stack.pid}). Stop it first, or start this one with --data-folder.`,
      );
    }
    const own = identify(process.pid);
    if (own === null)
      throw new Error('/proc is not readable; the one-machine service needs it to identify its processes.');
    this.#record = { stack: own, children: {}, ports: this.previous?.ports ?? {} };
    writePrivately(this.#file, this.#record);
  }

  setChild(name: string, pid: number): void {
    const child = identify(pid);
    if (child !== null) this.#write({ ...this.#record, children: { ...this.#record.children, [name]: child } });
  }

  setPorts(ports: Readonly<Record<string, number>>): void {
    this.#write({ ...this.#record, ports });
  }

  #write(record: StackRecord): void {
    this.#record = record;
    writePrivately(this.#file, record);
  }
}
