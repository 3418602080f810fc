import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  fsyncSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runnerStart } from '@rapporteur/contracts';
import { findProcessesNaming, identify, isAlive, signalProcess } from '@rapporteur/process-identity';
import { z } from 'zod';
import type { StartPace } from '../scheduled/lead-time.ts';
import type { Context } from '../schema/context.ts';
import { RunExists } from './launcher.ts';
import type { BotLauncher, LaunchSpec, ObservedRun, RunEvidence, StartObstacle } from './launcher.ts';
import { lastLines } from './log-limit.ts';

/** The stored record of a run, by which a restarted scheduler finds it. */
const runRecord = z.object({
  name: z.string(),
  botId: z.string(),
  attempt: z.int(),
  workFolder: z.string(),
  logFile: z.string(),
  /** Null until the process has started. */
  process: z.object({ pid: z.int(), startTicks: z.string() }).nullable(),
  exit: z
    .object({
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
      outOfMemory: z.boolean(),
      atMs: z.number(),
    })
    .nullable(),
});
type RunRecord = z.infer<typeof runRecord>;

/** One small file per run in its own folder. */
interface RunRecords {
  readonly folder: string;
  /** Missing when the folder was removed: the next record creates it. */
  list(): RunRecord[];
  find(name: string): RunRecord | null;
  write(record: RunRecord): void;
  remove(name: string): void;
}

const namePattern = /^[\w-]{1,120}$/;

