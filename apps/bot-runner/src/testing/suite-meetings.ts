import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { integrityReport } from '@rapporteur/contracts';
import type { BotInvocation, IntegrityReport, RunnerReport } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { testInvocation } from './run-bot.ts';
import type { RunningBot } from './run-bot.ts';
import { startSimulatedMeetings } from './simulated-meetings.ts';
import type { RoomLogEntry, SimulatedMeeting, SimulatedMeetings } from './simulated-meetings.ts';
import { storedRecord } from './stored-record.ts';

type Configuration = BotInvocation['configuration'];

/** The bot's name in every invocation of {@link testInvocation}. */
export const botName = 'Rapporteur';

export interface SuiteMeetings {
  /** Where a test may write files; not before the tests run. */
  readonly folder: () => string;
  /** The simulator's control API; not before the tests run. */
  readonly controlUrl: () => string;
  /** Opens a room; it ends with the test. */
  open(options?: object): Promise<SimulatedMeeting>;
}

/**
 * Simulated meetings for the tests of one file: started before them, emptied after each, stopped at the end.
 * @param firstRoom options of a room whose participants' media are rendered before the first test; null: none
 */
export function suiteMeetings(firstRoom: object | null = {}): SuiteMeetings {
  let meetings: SimulatedMeetings;
  beforeAll(async () => {
    meetings = await startSimulatedMeetings();
    if (firstRoom === null) return;
    await meetings.open(firstRoom);
    await meetings.clear();
  }, 300_000);
  afterAll(() => meetings.stop());
  afterEach(() => meetings.clear());
  return {
    folder: () => meetings.folder,
    controlUrl: () => meetings.controlUrl,
    open: (options) => meetings.open(options),
  };
}

/** The configuration of a bot in this meeting, with these fields replaced. */
export function configurationFor(
  { room, storage }: SimulatedMeeting,
  over: Partial<Configuration> = {},
): Configuration {
  const { configuration } = testInvocation({ storage, busUrl: '', joinUrl: room.realUrl, simulator: null });
  return { ...configuration, ...over };
}

/** The meeting of an invocation for a room of this platform; Zoom's address is the one that libs/meeting-links returns. */
export function meetingOf(
  { room }: SimulatedMeeting,
  platform: BotInvocation['meeting']['platform'],
): BotInvocation['meeting'] {
  const zoomUrl = `https://app.zoom.us/wc/${room.code}/join${new URL(room.realUrl).search}`;
  return { platform, joinUrl: platform === 'zoom' ? zoomUrl : room.realUrl, meetingId: room.code };
}

export async function untilStored(meeting: SimulatedMeeting, ms: number): Promise<void> {
  await waitFor(() => meeting.storedMs() >= ms, { what: `${ms} ms to be stored` });
}

/** Asks the bot to leave, and expects that its process ends with success. */
export async function leave(meeting: SimulatedMeeting, bot: RunningBot): Promise<void> {
  meeting.scheduler.lease.leaveRequested = true;
  expect(await bot.exited).toBe(0);
}

/** A finalize run after a run that was killed. */
export async function finalizeAfterKill(
  meeting: SimulatedMeeting,
  bot: RunningBot,
  invocation: Partial<BotInvocation> = {},
): Promise<void> {
  bot.child.kill('SIGKILL');
  await bot.exited;
  const attendanceEnd = { code: 'FORCE_KILLED', message: 'Killed.', joinedAt: null, exitedAt: null, recorded: true };
  const run = await meeting.sendBot({ ...invocation, mode: 'finalize', attempt: 2, fencing: 2, attendanceEnd });
  expect(await run.exited).toBe(0);
}

export function reportsOf<K extends RunnerReport['kind']>(
  { scheduler }: SimulatedMeeting,
  kind: K,
): Extract<RunnerReport, { kind: K }>[] {
  return scheduler.reports.filter((report): report is Extract<RunnerReport, { kind: K }> => report.kind === kind);
}

/** Entries of the room's log about the bot. */
export async function botEntries(meeting: SimulatedMeeting, kind: string): Promise<RoomLogEntry[]> {
  return (await meeting.log()).filter((entry) => entry.kind === kind && entry.who === botName);
}

/** A stored JSON document, by its key. */
export function storedJson({ storage }: SimulatedMeeting, key: string): unknown {
  return JSON.parse(String(storage.objects.get(key))) as unknown;
}

export function storedIntegrity(meeting: SimulatedMeeting): IntegrityReport {
  return integrityReport.parse(storedJson(meeting, 'artifacts/integrity.json'));
}

/** The stored video as a file of this folder. */
export async function videoFile({ storage }: SimulatedMeeting, folder: string): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.mp4`);
  await writeFile(file, storage.objects.get('artifacts/video.mp4')!);
  return file;
}

/** Epoch ms of the recording's begin, from its first fragment; 0: nothing is stored. */
export function recordingStartedAtMs({ storage }: SimulatedMeeting): number {
  return storedRecord(storage)?.startedAtMs ?? 0;
}
