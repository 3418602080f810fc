import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@rapporteur/async';
import { identify, isAlive, signalProcess } from '@rapporteur/process-identity';
import type { ProcessIdentity } from '@rapporteur/process-identity';
import type { LogLimit } from '../log-limit.ts';
import { guardAgainstParentExit } from './parent-guard.ts';
import type { Guard } from './parent-guard.ts';
import { ServerLog } from './server-log.ts';
import type { ServerLogger } from './server-log.ts';

export interface ServerDefinition {
  /** Display name: PostgreSQL. */
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly runAs: { readonly uid: number; readonly gid: number } | null;
  readonly logFile: string;
  /** For tests; default 10 MB. */
  readonly logLimit?: LogLimit;
  readonly logger: ServerLogger;
  /** Runs before every start, also the one after a crash. */
  readonly prepare: () => Promise<void>;
  readonly isReady: (pid: number) => Promise<boolean>;
  /** Sent in this order, each with its time to take effect; SIGKILL follows the last. */
  readonly stopSignals: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[];
  /** Restarts after a crash. */
  readonly restart: boolean;
  /** For tests: when this process ends, the server is stopped and this folder is deleted. */
  readonly diesWithUs?: { readonly signal: 'TERM' | 'QUIT'; readonly folder?: string | undefined } | undefined;
  /** Called each time a process of this server starts. */
  readonly onStarted?: ((pid: number) => void) | undefined;
}

const readyDeadlineMs = 30_000;
const readyPollMs = 10;
const longestRestartPauseMs = 5_000;

/** One server as a child process: ready before `start` resolves, restarted after a crash, stopped within seconds. */
export class ServerProcess {
  readonly #definition: ServerDefinition;
  readonly #log: ServerLog;
  #child: ChildProcess | undefined;
  #guard: Guard | undefined;
  /** Of the latest attempt: the program is missing or may not be run. */
  #spawnError: Error | undefined;
  #wanted = false;
  #restarting: Promise<void> | undefined;

  constructor(definition: ServerDefinition) {
    this.#definition = definition;
    this.#log = new ServerLog(definition.logFile, definition.logLimit);
  }

  /** Of the latest process, running or not. */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.#definition.name} was never started.`);
    return pid;
  }

  /**
   * Rejects with the server's last log lines when it ends or is not ready within 30 s, and at once when `calledOff`
   * aborts. No process of it runs then.
   */
  async start(calledOff?: AbortSignal): Promise<void> {
    this.#wanted = true;
    try {
      await this.#startOnce(calledOff);
    } catch (error) {
      this.#wanted = false;
      await this.#end();
      throw error;
    }
  }

  async #startOnce(calledOff?: AbortSignal): Promise<void> {
    const { name, isReady, prepare, onStarted } = this.#definition;
    await prepare();
    // Only now: the server of an earlier run is ended in any case.
    calledOff?.throwIfAborted();
    const child = this.#spawn();
    const deadline = Date.now() + readyDeadlineMs;
    for (;;) {
      calledOff?.throwIfAborted();
      if (this.#spawnError !== undefined) throw new Error(`${name} could not be run: ${this.#spawnError.message}.`);
      if (hasEnded(child)) throw this.#failure(`${name} ended while starting`);
      if (child.pid !== undefined && (await isReady(child.pid))) break;
      if (Date.now() > deadline) throw this.#failure(`${name} was not ready after ${readyDeadlineMs / 1000} s`);
      await sleep(readyPollMs);
    }
    onStarted?.(this.pid);
    child.once('exit', (code, signal) => this.#onExit(child, signal ?? `exit code ${code ?? 'unknown'}`));
  }

  #spawn(): ChildProcess {
    const { program, arguments: words, folder, runAs, diesWithUs } = this.#definition;
    this.#spawnError = undefined;
    const descriptor = this.#log.open();
    // Its own process group: Ctrl-C in a terminal must not end the database before its clients.
    const child = spawn(program, words, {
      cwd: folder,
      detached: true,
      stdio: ['ignore', descriptor, descriptor],
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' },
      ...runAs,
    });
    this.#log.close(descriptor);
    const stopWatchingLog = this.#log.keepSmall();
    child.once('exit', stopWatchingLog);
    child.on('error', (error) => {
      this.#spawnError = error;
      // A process that never ran has no exit.
      if (child.pid === undefined) stopWatchingLog();
    });
    this.#child = child;
    const identity = child.pid === undefined ? null : identify(child.pid);
    if (diesWithUs !== undefined && identity !== null) {
      this.#guard = guardAgainstParentExit(identity, diesWithUs.signal, diesWithUs.folder);
    }
    return child;
  }

  #onExit(child: ChildProcess, how: string): void {
    this.#guard?.dismiss();
    if (!this.#wanted || child !== this.#child) return;
    const { name, logger, logFile, restart } = this.#definition;
    logger.warn({ how, logFile }, `${name} ended by itself (${how}).${restart ? ' Starting it again.' : ''}`);
    if (restart) this.#restarting = this.#restart();
  }

  async #restart(): Promise<void> {
    for (let attempt = 1; this.#wanted; attempt += 1) {
      await sleep(backoffMs(attempt, { firstMs: 100, longestMs: longestRestartPauseMs }));
      if (!this.#wanted) return;
      try {
        await this.#startOnce();
        return;
      } catch (error) {
        this.#definition.logger.warn(
          { err: error },
          `${this.#definition.name} did not start again; trying once more soon.`,
        );
        await this.#end();
      }
    }
  }

  /** For tests that need a crash: SIGKILL, no restart. Resolves once the process is gone. */
  async kill(): Promise<void> {
    this.#wanted = false;
    await this.#end([]);
  }

  /** Signals the server to stop and kills it after the limit. Idempotent, also during a restart. */
  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#end();
    await this.#restarting;
    await this.#end();
  }

  async #end(signals = this.#definition.stopSignals): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || hasEnded(child)) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    for (const { signal, waitMs } of [...signals, { signal: 'SIGKILL', waitMs: 5_000 } as const]) {
      child.kill(signal);
      const gone = await Promise.race([exited.then(() => true), sleep(waitMs, false, { ref: false })]);
      if (gone) break;
    }
    this.#guard?.dismiss();
  }

  #failure(what: string): Error {
    return new Error(`${what}. Its last lines (${this.#log.file}):\n${this.#log.lastLines()}`);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Ends a server that an earlier, killed run of the stack left: the process `pid` whose command line contains `folder`.
 * Any other process with that PID is left alone. Resolves to true when there was one.
 */
export async function endLeftover(
  pid: number,
  folder: string,
  signals: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[],
): Promise<boolean> {
  const identity = identify(pid);
  if (identity === null || !commandLineOf(pid).includes(folder)) return false;
  for (const { signal, waitMs } of [...signals, { signal: 'SIGKILL', waitMs: 5_000 } as const]) {
    signalProcess(identity, signal);
    if (await isGoneWithin(identity, waitMs)) return true;
  }
  throw new Error(`Process ${pid} still holds ${folder} and cannot be ended. End it by hand, then start again.`);
}

async function isGoneWithin(identity: ProcessIdentity, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (Date.now() < deadline) {
    if (!isAlive(identity)) return true;
    await sleep(20);
  }
  return !isAlive(identity);
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