export function openRunRecords(folder: string): RunRecords {
  mkdirSync(folder, { recursive: true });
  const fileOf = (name: string): string => {
    if (!namePattern.test(name)) throw new Error(`A run cannot be called ${JSON.stringify(name)}.`);
    return join(folder, `${name}.run.json`);
  };
  const read = (name: string): RunRecord | null => {
    try {
      return runRecord.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')));
    } catch {
      return null;
    }
  };
  return {
    folder,
    list: () =>
      namesIn(folder)
        .filter((file) => file.endsWith('.run.json'))
        .map((file) => read(file.slice(0, -'.run.json'.length)))
        .filter((record) => record !== null),
    find: read,
    write: (record) => {
      mkdirSync(folder, { recursive: true });
      writeWhole(fileOf(record.name), JSON.stringify(record));
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A reader, also after a crash, gets the old or the new text. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}

export interface ProcessLauncherOptions extends Pick<Context, 'logger' | 'clock'> {
  /** The runner's main file, run by this process's Node. */
  readonly runnerEntry: string;
  readonly runsFolder: string;
  /** Environment variables of the runner, besides its ticket and its work folder. */
  readonly environment: Readonly<Record<string, string>>;
}

const watchEveryMs = 200;
const forcedEndDeadlineMs = 5_000;

/**
 * Runs each bot as a child process in its own process group, so that signals to the scheduler do not reach it. A
 * restarted scheduler finds it by its record.
 */
export function createProcessLauncher(options: ProcessLauncherOptions): BotLauncher {
  return new ProcessLauncher(options);
}

class ProcessLauncher implements BotLauncher {
  readonly runsOutliveScheduler = false;
  readonly #options: ProcessLauncherOptions;
  readonly #records: RunRecords;
  /** Children of this process; adopted runs are polled. */
  readonly #children = new Map<string, ChildProcess>();
  readonly #listeners = new Set<() => void>();
  readonly #watch: NodeJS.Timeout;
  #failing = false;
  #lateRuns = 0;

  constructor(options: ProcessLauncherOptions) {
    this.#options = options;
    this.#records = openRunRecords(options.runsFolder);
    for (const record of this.#records.list()) this.#adopt(record);
    removeOldLogs(join(options.runsFolder, 'logs'), options.clock.now());
    this.#watch = setInterval(() => this.#unattended(() => this.#sweep()), watchEveryMs);
  }

  pace(): StartPace {
    return { perSecond: Number.POSITIVE_INFINITY, startLatencyMs: null };
  }

  launchSlots(): number {
    return Number.MAX_SAFE_INTEGER;
  }

  /** The refusal concerns new bots only. */
  refusal(): StartObstacle | null {
    if (this.#lateRuns === 0) return null;
    const message = `Bots on this machine that get less CPU than they need: ${this.#lateRuns}.`;
    return { cause: 'cpu-pressure', message };
  }

  setLateRuns({ length }: readonly string[]): void {
    const { logger } = this.#options;
    if (length > 0 && this.#lateRuns === 0) logger.warn({ late: length }, 'Bots are short of CPU; new bots wait.');
    if (length === 0 && this.#lateRuns > 0) logger.info({}, 'The machine has CPU for new bots again.');
    this.#lateRuns = length;
  }

  async withdraw(): Promise<boolean> {
    return false;
  }

  async launch(spec: LaunchSpec): Promise<void> {
    if (this.#records.find(spec.name) !== null) throw new RunExists(spec.name);
    const { runsFolder } = this.#options;
    const intention: RunRecord = {
      name: spec.name,
      botId: spec.botId,
      attempt: spec.attempt,
      // The suffix prevents one run's folder from being a prefix of another's.
      workFolder: join(runsFolder, 'work', `${spec.name}.run`),
      logFile: join(runsFolder, 'logs', `${spec.name}.log`),
      process: null,
      exit: null,
    };
    mkdirSync(intention.workFolder, { recursive: true });
    mkdirSync(dirname(intention.logFile), { recursive: true });
    // Written first: if this process dies right after the start, the run is found by its work folder.
    this.#records.write(intention);
    try {
      const child = await this.#start(intention, spec.ticket);
      this.#records.write({ ...intention, process: identify(child.pid ?? -1) });
      this.#children.set(spec.name, child);
      child.once('exit', (exitCode, signal) => this.#unattended(() => this.#ended(spec.name, { exitCode, signal })));
      if (child.exitCode !== null || child.signalCode !== null) {
        this.#ended(spec.name, { exitCode: child.exitCode, signal: child.signalCode });
      }
    } catch (error) {
      this.#records.remove(spec.name);
      this.#clearAway(intention);
      throw error;
    }
  }

  #start({ workFolder, logFile }: RunRecord, ticket: string): Promise<ChildProcess> {
    const { runnerEntry, environment } = this.#options;
    const temporaryFolder = temporaryFolderOf(workFolder);
    mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
    const log = openSync(logFile, 'a', 0o600);
    const child = spawn(process.execPath, [...runnerStart.nodeArguments, runnerEntry], {
      cwd: workFolder,
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        ...runnerStart.environment,
        ...environment,
        PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        // A browser writes its profile and caches here; they are removed with the run.
        HOME: workFolder,
        TMPDIR: temporaryFolder,
        // Shared by all runs: a compile cache shortens the start by a third of a second.
        NODE_COMPILE_CACHE: join(this.#options.runsFolder, 'compiled'),
        RAPPORTEUR_LAUNCH_TICKET: ticket,
        RAPPORTEUR_WORK_FOLDER: workFolder,
      },
    });
    closeSync(log);
    return new Promise((resolve, reject) => {
      child.once('spawn', () => resolve(child));
      child.once('error', reject);
    });
  }

  /** A run of an earlier scheduler: adopts it if it is alive, else records its end. */
  #adopt(record: RunRecord): void {
    if (record.exit !== null) return;
    const alive = record.process === null ? this.#findLeader(record) : record.process;
    if (alive !== null && isAlive(alive)) {
      if (record.process === null) this.#records.write({ ...record, process: alive });
      this.#options.logger.info(
        { run: record.name, botId: record.botId, pid: alive.pid },
        'A running bot from before the restart was taken over.',
      );
    } else {
      this.#ended(record.name, { exitCode: null, signal: null });
    }
  }

  /** The oldest process of a run is the runner. */
  #findLeader({ workFolder }: RunRecord) {
    const [oldest] = findProcessesNaming(workFolder).sort(
      (a, b) => Number(a.startTicks) - Number(b.startTicks) || a.pid - b.pid,
    );
    return oldest ?? null;
  }

  /** Records the end of adopted runs, and of children whose exit could not be recorded. */
  #sweep(): void {
    for (const record of this.#records.list()) {
      if (record.exit !== null || record.process === null || isAlive(record.process)) continue;
      const child = this.#children.get(record.name);
      const { exitCode = null, signalCode: signal = null } = child ?? {};
      // A child that has ended emits `exit` shortly.
      if (child === undefined || exitCode !== null || signal !== null) this.#ended(record.name, { exitCode, signal });
    }
  }

  /** Logs errors of background work: an unusable runs folder must not end this process. */
  #unattended(work: () => void): void {
    try {
      work();
      this.#failing = false;
    } catch (error) {
      const { logger, runsFolder } = this.#options;
      if (!this.#failing) logger.error({ err: error, runsFolder }, 'How runs ended cannot be noted; trying on.');
      this.#failing = true;
    }
  }

  #ended(name: string, { exitCode, signal }: { exitCode: number | null; signal: string | null }): void {
    const record = this.#records.find(name);
    if (record === null || record.exit !== null) return;
    const outOfMemory = ranOutOfMemory(record.logFile, signal);
    this.#records.write({ ...record, exit: { exitCode, signal, outOfMemory, atMs: this.#options.clock.now() } });
    this.#children.delete(name);
    this.#clearAway(record);
    this.#options.logger.info(
      { run: name, botId: record.botId, exitCode, signal, outOfMemory },
      'A runner process ended.',
    );
    for (const listener of this.#listeners) listener();
  }

  /** Removes what the run left: surviving browser processes and its work folder. Its log is kept. */
  #clearAway({ workFolder, name, botId }: RunRecord): void {
    const left = findProcessesNaming(workFolder);
    for (const orphan of left) signalProcess(orphan, 'SIGKILL');
    if (left.length > 0)
      this.#options.logger.warn(
        { run: name, botId, processes: left.length },
        'Processes that a runner left behind were ended.',
      );
    for (const folder of [workFolder, temporaryFolderOf(workFolder)]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  async observe(): Promise<ObservedRun[]> {
    return this.#records.list().map(({ name, botId, attempt, exit }) => ({
      name,
      botId,
      attempt,
      state: exit === null ? 'running' : 'exited',
      exit: exit === null ? null : { exitCode: exit.exitCode, signal: exit.signal, outOfMemory: exit.outOfMemory },
      exitedAtMs: exit?.atMs ?? null,
    }));
  }

  async evidence(name: string): Promise<RunEvidence | null> {
    const record = this.#records.find(name);
    if (record === null) return null;
    return {
      status: { process: record.process, exit: record.exit },
      lastLogLines: lastLines(readTail(record.logFile)),
    };
  }

  async stop(name: string, { graceMs }: { readonly graceMs: number }): Promise<void> {
    const { clock } = this.#options;
    const found = this.#records.find(name);
    if (found === null || found.process === null) return;
    if (graceMs > 0) {
      signalProcess(found.process, 'SIGTERM');
      if (await this.#gone(name, clock.monotonic() + graceMs)) return;
    }
    signalProcess(found.process, 'SIGKILL');
    if (!(await this.#gone(name, clock.monotonic() + forcedEndDeadlineMs)))
      throw new Error(`The run ${name} could not be ended.`);
  }

  async forget(name: string): Promise<void> {
    const record = this.#records.find(name);
    if (record === null || record.exit === null) return;
    this.#clearAway(record);
    this.#records.remove(name);
  }

  async #gone(name: string, deadlineMs: number): Promise<boolean> {
    for (;;) {
      const record = this.#records.find(name);
      if (record === null || record.exit !== null) return true;
      if (this.#options.clock.monotonic() >= deadlineMs) return false;
      await this.#options.clock.sleep(25);
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#listeners.clear();
    for (const child of this.#children.values()) child.removeAllListeners('exit').unref();
    this.#children.clear();
  }
}

/**
 * Temporary folder of a run's programs. The path is short in any runs folder: a browser creates a Unix socket in it,
 * whose path is limited to 107 bytes.
 */
function temporaryFolderOf(workFolder: string): string {
  return join(tmpdir(), `rapporteur-${createHash('sha256').update(workFolder).digest('hex').slice(0, 12)}`);
}

const keepLogsMs = 14 * 24 * 3_600_000;

function removeOldLogs(folder: string, nowMs: number): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (nowMs - statSync(file).mtimeMs > keepLogsMs) rmSync(file, { force: true });
  }
}

const tailBytes = 4_096;

/**
 * V8 aborts with SIGABRT when its heap is full and logs it last; the kernel's OOM killer is visible in the cgroup only.
 */
function ranOutOfMemory(logFile: string, signal: string | null): boolean {
  return signal === 'SIGABRT' && readTail(logFile).includes('heap out of memory');
}

/** The end of a file, or an empty string when it cannot be read. */
function readTail(file: string): string {
  try {
    const { size } = statSync(file);
    const length = Math.min(size, tailBytes);
    const tail = Buffer.alloc(length);
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, tail, 0, length, size - length);
    } finally {
      closeSync(descriptor);
    }
    return tail.toString();
  } catch {
    return '';
  }
}
