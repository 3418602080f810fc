import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** Clock of the server, epoch ms; null: unknown. */
  readonly serverTimeMs: number | null;
}

/** The facts about a machine and its programs that the doctor reads. Tests pass a broken one. */
export interface Machine {
  readonly nodeVersion: string;
  readonly isRoot: boolean;
  readonly memoryBytes: number;
  /** Null: not known. */
  readonly openFiles: number | null;
  now(): number;
  /** Text of a file of the kernel; null: it is not there. */
  kernelFile(path: string): string | null;
  /** Null where the folder does not exist. */
  freeBytes(folder: string): number | null;
  canWrite(folder: string): boolean;
  /** Exit code of a program that ends by itself; null: it cannot be started. */
  runProgram(program: string, parameters: readonly string[]): number | null;
  portIsFree(port: number): Promise<boolean>;
  /** Null: nothing responds. */
  request(url: string, headers?: Readonly<Record<string, string>>): Promise<Reply | null>;
}

const requestMs = 5_000;
const programMs = 15_000;

export const thisMachine: Machine = {
  nodeVersion: process.versions.node,
  isRoot: process.getuid?.() === 0,
  memoryBytes: totalmem(),
  get openFiles() {
    const limit = /^Max open files\s+(\S+)/m.exec(read('/proc/self/limits') ?? '')?.[1];
    return limit === undefined ? null : limit === 'unlimited' ? Infinity : Number(limit);
  },
  now: () => Date.now(),
  kernelFile: read,
  freeBytes: (folder) => {
    if (!existsSync(folder)) return null;
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  canWrite: (folder) => {
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  runProgram: (program, parameters) => {
    const { error, status } = spawnSync(program, [...parameters], { timeout: programMs, stdio: 'ignore' });
    return error === undefined ? (status ?? 1) : null;
  },
  portIsFree: (port) =>
    new Promise((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    }),
  request: async (url, headers = {}) => {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(requestMs) }).catch(() => null);
    if (response === null) return null;
    const date = Date.parse(response.headers.get('date') ?? '');
    const body: unknown = await response.json().catch(() => null);
    return { status: response.status, body, serverTimeMs: Number.isNaN(date) ? null : date };
  },
};

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
