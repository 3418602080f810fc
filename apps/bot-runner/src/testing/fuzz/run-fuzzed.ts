import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { processesNaming } from '../bot-processes.ts';
import { testInvocation } from '../run-bot.ts';
import type { RunningBot } from '../run-bot.ts';
import type { SimulatedMeeting, SimulatedMeetings } from '../simulated-meetings.ts';
import type { Blow, FuzzedRoom } from './sample-room.ts';
import { judge } from './judge.ts';
import type { FuzzedRun } from './judge.ts';

export interface FuzzedResult {
  readonly run: FuzzedRun;
  readonly problems: readonly string[];
  /** How often it opened the meeting again. */
  readonly returns: number;
  /** Log of the runner, for debugging. */
  readonly botLog: readonly Record<string, unknown>[];
}

/** Above the duration of any bot. */
const hangMs = 300_000;
const orphanMs = 6_000;
const run = promisify(execFile);

/** Runs the real runner in one fuzzed meeting, injects the fault, and collects its outcome from outside. */
export async function runFuzzed(meetings: SimulatedMeetings, sampled: FuzzedRoom): Promise<FuzzedResult> {
  const meeting = await meetings.open(sampled.room);
  const beganAtMs = performance.now();
  const bot = await sendBot(meeting, sampled);
  const over = new AbortController();
  const striking = strike(bot, meeting, sampled, over.signal);
  const exitCode = await atMost<FuzzedRun['exitCode']>(bot.exited, hangMs, 'hangs');
  const tookMs = performance.now() - beganAtMs;
  over.abort();
  const struck = await striking;
  const orphans = await orphansOf(bot);
  const botLog = await bot.log();
  const log = await meeting.log();
  const played = await play(meeting, meetings.folder);
  const facts: FuzzedRun = {
    sampled,
    exitCode,
    tookMs,
    struck,
    orphans,
    log,
    ...played,
    reports: [...meeting.scheduler.reports],
  };
  const returns = botLog.filter(({ message }) => message === 'The bot opens the meeting anew.').length;
  return { run: facts, problems: judge(facts), returns, botLog };
}

async function sendBot(meeting: SimulatedMeeting, sampled: FuzzedRoom): Promise<RunningBot> {
  const { room, storage } = meeting;
  const { realUrl: joinUrl, code: meetingId } = room;
  const { configuration } = testInvocation({ storage, busUrl: '', joinUrl, simulator: null });
  return await meeting.sendBot({
    configuration: { ...configuration, timeout_config: { ...configuration.timeout_config, ...sampled.timeouts } },
    meeting: { platform: sampled.platform, joinUrl, meetingId },
  });
}

/** True when the fault was injected before the bot's process ended. */
async function strike(
  bot: RunningBot,
  { scheduler }: SimulatedMeeting,
  { blow }: FuzzedRoom,
  over: AbortSignal,
): Promise<boolean> {
  if (blow === null) return false;
  const waited = await sleep(blow.afterMs, true, { signal: over }).catch(() => false);
  if (!waited) return false;
  const blows: Readonly<Record<Blow, () => unknown>> = {
    renderer: () => bot.kill('renderer'),
    browser: () => bot.kill('browser'),
    leave: () => (scheduler.lease.leaveRequested = true),
    SIGTERM: () => bot.child.kill('SIGTERM'),
  };
  await blows[blow.what]();
  return true;
}

async function orphansOf({ workFolder }: RunningBot): Promise<number> {
  const untilMs = performance.now() + orphanMs;
  for (;;) {
    const left = await processesNaming(workFolder);
    if (left.length === 0 || performance.now() > untilMs) return left.length;
    await sleep(100);
  }
}

/** Decodes what was stored from its beginning to its end. */
async function play(
  { storage }: SimulatedMeeting,
  parent: string,
): Promise<Pick<FuzzedRun, 'decodeErrors' | 'playsMs'>> {
  const folder = await mkdtemp(join(parent, 'played-'));
  const decodeErrors: string[] = [];
  let playsMs: number | null = null;
  try {
    for (const name of ['audio.flac', 'video.mp4']) {
      const bytes = storage.objects.get(`artifacts/${name}`);
      if (bytes === undefined) continue;
      const file = join(folder, name);
      await writeFile(file, bytes);
      const { stderr } = await run('ffmpeg', ['-v', 'error', '-i', file, '-fps_mode', 'vfr', '-f', 'null', '-']);
      decodeErrors.push(...stderr.split('\n').filter((line) => line !== ''));
      const { stdout } = await run('ffprobe', [...'-v error -of json -show_format'.split(' '), file]);
      playsMs = Math.round(Number((JSON.parse(stdout) as { format: { duration: string } }).format.duration) * 1_000);
    }
  } catch (error) {
    decodeErrors.push((error as Error).message);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { decodeErrors: decodeErrors.slice(0, 5), playsMs };
}

async function atMost<T>(work: Promise<T>, limitMs: number, otherwise: T): Promise<T> {
  const done = new AbortController();
  const late = sleep(limitMs, otherwise, { signal: done.signal }).catch(() => otherwise);
  const first = await Promise.race([work, late]);
  done.abort();
  return first;
}
