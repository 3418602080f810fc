import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { freePort } from '../ports.ts';
import { quietLogger } from './server-log.ts';
import type { ServerLogger } from './server-log.ts';
import { embeddedServer, endLeftover, SupervisedProcess } from './supervised-process.ts';
import type { SupervisedDefinition } from './supervised-process.ts';

export interface NatsOptions {
  /** Contains the JetStream store, the rendered configuration, the PID file and the log. Created when missing. */
  readonly storeFolder: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /**
   * Configuration text for users and accounts, for example `BusAuthority.serverConfig`. Without it any client may
   * connect.
   */
  readonly authConfig?: string;
  /** Path of nats-server; absent: searched in PATH and the usual places. */
  readonly program?: string;
  readonly logger?: ServerLogger | undefined;
  /** Restarts after a crash; default true. */
  readonly restart?: boolean;
  /** For tests: when this process ends, even by SIGKILL, the server is stopped and this folder is deleted. */
  readonly diesWithUs?: { readonly folder?: string } | undefined;
  readonly onStarted?: ((pid: number) => void) | undefined;
  /**
   * When aborted, the start is cancelled: the started process is ended, and so is the server of a killed run on this
   * folder.
   */
  readonly calledOff?: AbortSignal | undefined;
}

export interface RunningNats {
  readonly url: string;
  readonly port: number;
  readonly storeFolder: string;
  /** The process id of its latest process. */
  readonly pid: number;
  /** SIGKILL without a restart, for tests. `start` restarts it on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Within about 5 s. Idempotent. */
  stop(): Promise<void>;
}

const stopSignals = [{ signal: 'SIGTERM', waitMs: 5_000 }] as const;
const portAttempts = 3;

/**
 * Starts nats-server with JetStream on 127.0.0.1 and resolves when it accepts clients. A server of a killed run on this
 * folder is stopped first. Rejects with its last log lines when it does not start within 30 s.
 */
export async function startNats(options: NatsOptions): Promise<RunningNats> {
  const program = options.program ?? findProgram();
  const folder = resolve(options.storeFolder);
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ? options.port : await freePort();
    const server = new SupervisedProcess(definitionOf(options, { program, folder, port }));
    try {
      await server.start(options.calledOff);
      return {
        url: `nats://127.0.0.1:${port}`,
        port,
        storeFolder: folder,
        get pid() {
          return server.pid;
        },
        kill: () => server.kill(),
        start: () => server.start(),
        stop: () => server.stop(),
      };
    } catch (error) {
      const portWasTaken = !options.port && /address already in use/i.test(String(error));
      if (!portWasTaken || attempt === portAttempts) throw error;
    }
  }
}

function definitionOf(
  options: NatsOptions,
  place: { program: string; folder: string; port: number },
): SupervisedDefinition {
  const { program, folder, port } = place;
  const configFile = join(folder, 'nats.conf');
  return {
    ...embeddedServer,
    name: 'NATS',
    program,
    arguments: ['--config', configFile],
    folder,
    runAs: null,
    logFile: join(folder, 'nats.log'),
    logger: options.logger ?? quietLogger,
    prepare: async () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await endPreviousRun(folder);
      writeFileSync(configFile, renderConfig(folder, port, options.authConfig), { mode: 0o600 });
    },
    isReady: () => respondsAsJetStream(port),
    stopSignals,
    restart: (options.restart ?? true) ? embeddedServer.restart : null,
    diesWithUs: options.diesWithUs === undefined ? undefined : { signal: 'TERM', ...options.diesWithUs },
    onStarted: options.onStarted,
  };
}

function renderConfig(folder: string, port: number, authConfig = ''): string {
  return `listen: "127.0.0.1:${port}"
pid_file: ${JSON.stringify(join(folder, 'nats.pid'))}
jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))} }
max_payload: 1MB
write_deadline: "10s"
${authConfig}`;
}

async function endPreviousRun(folder: string): Promise<void> {
  const pidFile = join(folder, 'nats.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').trim());
  if (Number.isInteger(pid) && pid > 1) await endLeftover(pid, join(folder, 'nats.conf'), stopSignals);
}

/** NATS sends first: its INFO line states whether JetStream is enabled. */
function respondsAsJetStream(port: number): Promise<boolean> {
  return new Promise((response) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port });
    const done = (ready: boolean): void => {
      socket.destroy();
      response(ready);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.on('error', () => done(false));
    socket.on('close', () => done(false));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\r\n')) done(text.includes('"jetstream":true'));
    });
  });
}

function findProgram(): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  const found = folders.map((folder) => join(folder, 'nats-server')).find(isProgram);
  if (found !== undefined) return found;
  throw new Error('nats-server is not installed. Install it (apt-get install nats-server), then start again.');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
