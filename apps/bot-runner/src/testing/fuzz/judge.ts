import type { RunnerReport } from '@rapporteur/contracts';
import type { RoomLogEntry } from '../simulated-meetings.ts';
import type { FuzzedRoom } from './sample-room.ts';

/** Everything observed of one fuzzed meeting from outside the bot, once its process is gone. */
export interface FuzzedRun {
  readonly sampled: FuzzedRoom;
  /** Null: ended by a signal, before it listened to any. */
  readonly exitCode: number | null | 'hangs';
  readonly tookMs: number;
  readonly reports: readonly RunnerReport[];
  readonly log: readonly RoomLogEntry[];
  /** The fault was injected before the process had ended. */
  readonly struck: boolean;
  /** Processes of the bot that outlived it. */
  readonly orphans: number;
  /** Decoder errors of video and audio; empty: both play to their end. */
  readonly decodeErrors: readonly string[];
  /** Length of the video, or of the audio where there is no video; null where nothing is stored. */
  readonly playsMs: number | null;
}

export const botName = 'Rapporteur';

/** The time to join, with all attempts, when a site does not respond. */
const joinMostMs = 150_000;
/** Leaving, saving, uploading and confirmation, on a busy machine. */
const finishMostMs = 60_000;
/** From the end of a limit until the end of the attendance is reported. */
const leaveMostMs = 25_000;
/** How long two presences of one bot may overlap: the lost one and the rejoined one. */
const doubleMostMs = 10_000;

/** What is wrong with a run; empty when the bot behaved correctly. Pure. */
export function judge(run: FuzzedRun): string[] {
  const { sampled, exitCode, tookMs, reports, orphans, decodeErrors } = run;
  const problems: string[] = [];
  const { waiting_room_timeout: waiting, max_recording_duration: recording } = sampled.timeouts;
  const mostMs = joinMostMs + (waiting + recording) * 1_000 + finishMostMs;
  if (exitCode === 'hangs') problems.push(`hangs: it was killed after ${Math.round(tookMs / 1_000)} s`);
  else if (tookMs > mostMs) problems.push(`took ${Math.round(tookMs / 1_000)} s`);
  if (orphans > 0) problems.push(`${orphans} processes outlive it`);
  // The launcher observes that, and writes the end itself.
  if (exitCode === null && run.struck && sampled.blow?.what === 'SIGTERM' && reports.length === 0) return problems;
  const interrupted = exitCode === 143 && run.struck && sampled.blow?.what === 'SIGTERM';
  if (exitCode !== 'hangs' && exitCode !== 0 && !interrupted) problems.push(`exit code ${exitCode}`);
  const ends = reports.flatMap((report) => (report.kind === 'attendance-ended' ? [report] : []));
  const [end] = ends;
  if (ends.length !== 1 || end === undefined) return [...problems, `${ends.length} reports of an end`];
  const allowed = allowedCodes(run);
  if (!allowed.has(end.end.code))
    problems.push(`ended with ${end.end.code} (${end.end.message}); it may with ${[...allowed].join(', ')}`);
  problems.push(...limitProblems(run, Date.parse(end.at)), ...presenceProblems(run));
  const stored = reports.filter((report) => report.kind === 'recording-stored');
  if (end.end.recorded && stored.length !== 1) problems.push(`recorded, but ${stored.length} recordings are stored`);
  const durationMs = stored[0]?.kind === 'recording-stored' ? stored[0].durationMs : null;
  if (durationMs !== null && Math.abs((run.playsMs ?? 0) - durationMs) > 1_000)
    problems.push(`plays ${run.playsMs} ms instead of ${durationMs} ms`);
  return [...problems, ...decodeErrors.map((error) => `does not decode: ${error}`)];
}

