import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, openSync, closeSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, signalProcess } from '../process-identity.ts';

export interface ServerProcessOptions {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly logFile: string;
  readonly user: { readonly uid: number; readonly gid: number } | null;
  readonly workingFolder: string;
  /** True once the server answers. Called every 25 ms. */
  readonly isReady: () => Promise<boolean>;
  readonly readyDeadlineMs: number;
  /** The signal that asks for a quick, clean end. */
  readonly stopSignal: NodeJS.Signals;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server program of ours: started detached from the terminal, ready or explained, stopped safely twice. */
export class ServerProcess {
  readonly #options: ServerProcessOptions;
  readonly #child: ChildProcess;
  #stopping: Promise<void> | undefined;

  private constructor(options: ServerProcessOptions, child: ChildProcess) {
    this.#options = options;
    this.#child = child;
  }

  /** Rejects with the last lines of the server's log when it ends or is not ready in time. */
  static async start(options: ServerProcessOptions): Promise<ServerProcess> {
    const log = openSync(options.logFile, 'a', 0o644);
    const child = spawn(options.program, [...options.arguments], {
      // Its own process group: Ctrl-C must not reach it before the services that use it have stopped.
      detached: true,
      stdio: ['ignore', log, log],
      cwd: options.workingFolder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...options.environment },
      ...(options.user === null ? {} : { uid: options.user.uid, gid: options.user.gid }),
    });
    closeSync(log);
    const failure = new Promise<never>((_resolve, reject) => child.once('error', reject));
    const server = new ServerProcess(options, child);
    await Promise.race([server.#waitUntilReady(), failure]).catch(async (error: Error) => {
      await server.kill();
      throw new Error(`${options.name} did not start: ${error.message}\n${lastLines(options.logFile)}`, { cause: error });
    });
    return server;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async #waitUntilReady(): Promise<void> {
    const deadline = Date.now() + this.#options.readyDeadlineMs;
    while (Date.now() < deadline) {
      if (this.#ended) throw new Error(`it ended (${this.#child.signalCode ?? `exit code ${this.#child.exitCode}`}).`);
      if (await this.#options.isReady()) return;
      await sleep(25);
    }
    throw new Error(`it was not ready after ${this.#options.readyDeadlineMs} ms.`);
  }

  get #ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** A clean end; killed when that takes longer than 15 s. */
  stop(): Promise<void> {
    this.#stopping ??= this.#end(this.#options.stopSignal);
    return this.#stopping;
  }

  /** SIGKILL, as a crash would. */
  kill(): Promise<void> {
    this.#stopping ??= this.#end('SIGKILL');
    return this.#stopping;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#ended || this.#child.pid === undefined) return;
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.kill(signal);
    const late = sleep(15_000, 'late' as const, { ref: false });
    if ((await Promise.race([ended, late])) === 'late') {
      this.#child.kill('SIGKILL');
      await ended;
    }
  }
}

function lastLines(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n') : '';
}

/** Ends a server that a killed run left behind, if that process really is the one meant. Resolves when it is gone. */
export async function endOrphan(options: { pid: number; cmdlineHolds: string; signal: NodeJS.Signals }): Promise<boolean> {
  const orphan = identify(options.pid);
  if (orphan === null || !commandLine(options.pid).includes(options.cmdlineHolds)) return false;
  signalProcess(orphan, options.signal);
  const deadline = Date.now() + 15_000;
  while (isAlive(orphan)) {
    if (Date.now() > deadline) signalProcess(orphan, 'SIGKILL');
    await sleep(25);
  }
  return true;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
