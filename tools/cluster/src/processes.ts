import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const readyWithinMs = 120_000;
const stopWithinMs = 10_000;

/** Programs of one cluster; each writes a log into the folder. Their name is that of the program. */
export interface Processes {
  start(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): void;
  /** SIGKILL follows after 10 s. */
  stop(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** In reverse order of the start. */
  stopAll(): Promise<void>;
  /** Polls for two minutes; rejects with the end of the program's log. */
  waitUntil(name: string, isUp: () => Promise<boolean>): Promise<void>;
}

export function openProcesses(folder: string): Processes {
  const children = new Map<string, ChildProcess>();
  const logOf = (name: string): string => join(folder, `${name}.log`);
  return {
    start: (program, args, env = process.env) => {
      const name = basename(program);
      const log = openSync(logOf(name), 'a');
      const child = spawn(program, args, { env, stdio: ['ignore', log, log] });
      children.set(
        name,
        child.on('error', ({ message }) => appendFileSync(logOf(name), message)),
      );
    },
    stop: async (name, signal) => {
      const child = children.get(name);
      if (child !== undefined) await end(child, signal);
    },
    stopAll: async () => {
      for (const child of [...children.values()].toReversed()) await end(child);
    },
    waitUntil: async (name, isUp) => {
      const deadline = Date.now() + readyWithinMs;
      while (!(await isUp().catch(() => false))) {
        if (Date.now() > deadline) {
          const log = readFileSync(logOf(name), 'utf8').slice(-2_000);
          throw new Error(`${name} was not ready within ${readyWithinMs / 1_000} s. Its log ends with:\n${log}`);
        }
        await sleep(200);
      }
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const forced = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await exited;
  clearTimeout(forced);
}
