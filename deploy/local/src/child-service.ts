import { join } from 'node:path';
import { SupervisedProcess } from './embedded/supervised-process.ts';
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
  /** Called when the child ended without a request to stop, and when it could not be started again. */
  readonly say: (text: string) => void;
  /** For tests; default 20 MB. */
  readonly logLimit?: LogLimit;
}

/** Compile cache of the services: halves the start time. */
const compiledFolder = join(import.meta.dirname, '../../../node_modules/.cache/rapporteur-compiled');
const usualLogLimit: LogLimit = { largestBytes: 20 * 1024 * 1024, pollIntervalMs: 10_000 };

/** One service of the stack, which reports on its IPC channel that it is ready. */
export function childService(definition: ChildDefinition, ports: ChildPorts): SupervisedProcess {
  const { name, entry, environment = {}, arguments: words = [], nodeArguments = [], prepare, stopMs } = definition;
  return new SupervisedProcess({
    name,
    program: process.execPath,
    arguments: ['--disable-warning=ExperimentalWarning', ...nodeArguments, entry, ...words],
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '/tmp',
      TZ: 'UTC',
      NODE_COMPILE_CACHE: compiledFolder,
      ...environment,
    },
    logFile: join(ports.logFolder, `${name}.log`),
    logLimit: ports.logLimit ?? usualLogLimit,
    logger: { warn: (_fields, message) => ports.say(message) },
    prepare: async () => prepare?.(),
    isReady: 'message',
    readyDeadlineMs: 60_000,
    stopSignals: [{ signal: 'SIGTERM', waitMs: stopMs }],
    restart: { firstMs: 250, longestMs: 10_000, steadyMs: 300_000 },
    onSpawned: (pid) => ports.onStarted(name, pid),
  });
}
