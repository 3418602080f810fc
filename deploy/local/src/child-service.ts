import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { backoffMs } from '@rapporteur/async';
import { keepLogSmall, rotateLog } from './log-limit.ts';
import type { LogLimit } from './log-limit.ts';

export interface ChildDefinition {
  readonly name: string;
  /** Main file of the program, run by this Node. */
  readonly entry: string;
  readonly arguments?: readonly string[];
  /** For Node itself. */
  readonly nodeArguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs before each start of it. */
  readonly prepare?: () => Promise<void>;
  /** How long it may take to stop before it is killed. */
  readonly stopMs: number;
}

export interface ChildPorts {
  readonly logFolder: string;
  /** Called each time the child starts. */
  readonly onStarted: (name: string, pid: number) => void;
  /** Called when the child ended without a request to stop. */
  readonly onCrash: (name: string, how: string, logFile: string) => void;
  /** For tests; default 20 MB. */
  readonly logLimit?: LogLimit;
}

/** Compile cache of the services: halves the start time. */
const compiledFolder = join(import.meta.dirname, '../../../node_modules/.cache/rapporteur-compiled');
const readyDeadlineMs = 60_000;
/** After this time a crash counts as the first one again. */
const steadyMs = 300_000;
const usualLogLimit: LogLimit = { largestBytes: 20 * 1024 * 1024, pollIntervalMs: 10_000 };

/** One program of the stack: starts it, restarts it when it exits, stops it on request. */
export class ChildService {
  readonly #definition: ChildDefinition;
  readonly #ports: ChildPorts;
  readonly logFile: string;
  #process: ChildProcess | undefined;
  #stopping = false;
  #crashes = 0;
  #startedAtMs = 0;

  constructor(definition: ChildDefinition, ports: ChildPorts) {
    this.#definition = definition;
    this.#ports = ports;
    this.logFile = join(ports.logFolder, `${definition.name}.log`);
  }

  get name(): string {
    return this.#definition.name;
  }

  /**
   * Resolves when the child reports that it is ready; rejects with the path of its log when it ends or takes too long,
   * and at once when `calledOff` aborts. Either way `stop` has to be called.
   */
  async start(calledOff?: AbortSignal): Promise<void> {
    await this.#definition.prepare?.();
    calledOff?.throwIfAborted();
    if (this.#stopping) throw new Error(`${this.#definition.name} was stopped while starting.`);
    const child = this.#spawn();
    await new Promise<void>((resolve, reject) => {
      let reason = '';
      const giveUp = (how: string): void => {
        clearTimeout(timer);
        reject(new Error(`${this.#definition.name} ${how}.${reason} Its log: ${this.logFile}`));
      };
      const timer = setTimeout(() => giveUp(`was not ready after ${readyDeadlineMs / 1000} s`), readyDeadlineMs);
      child.once('exit', (code, signal) => giveUp(`ended while starting (${describeExit(code, signal)})`));
      calledOff?.addEventListener('abort', () => giveUp('was called off while starting'), { once: true });
      child.on('message', (message: { ready?: string; failed?: string }) => {
        if (message.failed !== undefined) reason = ` ${message.failed}`;
        if (message.ready === undefined) return;
        clearTimeout(timer);
        resolve();
      });
    });
    child.once('exit', (code, signal) => void this.#onExit(describeExit(code, signal)));
  }

  #spawn(): ChildProcess {
    const { entry, name, environment = {}, arguments: words = [], nodeArguments = [] } = this.#definition;
    const { logLimit = usualLogLimit } = this.#ports;
    rotateLog(this.logFile, logLimit);
    const log = openSync(this.logFile, 'a', 0o600);
    // Its own process group: Ctrl-C in the terminal signals only the stack, which then stops its parts in order.
    const nodeWords = ['--disable-warning=ExperimentalWarning', ...nodeArguments];
    const child = spawn(process.execPath, [...nodeWords, entry, ...words], {
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '/tmp',
        TZ: 'UTC',
        NODE_COMPILE_CACHE: compiledFolder,
        ...environment,
      },
    });
    closeSync(log);
    child.once('exit', keepLogSmall(this.logFile, logLimit));
    this.#process = child;
    this.#startedAtMs = Date.now();
    if (child.pid !== undefined) this.#ports.onStarted(name, child.pid);
    return child;
  }

  async #onExit(how: string): Promise<void> {
    if (this.#stopping) return;
    this.#ports.onCrash(this.#definition.name, how, this.logFile);
    this.#crashes = Date.now() - this.#startedAtMs > steadyMs ? 1 : this.#crashes + 1;
    await sleep(backoffMs(this.#crashes, { firstMs: 250, longestMs: 10_000 }));
    if (this.#stopping) return;
    await this.start().catch(() => this.#onExit('it could not start again'));
  }

  /** Restarts it. @throws Error as `start` does; the next change of a source may fix that */
  async restart(): Promise<void> {
    await this.stop();
    this.#stopping = false;
    await this.start();
  }

  /** Signals it to stop, waits, and kills it after the limit. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const late = sleep(this.#definition.stopMs, 'late' as const, { ref: false });
    if ((await Promise.race([ended, late])) === 'late') {
      child.kill('SIGKILL');
      await ended;
    }
  }
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : signal;
}
