import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import process from 'node:process';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { RunningBot, SimulatedMeeting, SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import { waitFor } from '@rapporteur/testbed';
import { checkRecording } from '@rapporteur/recording-check';
import type { RecordingReport } from '@rapporteur/recording-check';
import { endWithProgram } from '../measure/leftovers.ts';
import { jumpProblems } from '../recorder/judge-take.ts';
import { startOf } from '../recorder/our-bot.ts';
import { openMemoryCgroup } from '../measure/cgroup.ts';
import type { FaultOutcome, Plan, PlayedFile } from './judge-fault.ts';

/** As in the other tests with a simulated meeting, so that its media is rendered already. */
const roomRate = { framesPerSecond: 10, loopSeconds: 15 } as const;
const beginMs = 90_000;
const backMs = 90_000;
const endMs = 120_000;
/** The delay from the sender varies on a busy machine; more than this is missing or doubled time. */
const jumpMostMs = 1_000;
/** Recorded length after the rejoin. */
const afterwardsMs = 4_000;

export interface FaultTarget {
  readonly meetings: SimulatedMeetings;
  /** Its main file. */
  readonly runner: string;
}

/** Injects the planned fault into one recording bot, runs production's recovery, and collects the observations. */
export async function injectFault(plan: Plan, { meetings, runner }: FaultTarget): Promise<FaultOutcome> {
  const meeting = await meetings.open({ speakers: 3, ...roomRate });
  try {
    const botId = crypto.randomUUID();
    const bot = await meeting.sendBot({ botId }, runner);
    const clear = endWithProgram(() => bot.clear());
    const shortage = plan.fault === 'memory' ? await openShortage(bot.child.pid ?? 0) : null;
    try {
      await waitFor(() => meeting.statuses().includes('in_call_recording') || hasEnded(bot), {
        what: 'the recording to begin',
        timeoutMs: beginMs,
      });
      const began = meeting.scheduler.reports.find(
        (report) => report.kind === 'status' && report.code === 'in_call_recording',
      );
      if (began === undefined) throw new Error(`The runner ended before it recorded. ${whyEnded(meeting, bot)}`);
      await sleep(plan.afterMs);
      const faultAtMs = Date.now();
      if (plan.fault === 'runner') bot.child.kill('SIGKILL');
      if (plan.fault === 'drain') bot.child.kill('SIGTERM');
      if (plan.fault === 'chromium') await bot.kill('browser');
      const fellAtMs = (await shortage?.press()) ?? faultAtMs;
      const ended = await letFinish(plan, meeting, bot, { botId, runner, clear });
      const facts = { plan, faultAtMs: fellAtMs, recordingSinceMs: Date.parse(began.at), ...ended };
      return { ...facts, ...(await inspect(meeting, join(meetings.folder, `fault-${botId}`))) };
    } finally {
      await clear();
      await shortage?.remove();
    }
  } finally {
    await meetings.clear();
  }
}

/** Its last report, or the end of its process. */
function whyEnded({ scheduler }: SimulatedMeeting, { child }: RunningBot): string {
  const ends = scheduler.reports.flatMap((report) => (report.kind === 'attendance-ended' ? [report.end] : []));
  return ends[0] === undefined ? `exit code ${child.exitCode}, signal ${child.signalCode}` : JSON.stringify(ends[0]);
}

type Ended = Pick<FaultOutcome, 'runnerDied' | 'exitCode' | 'exitedAtMs'>;

async function letFinish(
  { fault }: Plan,
  meeting: SimulatedMeeting,
  bot: RunningBot,
  { botId, runner, clear }: { botId: string; runner: string; clear: () => Promise<unknown> },
): Promise<Ended> {
  if (fault === 'drain') return { runnerDied: false, ...(await endOf(bot)) };
  if (fault !== 'runner' && (await rejoins(meeting, bot))) {
    meeting.scheduler.lease.leaveRequested = true;
    return { runnerDied: false, ...(await endOf(bot)) };
  }
  // The scheduler's recovery after the end of a runner: its folder is removed, and another run, elsewhere, finalizes
  // what is stored.
  await endOf(bot);
  await clear();
  const attendanceEnd = {
    code: 'FORCE_KILLED',
    message: 'Killed.',
    joinedAt: null,
    exitedAt: null,
    recorded: true,
  } as const;
  const finalizing = { botId, mode: 'finalize', attempt: 2, fencing: 2, attendanceEnd } as const;
  const finalizer = await meeting.sendBot(finalizing, runner);
  const clearFinalizer = endWithProgram(() => finalizer.clear());
  try {
    return { runnerDied: true, ...(await endOf(finalizer)) };
  } finally {
    await clearFinalizer();
  }
}

/** False when the runner itself is gone. */
async function rejoins(meeting: SimulatedMeeting, bot: RunningBot): Promise<boolean> {
  const back = async (): Promise<boolean> =>
    (await bot.log()).some(({ message }) => message === 'The bot rejoined the meeting.');
  await waitFor(async () => hasEnded(bot) || (await back()), { what: 'the bot to be back', timeoutMs: backMs });
  const before = meeting.storedMs();
  await waitFor(() => hasEnded(bot) || meeting.storedMs() >= before + afterwardsMs, {
    what: 'the recording to go on',
    timeoutMs: backMs,
  });
  return !hasEnded(bot);
}

async function endOf(bot: RunningBot): Promise<Pick<Ended, 'exitCode' | 'exitedAtMs'>> {
  await waitFor(() => hasEnded(bot), { what: 'the run to end', timeoutMs: endMs });
  return { exitCode: bot.child.exitCode, exitedAtMs: Date.now() };
}

function hasEnded({ child }: RunningBot): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The reports and the stored files, decoded. */
async function inspect(
  meeting: SimulatedMeeting,
  folder: string,
): Promise<Omit<FaultOutcome, keyof Ended | 'plan' | 'faultAtMs' | 'recordingSinceMs'>> {
  const { scheduler, storage, room } = meeting;
  const stored = scheduler.find('recording-stored');
  const { files, report } = await playFiles(stored?.artifacts ?? [], { objects: storage.objects, folder, ...roomRate });
  const integrity = storage.objects.get('artifacts/integrity.json');
  const startedAtMs = startOf(meeting);
  const contentStartMs = sentAtMs({
    nearMs: startedAtMs,
    clockZeroMs: room.clockZero,
    roomAtZeroMs: report?.video?.roomAtZeroMs ?? null,
  });
  return {
    ends: scheduler.reports.flatMap((one) => (one.kind === 'attendance-ended' ? [one.end] : [])),
    storedMs: stored?.durationMs ?? null,
    files,
    startedAtMs,
    contentStartMs,
    delayMs: contentStartMs === null || startedAtMs === null ? null : startedAtMs - contentStartMs,
    lengthMs: report?.file.durationMs ?? null,
    timeJumps: report === null ? 0 : jumpProblems(report, jumpMostMs).length,
    gaps: integrity === undefined ? [] : (JSON.parse(String(integrity)) as Pick<FaultOutcome, 'gaps'>).gaps,
  };
}

/**
 * Time at which the room showed the recording's first frame: its counter gives the position in the loop, `nearMs` the
 * round.
 */
export function sentAtMs({
  nearMs,
  clockZeroMs,
  roomAtZeroMs,
}: {
  readonly nearMs: number | null;
  readonly clockZeroMs: number;
  readonly roomAtZeroMs: number | null;
}): number | null {
  if (nearMs === null || roomAtZeroMs === null) return null;
  const loopMs = roomRate.loopSeconds * 1_000;
  const inFirstRoundMs = clockZeroMs + roomAtZeroMs;
  return inFirstRoundMs + Math.round((nearMs - inFirstRoundMs) / loopMs) * loopMs;
}

/** A limit on the memory of one bot. */
interface Shortage {
  /** Lowers it until the kernel has killed a process of the bot. @returns epoch ms of the kill */
  press(): Promise<number>;
  remove(): Promise<void>;
}

const pressMs = 60_000;
const stepMs = 20;
/** The limit shrinks while the kernel can free unused memory; then it stays this close above the usage. */
const shrinking = 0.9;
const roomBytes = 2 ** 18;

/** @returns null where this user can make no cgroup with a limit */
async function openShortage(pid: number): Promise<Shortage | null> {
  const group = await openMemoryCgroup(`rapporteur-bench-memory-${process.pid}-${pid}`);
  if (group === null) return null;
  await group.add(pid);
  const remove = endWithProgram(() => group.remove());
  return {
    remove: async () => void (await remove()),
    press: async () => {
      const before = await group.killed();
      try {
        for (const untilMs = Date.now() + pressMs; (await group.killed()) === before; await sleep(stepMs)) {
          if (Date.now() > untilMs) throw new Error('The kernel killed nothing although the memory was short.');
          const usedBytes = await group.usedBytes();
          // Refused below the current usage.
          await group.limit(usedBytes * shrinking).catch(() => undefined);
          await group.limit(usedBytes + roomBytes).catch(() => undefined);
        }
        return Date.now();
      } finally {
        // A restarted process has memory again, as in another pod.
        await group.limit(2 ** 40);
      }
    },
  };
}

const run = promisify(execFile);
const deadlineMs = 120_000;
const errorsKept = 3;

interface Played {
  readonly files: readonly PlayedFile[];
  /** The report of the video file, null where there is none. */
  readonly report: RecordingReport | null;
}

/** Decodes every stored file with audio or video from its beginning to its end. */
async function playFiles(
  artifacts: readonly { readonly key: string; readonly contentType: string }[],
  {
    objects,
    folder,
    framesPerSecond,
    loopSeconds,
  }: {
    readonly objects: ReadonlyMap<string, Buffer>;
    readonly folder: string;
    readonly framesPerSecond: number;
    readonly loopSeconds: number;
  },
): Promise<Played> {
  await mkdir(folder, { recursive: true });
  const files: PlayedFile[] = [];
  let report: RecordingReport | null = null;
  for (const { key, contentType } of artifacts) {
    if (!/^(video|audio|image)\//.test(contentType)) continue;
    const file = join(folder, key.replaceAll('/', '-'));
    const bytes = objects.get(key);
    if (bytes === undefined) {
      files.push({ key, errors: ['it is not there'], lengthMs: null });
      continue;
    }
    await writeFile(file, bytes);
    files.push({ key, ...(await play(file, contentType.startsWith('image/'))) });
    if (contentType.startsWith('video/'))
      report = (await checkRecording(file, { framesPerSecond, loopSeconds }).catch(() => null))?.report ?? null;
  }
  return { files, report };
}

async function play(file: string, still: boolean): Promise<Omit<PlayedFile, 'key'>> {
  try {
    const options = { timeout: deadlineMs };
    const { stderr } = await run(
      'ffmpeg',
      ['-nostdin', '-v', 'error', '-i', file, '-fps_mode', 'vfr', '-f', 'null', '-'],
      options,
    );
    const errors = stderr
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, errorsKept);
    if (still) return { errors, lengthMs: null };
    const { stdout } = await run('ffprobe', [...'-v error -of json -show_format'.split(' '), file], options);
    const { format } = JSON.parse(stdout) as { format: { duration: string } };
    return { errors, lengthMs: Number(format.duration) * 1_000 };
  } catch (error) {
    return { errors: [(error as Error).message.slice(0, 300)], lengthMs: null };
  }
}
