import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface OwnProcess {
  /** What it has written so far. */
  output(): string;
  stop(): Promise<void>;
}

const stopDeadlineMs = 5_000;

/** A server of a test; it ends with `stop`, by SIGKILL where it does not end by itself. */
export function startProcess(program: string, parameters: readonly string[]): OwnProcess {
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.on('error', (error) => (output += error.message));
  return {
    output: () => output,
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
