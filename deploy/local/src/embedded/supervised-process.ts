import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, systemClock } from '@rapporteur/async';
import { describeExit, endChild, identify, isAlive, signalProcess, untilReady } from '@rapporteur/process-identity';
import type { ProcessIdentity, StopSignal } from '@rapporteur/process-identity';
import type { LogLimit } from '../log-limit.ts';
import { guardAgainstParentExit } from './parent-guard.ts';
import type { Guard } from './parent-guard.ts';
import { ServerLog } from './server-log.ts';
import type { ServerLogger } from './server-log.ts';

export interface SupervisedDefinition {
  /** Display name: PostgreSQL. */
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** Working directory; default that of this process. */
  readonly folder?: string;
  readonly runAs?: { readonly uid: number; readonly gid: number } | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Default 10 MB. */
  readonly logLimit?: LogLimit | undefined;
  readonly logger: Pick<ServerLogger, 'warn'>;
  /** Runs before every start, also the one after a crash. */
  readonly prepare: () => Promise<void>;
  /**
   * Polled until true. `message`: the process sends `{ ready }` on its IPC channel, or `{ failed }` with the reason
   * before it ends.
   */
  readonly isReady: 'message' | ((pid: number) => Promise<boolean>);
  readonly readyDeadlineMs: number;
  readonly stopSignals: readonly StopSignal[];
  /**
   * Backoff of restarts after a crash; null: none. It begins anew for a process that was ready for `steadyMs`.
   */
  readonly restart: { readonly firstMs: number; readonly longestMs: number; readonly steadyMs: number } | null;
  /** For tests: when this process ends, the supervised one is stopped and this folder is deleted. */
  readonly diesWithUs?: { readonly signal: 'TERM' | 'QUIT'; readonly folder?: string | undefined } | undefined;
  /** Called each time a process is started, before it is ready. */
  readonly onSpawned?: (pid: number) => void;
  /** Called each time a process is ready. */
  readonly onStarted?: ((pid: number) => void) | undefined;
}

const readyPollMs = 10;

/** The part of a definition that PostgreSQL and NATS share. */
export const embeddedServer = {
  environment: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' },
  readyDeadlineMs: 30_000,
  restart: { firstMs: 100, longestMs: 5_000, steadyMs: 0 },
} as const;

/** A program as a child process: ready before `start` resolves, restarted after a crash, stopped within a deadline. */
export class SupervisedProcess {
  readonly #definition: SupervisedDefinition;
  readonly #log: ServerLog;
  #child: ChildProcess | undefined;
  #guard: Guard | undefined;
  #stopping = new AbortController();
  #restarting: Promise<void> | undefined;
  /** Failures and crashes in a row. */
  #failures = 0;
  #readyAtMs: number | null = null;

  constructor(definition: SupervisedDefinition) {
    this.#definition = definition;
    this.#log = new ServerLog(definition.logFile, definition.logLimit);
  }

  get name(): string {
    return this.#definition.name;
  }

  get logFile(): string {
    return this.#log.file;
  }

