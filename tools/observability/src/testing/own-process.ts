import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface OwnProcess {
  stop(): Promise<void>;
}

const stopDeadlineMs = 5_000;

/** A server of a test; it ends with `stop`, by SIGKILL where it does not end by itself. */
export function startProcess(program: string, parameters: readonly string[]): OwnProcess {
  const child = spawn(program, parameters, { stdio: 'ignore' });
  // A program that cannot be started has no pid; the test fails at its deadline.
  child.on('error', () => undefined);
  return {
    stop: async () => {
      if (child.exitCode !== null || child.pid === undefined) return;
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}
