import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { doneWithin, systemClock, unlessAborted, withDeadline } from '@rapporteur/async';

/** True once the process has ended, and for one that could not be started. */
export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** `exit code 1`, or the name of a signal. */
export function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ?? `exit code ${code ?? 'unknown'}`;
}

export interface StopSignal {
  readonly signal: NodeJS.Signals;
  /** Time to take effect, before the next signal is sent. */
  readonly waitMs: number;
}

const killedWithinMs = 10_000;

/** Sends the signals in this order, and SIGKILL after the last. Resolves when the process has ended. Idempotent. */
export async function endChild(
  child: ChildProcess,
  signals: readonly StopSignal[] = [{ signal: 'SIGTERM', waitMs: 5_000 }],
): Promise<void> {
  if (hasEnded(child)) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for (const { signal, waitMs } of [...signals, { signal: 'SIGKILL', waitMs: killedWithinMs } as const]) {
    child.kill(signal);
    if (await doneWithin(exited, waitMs, systemClock)) return;
  }
}

export interface ReadyOptions {
  /** Name of the process in the error. */
  readonly name: string;
  readonly deadlineMs: number;
  /** Default 20. */
  readonly pollMs?: number;
  /** Ends the wait; the process continues. */
  readonly signal?: AbortSignal | undefined;
  /** Follows the message of the error, e.g. the last output. */
  readonly details?: () => string;
}

/**
 * Waits until a process is ready: for a promise, or by polling a condition. A program that cannot be run is noticed only
 * in the turn of the event loop that started it.
 * @throws Error with name and details when the process cannot be run, ends or exceeds the deadline, and the signal's
 *   reason; the process is not ended
 */
export async function untilReady(
  child: ChildProcess,
  ready: Promise<unknown> | (() => boolean | Promise<boolean>),
  { name, deadlineMs, pollMs = 20, signal, details }: ReadyOptions,
): Promise<void> {
  const failed = (how: string): Error => new Error(`${name} ${how}.${details === undefined ? '' : ` ${details()}`}`);
  const over = new AbortController();
  const ended = Promise.withResolvers<never>();
  // A later error, as of a signal that cannot be sent, has no listener otherwise and would end this process.
  child.on('error', ({ message }) => ended.reject(new Error(`${name} could not be run: ${message}.`)));
  const onExit = (code: number | null, by: NodeJS.Signals | null): void =>
    ended.reject(failed(`ended while starting (${describeExit(code, by)})`));
  child.once('exit', onExit);
  if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
  const poll = async (isReady: () => boolean | Promise<boolean>): Promise<void> => {
    while (!over.signal.aborted && !(await isReady())) await sleep(pollMs);
  };
  const first = Promise.race([typeof ready === 'function' ? poll(ready) : ready, ended.promise]);
  const waiting = signal === undefined ? first : unlessAborted(first, signal);
  try {
    await withDeadline(waiting, deadlineMs, () => failed(`was not ready after ${deadlineMs / 1_000} s`));
  } finally {
    over.abort();
  }
}

/** Reads text streams and returns their last characters together. */
export function lastOutput(streams: readonly (Readable | null)[], mostCharacters: number): () => string {
  let text = '';
  for (const stream of streams)
    stream?.setEncoding('utf8').on('data', (chunk: string) => void (text = (text + chunk).slice(-mostCharacters)));
  return () => text.trim();
}