  /** The process id of the latest process, running or not. */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.name} was never started.`);
    return pid;
  }

  /**
   * Rejects with the path of the log, and its last lines or the reported reason, when the process ends or is not ready
   * in time, and at once when `calledOff` aborts. No process of it runs then.
   */
  async start(calledOff?: AbortSignal): Promise<void> {
    this.#stopping = new AbortController();
    try {
      await this.#startOnce(calledOff);
    } catch (error) {
      this.#stopping.abort();
      await this.#end();
      throw error;
    }
  }

  async #startOnce(calledOff?: AbortSignal): Promise<void> {
    const { name, isReady, readyDeadlineMs: deadlineMs, prepare, onStarted } = this.#definition;
    await prepare();
    // Only now: the server of an earlier run is ended in any case.
    calledOff?.throwIfAborted();
    if (this.#stopping.signal.aborted) throw new Error(`${name} was stopped while starting.`);
    const child = this.#spawn();
    const message = readyMessage(child);
    const details = (): string =>
      isReady === 'message'
        ? `${message.reason()}Its log: ${this.logFile}`
        : `Its last lines (${this.logFile}):\n${this.#log.lastLines()}`;
    const ready =
      isReady === 'message' ? message.ready : async () => child.pid !== undefined && (await isReady(child.pid));
    await untilReady(child, ready, { name, deadlineMs, pollMs: readyPollMs, signal: calledOff, details });
    this.#readyAtMs = Date.now();
    onStarted?.(this.pid);
    child.once('exit', (code, signal) => this.#onExit(child, describeExit(code, signal)));
  }

  #spawn(): ChildProcess {
    const { program, arguments: words, folder, runAs, environment, isReady, diesWithUs, onSpawned } = this.#definition;
    const descriptor = this.#log.open();
    // Its own process group: Ctrl-C in a terminal must not end the database before its clients.
    const child = spawn(program, words, {
      ...(folder === undefined ? {} : { cwd: folder }),
      detached: true,
      stdio: ['ignore', descriptor, descriptor, ...(isReady === 'message' ? (['ipc'] as const) : [])],
      env: environment,
      ...runAs,
    });
    this.#log.close(descriptor);
    const stopWatchingLog = this.#log.keepSmall();
    // A process that never ran has no exit.
    child.once('exit', stopWatchingLog).once('error', () => void (child.pid ?? stopWatchingLog()));
    this.#child = child;
    this.#readyAtMs = null;
    if (child.pid !== undefined) onSpawned?.(child.pid);
    const identity = child.pid === undefined ? null : identify(child.pid);
    if (diesWithUs !== undefined && identity !== null) {
      this.#guard = guardAgainstParentExit(identity, diesWithUs.signal, diesWithUs.folder);
    }
    return child;
  }

  #onExit(child: ChildProcess, how: string): void {
    this.#guard?.dismiss();
    if (this.#stopping.signal.aborted || child !== this.#child) return;
    const { name, logger, logFile, restart } = this.#definition;
    const next = restart === null ? '' : ' and is started again';
    logger.warn({ how, logFile }, `${name} ended (${how})${next}. Its log: ${logFile}`);
    if (restart !== null) this.#restarting = this.#restart(restart);
  }

  async #restart({ steadyMs, ...limits }: NonNullable<SupervisedDefinition['restart']>): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      const wasSteady = this.#readyAtMs !== null && Date.now() - this.#readyAtMs >= steadyMs;
      this.#failures = wasSteady ? 1 : this.#failures + 1;
      await systemClock.sleep(backoffMs(this.#failures, limits), signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#startOnce();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#definition.logger.warn({ err: error }, `${this.name} did not start again; trying once more soon.`);
        await this.#end();
      }
    }
  }

  /** @throws Error as `start` does */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** For tests that need a crash: SIGKILL, no restart. Resolves once the process is gone. */
  async kill(): Promise<void> {
    this.#stopping.abort();
    await this.#end([]);
  }

  /** Signals the process to stop and kills it after the limit. Idempotent, also during a start or restart. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#end();
    await this.#restarting;
    await this.#end();
  }

  async #end(signals = this.#definition.stopSignals): Promise<void> {
    if (this.#child !== undefined) await endChild(this.#child, signals);
    this.#guard?.dismiss();
  }
}

/** What a service reports of its start on its IPC channel. */
function readyMessage(child: ChildProcess): { readonly ready: Promise<void>; readonly reason: () => string } {
  const ready = Promise.withResolvers<void>();
  let reason = '';
  child.on('message', (message: { ready?: string; failed?: string }) => {
    if (message.failed !== undefined) reason = `${message.failed} `;
    if (message.ready !== undefined) ready.resolve();
  });
  return { ready: ready.promise, reason: () => reason };
}

/**
 * Ends a server that an earlier, killed run of the stack left: the process `pid` whose command line contains `folder`.
 * Any other process with that PID is left alone. Resolves to true when there was one.
 */
export async function endLeftover(pid: number, folder: string, signals: readonly StopSignal[]): Promise<boolean> {
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
