import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { botInvocation, runnerStart } from '@rapporteur/contracts';
import type { BotInvocation } from '@rapporteur/contracts';
import { copyEvidence, keepOnFailure } from '@rapporteur/testbed';
import { endProcessesNaming, killProcess, processesBelow } from './bot-processes.ts';
import type { StubScheduler } from './stub-scheduler.ts';
import type { StubStorage } from './stub-storage.ts';

export interface RunningBot {
  readonly child: ChildProcess;
  /** Epoch ms just before its process was started. */
  readonly startedAtMs: number;
  readonly workFolder: string;
  /** Resolves when the process is gone: its exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  /** Kills the process of the meeting's page, or the browser. */
  kill(what: 'renderer' | 'browser'): Promise<void>;
  /** Every line it wrote so far. */
  log(): Promise<Record<string, unknown>[]>;
  /** Ends the process if it still runs and removes its folder. */
  clear(): Promise<void>;
}

const sourceFile = join(import.meta.dirname, '..', 'main.ts');
/** A compile cache, as the scheduler's launcher has one. */
const compiledFolder = join(import.meta.dirname, '../../../../node_modules/.cache/rapporteur-compiled');

/**
 * Starts the real runner as a process, like the scheduler.
 * @param mainFile a packed runner; default: the sources
 */
export async function runBot(
  scheduler: StubScheduler,
  invocation: BotInvocation,
  mainFile = sourceFile,
): Promise<RunningBot> {
  const workFolder = await mkdtemp(join(tmpdir(), 'rapporteur-runner-'));
  const ticket = crypto.randomUUID();
  scheduler.issue(ticket, invocation);
  const logFile = join(workFolder, 'runner.log');
  const startedAtMs = Date.now();
  const child = spawn(process.execPath, [...runnerStart.nodeArguments, mainFile], {
    cwd: workFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...runnerStart.environment,
      PATH: process.env['PATH'] ?? '',
      HOME: workFolder,
      TMPDIR: workFolder,
      NODE_COMPILE_CACHE: compiledFolder,
      RAPPORTEUR_SCHEDULER_URL: scheduler.url,
      RAPPORTEUR_LAUNCH_TICKET: ticket,
      RAPPORTEUR_WORK_FOLDER: workFolder,
      RAPPORTEUR_LOG_LEVEL: 'debug',
    },
  });
  const written = createWriteStream(logFile);
  child.stdout.pipe(written, { end: false });
  child.stderr.pipe(written, { end: false });
  const forget = keepOnFailure((folder) => copyEvidence(folder, logFile));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    child,
    startedAtMs,
    workFolder,
    exited,
    kill: async (what) => {
      for (const { pid, kind } of await processesBelow(child.pid ?? 0)) if (kind === what) killProcess(pid);
    },
    log: async () => {
      const lines = (await readFile(logFile, 'utf8').catch(() => '')).split('\n');
      return lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
    },
    clear: async () => {
      forget();
      child.kill('SIGKILL');
      await exited;
      written.end();
      // The launcher does this in production: a browser outlives a runner that was killed.
      await endProcessesNaming(workFolder);
      await rm(workFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

export interface InvocationFacts {
  readonly storage: StubStorage;
  readonly busUrl: string;
  readonly joinUrl: string;
  readonly simulator: BotInvocation['simulator'];
}

/** An invocation document with short timeouts; `more` replaces whole fields. */
export function testInvocation(
  { storage, busUrl, joinUrl, simulator }: InvocationFacts,
  more: Partial<BotInvocation> = {},
): BotInvocation {
  return botInvocation.parse({
    version: 1,
    mode: 'attend',
    botId: crypto.randomUUID(),
    teamId: crypto.randomUUID(),
    attempt: 1,
    fencing: 1,
    configuration: {
      bot_name: 'Rapporteur',
      meeting_url: joinUrl,
      recording_mode: 'speaker_view',
      entry_message: null,
      ignored_participant_names: [],
      timeout_config: {
        waiting_room_timeout: 600,
        no_one_joined_timeout: 600,
        silence_timeout: 600,
        grace_period: 0,
        max_recording_duration: null,
      },
      bot_image: [],
      bot_image_config: null,
      login: null,
      captions: null,
      streaming_config: null,
    },
    joinAt: null,
    meeting: { platform: 'meet', joinUrl, meetingId: joinUrl.split('/').at(-1) ?? '' },
    attendanceEnd: null,
    bus: { url: busUrl, credentials: null },
    lease: { renewEveryMs: 1_000, lostAfterMs: 5_000 },
    storage: { url: storage.url, grant: storage.grant },
    simulator,
    outbound: { allow: ['loopback'], requireHttps: false, caFile: null, proxy: null },
    captureStrategy: 'auto',
    videoSize: 'fixed',
    participantAudio: 'on',
    zoom: null,
    rejoin: null,
    liveTranscription: null,
    pagePack: null,
    ...more,
  });
}