function limitProblems({ sampled, reports }: FuzzedRun, endedAtMs: number): string[] {
  const at = (code: string): number | null => {
    const found = reports.find((report) => report.kind === 'status' && report.code === code);
    return found === undefined ? null : Date.parse(found.at);
  };
  const recordedAtMs = at('in_call_recording');
  const waitedAtMs = at('in_waiting_room') ?? at('in_waiting_for_host');
  const admittedAtMs = at('in_call_not_recording');
  const problems: string[] = [];
  const { waiting_room_timeout: waiting, max_recording_duration: recording } = sampled.timeouts;
  if (recordedAtMs !== null && endedAtMs - recordedAtMs > recording * 1_000 + leaveMostMs)
    problems.push(`stayed ${Math.round((endedAtMs - recordedAtMs) / 1_000)} s of ${recording} s`);
  const letInAtMs = admittedAtMs ?? endedAtMs;
  if (waitedAtMs !== null && letInAtMs - waitedAtMs > waiting * 1_000 + leaveMostMs)
    problems.push(`waited ${Math.round((letInAtMs - waitedAtMs) / 1_000)} s of ${waiting} s`);
  return problems;
}

/** Judges by the room's own log: the bot is gone, and was never present twice for long. */
function presenceProblems({ log }: FuzzedRun): string[] {
  let there = 0;
  let doubleSinceMs = 0;
  const problems: string[] = [];
  for (const { at, kind, who } of log) {
    if (kind === 'meetingEnded') there = 0;
    if (who !== botName) continue;
    if (kind === 'joined') there += 1;
    if (kind === 'joined' && there === 2) doubleSinceMs = at;
    if (kind !== 'left' && kind !== 'removed') continue;
    if (there === 2 && at - doubleSinceMs > doubleMostMs)
      problems.push(`was in the call twice for ${Math.round((at - doubleSinceMs) / 1_000)} s`);
    there -= 1;
  }
  if (there > 0) problems.push(`${there} of it are still in the call`);
  return problems;
}

/** The end codes that the actions of the room and the injected fault permit. */
export function allowedCodes({ sampled, log, struck, reports }: FuzzedRun): Set<string> {
  const codes = new Set<string>();
  const add = (...more: string[]): void => more.forEach((code) => codes.add(code));
  const own = log.filter(({ who }) => who === botName).map(({ kind }) => kind);
  const joined = own.includes('joined');
  const faults = log.flatMap(({ kind, text = '' }) => (kind === 'fault' ? [text.split(' ')[0]] : []));
  const struckBy = (kind: string): boolean => faults.includes(kind);
  const recorded = reports.some((report) => report.kind === 'status' && report.code === 'in_call_recording');
  if (struck && sampled.blow?.what === 'SIGTERM') add('SIGTERM');
  if (struck && sampled.blow?.what === 'leave') add('API_REQUEST', 'EXITING_MEETING_BEFORE_RECORD');
  if (recorded) add('RECORDING_TIMEOUT', 'NO_SPEAKER', 'NO_ATTENDEES');
  if (own.includes('removed')) add('BOT_REMOVED', 'BOT_REMOVED_TOO_EARLY', 'BOT_NOT_ACCEPTED');
  if (own.includes('refused')) add(...(joined ? ['BOT_REMOVED', 'BOT_REMOVED_TOO_EARLY'] : ['BOT_NOT_ACCEPTED']));
  if (log.some(({ kind }) => kind === 'meetingEnded'))
    add('BOT_REMOVED', 'BOT_REMOVED_TOO_EARLY', 'EXITING_MEETING_BEFORE_RECORD', 'MEETING_ENDED_PREMATURELY');
  if (sampled.lobby === 'never responds') add('TIMEOUT_WAITING_TO_START', 'WAITING_FOR_HOST_TIMEOUT');
  // A connection lost in the waiting room, or a page frozen there until the waiting time is over, has the same effect
  // as a host who does not respond; on a rejoin, as one who does not admit the bot again.
  if (!recorded && (struckBy('network-loss') || struckBy('page-frozen'))) add('TIMEOUT_WAITING_TO_START');
  const bodily = struck && (sampled.blow?.what === 'renderer' || sampled.blow?.what === 'browser');
  if (recorded && bodily && struckBy('network-loss')) add('INTERNAL_ERROR');
  const unreachable = struckBy('server-error');
  const stillsPage = struckBy('page-frozen') || struckBy('network-loss') || struckBy('reload');
  // A page that is lost before the call is replaced, unless the site does not respond.
  if (!joined && unreachable) add('INTERNAL_ERROR', 'CANNOT_JOIN_MEETING');
  // It may rejoin, and does, unless the site does not respond.
  if (joined && unreachable && (bodily || stillsPage)) add('INTERNAL_ERROR');
  return codes;
}
