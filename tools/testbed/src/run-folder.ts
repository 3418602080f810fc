import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftover, identify, isAlive } from '@rapporteur/local-stack';

/** Name of the variable through which the test workers find the folder of their run. */
export const runFolderVariable = 'TESTBED_FOLDER';

const prefix = 'rapporteur-testbed-';

export type PostgresState = { readonly url: string } | { readonly failure: string };

export interface NatsAddress {
  readonly port: number;
  /** The same for every account of the run. */
  readonly password: string;
}

/** The folder shared by a test run and its workers: requests for servers, their addresses, their failures. */
export class RunFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** A folder of this process, in a place that PostgreSQL's user can reach. */
  static make(): RunFolder {
    const own = identify(process.pid);
    if (own === null) throw new Error('/proc is not readable; the test kit needs it to identify its processes.');
    const path = join(tmpdir(), `${prefix}${own.pid}-${own.startTicks}`);
    mkdirSync(path, { mode: 0o755 });
    chmodSync(path, 0o755);
    return new RunFolder(path);
  }

  /** The folder of the run this worker belongs to. */
  static ofThisRun(): RunFolder {
    const path = process.env[runFolderVariable];
    if (path !== undefined) return new RunFolder(path);
    throw new Error(
      'No test servers here: run the tests through jest.config.mjs at the root, whose globalSetup brings them.',
    );
  }

  get postgresIsWanted(): boolean {
    return existsSync(this.#file('postgres-wanted'));
  }

  requestPostgres(): void {
    writeFileSync(this.#file('postgres-wanted'), '');
  }

  announcePostgres(state: PostgresState): void {
    this.#write('postgres.json', state);
  }

  /** Null while it starts. */
  postgresState(): PostgresState | null {
    return existsSync(this.#file('postgres.json')) ? (this.#read('postgres.json') as PostgresState) : null;
  }

  announceNats(address: NatsAddress): void {
    this.#write('nats.json', address);
  }

  natsAddress(): NatsAddress {
    return this.#read('nats.json') as NatsAddress;
  }

  /** Takes the next number below `limit`; no two workers of a run get the same one. */
  takeNumber(kind: string, limit: number): number {
    mkdirSync(this.#file(kind), { recursive: true });
    for (let number = readdirSync(this.#file(kind)).length; number < limit; number += 1) {
      try {
        writeFileSync(join(this.#file(kind), String(number)), '', { flag: 'wx' });
        return number;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    throw new Error(`This test run has used all ${limit} ${kind}.`);
  }

  newFolder(kind: string): string {
    const path = join(this.path, `${kind}-${crypto.randomUUID()}`);
    mkdirSync(path);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #read(name: string): unknown {
    return JSON.parse(readFileSync(this.#file(name), 'utf8'));
  }

  #write(name: string, value: object): void {
    const unfinished = this.#file(`${name}.unfinished`);
    writeFileSync(unfinished, JSON.stringify(value), { mode: 0o600 });
    renameSync(unfinished, this.#file(name));
  }

  #file(name: string): string {
    return join(this.path, name);
  }
}

/** Ends the servers and deletes the folders of runs whose process is gone. */
export async function removeAbandonedRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const [pid, startTicks] = name.slice(prefix.length).split('-');
    if (pid === undefined || startTicks === undefined || isAlive({ pid: Number(pid), startTicks })) continue;
    const path = join(tmpdir(), name);
    for (const lockFile of ['postgres/cluster/postmaster.pid', 'nats/nats.pid']) {
      const server = firstNumberIn(join(path, lockFile));
      if (server !== null) await endLeftover(server, path, [{ signal: 'SIGQUIT', waitMs: 3_000 }]);
    }
    new RunFolder(path).remove();
  }
}

function firstNumberIn(file: string): number | null {
  if (!existsSync(file)) return null;
  const number = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return Number.isInteger(number) && number > 1 ? number : null;
}
