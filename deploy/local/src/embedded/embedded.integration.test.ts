import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import pg from 'pg';
import { startNats, startPostgres } from '../index.ts';
import type { RunningPostgres } from '../index.ts';
import { identify, isAlive } from '@rapporteur/process-identity';
import type { ProcessIdentity } from '@rapporteur/process-identity';
import { restoreLinks } from './postgres-binaries.ts';

let folder: string;
const stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-embedded-'));
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

const quick = { durability: 'off', diesWithUs: {} } as const;

async function start(settings: Partial<Parameters<typeof startPostgres>[0]> = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ dataFolder: join(folder, 'postgres'), ...quick, ...settings });
  stops.push(() => server.stop());
  return server;
}

async function sendRequest(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function identityOf(pid: number): ProcessIdentity {
  const identity = identify(pid);
  if (identity === null) throw new Error(`No process ${pid}.`);
  return identity;
}

/** Starts both servers in another process, which can then be killed without a shutdown. */
async function startElsewhere(options: string): Promise<{ kill: () => Promise<void>; pids: number[] }> {
  const program = `
    import { startNats, startPostgres } from ${JSON.stringify(join(import.meta.dirname, '..', 'index.ts'))};
    const options = ${options};
    const postgres = await startPostgres({ dataFolder: ${JSON.stringify(join(folder, 'postgres'))}, ...options });
    const nats = await startNats({ storeFolder: ${JSON.stringify(join(folder, 'nats'))}, ...options });
    console.log(JSON.stringify([postgres.pid, nats.pid]));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    pids: JSON.parse(String(line)) as number[],
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('PostgreSQL', () => {
  test('keeps its data and its password over a restart, and a second stop does nothing', async () => {
    const first = await start({ durability: 'full' });
    await sendRequest(first.url, `create table kept as select 'still here' as word`);
    await first.stop();
    await first.stop();
    const second = await start({ durability: 'full' });
    expect(await sendRequest(second.url, 'select word from kept')).toEqual([{ word: 'still here' }]);
    const [settings] = await sendRequest(
      second.url,
      `select current_setting('fsync') as fsync, current_setting('TimeZone') as zone`,
    );
    expect(settings).toEqual({ fsync: 'on', zone: 'UTC' });
  });

  test('listens on the loopback only and requires the password, which only its owner can read', async () => {
    const server = await start();
    expect(await sendRequest(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await sendRequest(server.url, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
    expect(statSync(join(folder, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    const url = new URL(server.url);
    url.password = 'guessed';
    await expect(sendRequest(url.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  test('comes back by itself after a crash, on the same port and with its data', async () => {
    const started: number[] = [];
    const server = await start({ durability: 'full', onStarted: (pid) => started.push(pid) });
    await sendRequest(server.url, 'create table kept (id int)');
    process.kill(server.pid, 'SIGKILL');
    await waitFor(() => started.length === 2, { what: 'the restart' });
    expect(server.pid).toBe(started[1]);
    expect(await sendRequest(server.url, 'select * from kept')).toEqual([]);
  });

  test('states with its own words why it does not start', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    stops.push(async () => void blocker.close());
    const { port } = blocker.address() as AddressInfo;
    await expect(start({ port })).rejects.toThrow(
      /^PostgreSQL ended while starting \(exit code 1\)\. Its last lines \(.*postgres\.log\):\n[^]*could not bind IPv4 address "127\.0\.0\.1"/,
    );
  });

  test('does not take a stranger that got the number of a dead server for itself', async () => {
    const server = await start();
    const lockFile = join(folder, 'postgres', 'cluster', 'postmaster.pid');
    const lock = readFileSync(lockFile, 'utf8');
    await server.stop();
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    stops.push(async () => void stranger.kill());
    writeFileSync(lockFile, lock.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });
    await server.start();
    expect(await sendRequest(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  test('refuses a database whose password file is lost, and states what to do', async () => {
    await (await start()).stop();
    rmSync(join(folder, 'postgres', 'password'));
    await expect(start()).rejects.toThrow(/Put the file back, or delete both to begin with an empty database/);
  });

  test('makes a half-made cluster of a killed first start anew', async () => {
    mkdirSync(join(folder, 'postgres', 'cluster.unfinished', 'base'), { recursive: true });
    const server = await start();
    expect(await sendRequest(server.url, 'select current_database() as name')).toEqual([{ name: 'rapporteur' }]);
    expect(existsSync(join(folder, 'postgres', 'cluster.unfinished'))).toBe(false);
  });

  test('keeps its data in a place that its user can reach when the folder is closed to others', async () => {
    const closed = join(folder, 'home');
    mkdirSync(closed, { mode: 0o700 });
    const warnings: string[] = [];
    const logger = { info: () => undefined, warn: (_fields: object, message: string) => void warnings.push(message) };
    const server = await start({ dataFolder: join(closed, 'postgres'), logger });
    expect(await sendRequest(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    // Only root runs the server as another user; other users can always access their own folders.
    const asRoot = process.getuid?.() === 0;
    expect(server.dataFolder === join(closed, 'postgres')).toBe(!asRoot);
    expect(warnings).toHaveLength(asRoot ? 1 : 0);
    await server.stop();
    rmSync(server.dataFolder, { recursive: true, force: true });
  });
});

describe('NATS', () => {
  test('states with its own words why it does not start', async () => {
    const wrong = startNats({ storeFolder: join(folder, 'nats'), authConfig: 'accounts { nonsense' });
    await expect(wrong).rejects.toThrow(
      /^NATS ended while starting \(exit code 1\)\. Its last lines \(.*nats\.log\):\nnats-server: Parse error on line /,
    );
  });

  test('names the program that cannot be run', async () => {
    const missing = startNats({ storeFolder: join(folder, 'nats'), program: '/nowhere/nats-server' });
    await expect(missing).rejects.toThrow('NATS could not be run: spawn /nowhere/nats-server ENOENT.');
  });

  test('comes back by itself after a crash, on the same port', async () => {
    const started: number[] = [];
    const server = await startNats({
      storeFolder: join(folder, 'nats'),
      diesWithUs: {},
      onStarted: (pid) => started.push(pid),
    });
    stops.push(() => server.stop());
    process.kill(server.pid, 'SIGKILL');
    await waitFor(() => started.length === 2, { what: 'the restart' });
    expect(readFileSync(join(folder, 'nats', 'nats.pid'), 'utf8').trim()).toBe(String(server.pid));
  });
});

describe('when the process that started them is killed', () => {
  test('servers of a test end and take their folder with them', async () => {
    const elsewhere = await startElsewhere(
      JSON.stringify({ durability: 'off', restart: false, diesWithUs: { folder } }),
    );
    const identities = elsewhere.pids.map(identityOf);
    await elsewhere.kill();
    await waitFor(() => !identities.some(isAlive) && !existsSync(folder), { what: 'both to be gone' });
  });

  test('servers of a user live on, and the next start ends them before it starts its own', async () => {
    const elsewhere = await startElsewhere('{}');
    const identities = elsewhere.pids.map(identityOf);
    await elsewhere.kill();
    expect(identities.map(isAlive)).toEqual([true, true]);
    const postgres = await start({ durability: 'full' });
    const nats = await startNats({ storeFolder: join(folder, 'nats'), diesWithUs: {} });
    stops.push(() => nats.stop());
    expect(identities.map(isAlive)).toEqual([false, false]);
    expect(await sendRequest(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('library links that the package manager dropped are made again, and those that are there stay', () => {
  const native = join(folder, 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib/libicu.so.60.2'), 'the library');
  const links = ['native/lib/libicu.so', 'native/lib/libicu.so.60'].map((target) => ({
    source: 'native/lib/libicu.so.60.2',
    target,
  }));
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  symlinkSync('libicu.so.60.2', join(native, 'lib/libicu.so'));
  restoreLinks(folder);
  expect(links.map(({ target }) => readFileSync(join(folder, target), 'utf8'))).toEqual(['the library', 'the library']);
});
