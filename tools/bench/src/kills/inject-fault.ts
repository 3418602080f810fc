import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningBot, SimulatedMeeting, SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import { waitFor } from '@rapporteur/testbed';
import { endWithProgram } from '../measure/leftovers.ts';
import { jumpProblems } from '../recorder/judge-take.ts';
import { startOf } from '../recorder/our-bot.ts';
import type { FaultOutcome } from './judge-fault.ts';
import { openShortage } from './memory-shortage.ts';
import type { Plan } from './plan.ts';
import { playFiles } from './play-files.ts';

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
  if (fault !== 'runner' && (await comesBack(meeting, bot))) {
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
async function comesBack(meeting: SimulatedMeeting, bot: RunningBot): Promise<boolean> {
  const back = async (): Promise<boolean> => (await bot.log()).some(({ message }) => message === 'The bot is back.');
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
