import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endChild, untilReady } from '@rapporteur/process-identity';

const readyWithinMs = 120_000;
const stopWithinMs = 10_000;

/** Programs of one cluster; each writes a log into the folder. Their name is that of the program. */
export interface Processes {
  start(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): void;
  /** SIGKILL follows after 10 s. */
  stop(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** In reverse order of the start. */
  stopAll(): Promise<void>;
  /** Polls for two minutes; rejects with the end of the program's log, at once when the program ends. */
  waitUntil(name: string, isUp: () => Promise<boolean>): Promise<void>;
}

/** `enter`: the command before each program, which replaces itself by it, for example one that enters namespaces. */
export function openProcesses(folder: string, enter: readonly string[] = []): Processes {
  const children = new Map<string, ChildProcess>();
  const logOf = (name: string): string => join(folder, `${name}.log`);
  return {
    start: (program, args, env = process.env) => {
      const name = basename(program);
      const log = openSync(logOf(name), 'a');
      const [first = program, ...rest] = [...enter, program, ...args];
      const child = spawn(first, rest, { env, stdio: ['ignore', log, log] });
      children.set(
        name,
        child.on('error', ({ message }) => appendFileSync(logOf(name), message)),
      );
    },
    stop: async (name, signal = 'SIGTERM') => {
      const child = children.get(name);
      if (child !== undefined) await endChild(child, [{ signal, waitMs: stopWithinMs }]);
    },
    stopAll: async () => {
      for (const child of [...children.values()].toReversed())
        await endChild(child, [{ signal: 'SIGTERM', waitMs: stopWithinMs }]);
    },
    waitUntil: async (name, isUp) => {
      const child = children.get(name);
      if (child === undefined) throw new Error(`${name} was not started.`);
      const details = (): string => `Its log ends with:\n${readFileSync(logOf(name), 'utf8').slice(-2_000)}`;
      const isReady = (): Promise<boolean> => isUp().catch(() => false);
      await untilReady(child, isReady, { name, deadlineMs: readyWithinMs, pollMs: 200, details });
    },
  };
}
