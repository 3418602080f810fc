import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { endOrphan, ServerProcess } from './server-process.ts';

export interface NatsOptions {
  /** Holds the JetStream store, the configuration, the log and the pid file. */
  readonly storeFolder: string;
  /** 0: any free one. */
  readonly port: number;
  /** nats-server configuration text that is added to ours: accounts and their keys. */
  readonly authConfig?: string;
}

export interface RunningNats {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly storeFolder: string;
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const places = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'];

/** Starts nats-server with JetStream on the loopback; ends one that a killed run left behind. */
export async function startNats(options: NatsOptions): Promise<RunningNats> {
  const program = places.find((place) => existsSync(place));
  if (program === undefined) throw new Error('nats-server is missing. Install it: sudo apt-get install nats-server');
  mkdirSync(options.storeFolder, { recursive: true, mode: 0o700 });
  const configFile = join(options.storeFolder, 'nats-server.conf');
  const pidFile = join(options.storeFolder, 'nats-server.pid');
  if (existsSync(pidFile)) {
    await endOrphan({ pid: Number(readFileSync(pidFile, 'utf8')), cmdlineHolds: configFile, signal: 'SIGTERM' });
  }
  const port = options.port === 0 ? await freePort() : options.port;
  writeFileSync(configFile, configuration(options, port, pidFile), { mode: 0o600 });
  const server = await ServerProcess.start({
    name: 'nats-server',
    program,
    arguments: ['--config', configFile],
    logFile: join(options.storeFolder, 'nats-server.log'),
    user: null,
    workingFolder: options.storeFolder,
    isReady: () => greets(port),
    readyDeadlineMs: 15_000,
    stopSignal: 'SIGTERM',
  });
  const { storeFolder } = options;
  return { url: `nats://127.0.0.1:${port}`, port, pid: server.pid, storeFolder, stop: () => server.stop(), kill: () => server.kill() };
}

function configuration(options: NatsOptions, port: number, pidFile: string): string {
  return `listen: "127.0.0.1:${port}"
pid_file: ${JSON.stringify(pidFile)}
jetstream { store_dir: ${JSON.stringify(join(options.storeFolder, 'jetstream'))}, max_memory_store: 64MB, max_file_store: 4GB }
${options.authConfig ?? ''}
`;
}

/** nats-server speaks first: a line that starts with INFO. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('error', () => done(false));
    socket.once('data', (chunk: Buffer) => done(chunk.toString('utf8').startsWith('INFO')));
  });
}
