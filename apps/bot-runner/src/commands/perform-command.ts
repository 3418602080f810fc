import type { RunnerCommand } from '@rapporteur/contracts';
import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { RecordingSession } from '../recording/recording-session.ts';
import type { Screenshots } from '../screenshots/screenshots.ts';
import type { CommandOutcome, CommandPerformer } from './command-dispatcher.ts';

/** The state of an attendance that a command depends on. */
export type AttendanceStatus = 'before' | 'in_call_not_recording' | 'recording' | 'paused' | 'over';

/** The operations of commands in a meeting. */
export interface CommandDependencies {
  readonly status: () => AttendanceStatus;
  readonly session: Pick<MeetingSession, 'sendChat'>;
  readonly recording: Pick<RecordingSession, 'pause' | 'resume'>;
  /** None are taken in a pause. */
  readonly screenshots: Pick<Screenshots, 'hold' | 'resume'> | null;
  /** Called after the recording was paused, and after it was resumed. */
  readonly paused: () => void;
  readonly resumed: () => void;
  /** Resolves when the new status can be read from the API, or soon after. Never rejects. */
  readonly reported: (signal: AbortSignal) => Promise<void>;
  /** Aborts when the attendance ends. */
  readonly ending: AbortSignal;
}

/** The chat message of a pause may delay it only briefly and never fails it. */
const announcementTimeoutMs = 3_500;

const statuses: Readonly<Record<AttendanceStatus, string>> = {
  before: 'The bot is not in the call yet',
  in_call_not_recording: 'The bot is in the call but does not record yet',
  recording: 'The bot is recording',
  paused: 'The recording is paused',
  over: 'The bot is leaving the meeting',
};

/** Executes customers' commands in the meeting. Rejects only for unexpected failures. */
export function commandPerformer(dependencies: CommandDependencies): CommandPerformer {
  return async (command, given) => {
    const signal = AbortSignal.any([given, dependencies.ending]);
    if (command.kind === 'send-chat-message') return await sendChatMessage(command.message, dependencies, signal);
    return await change(command, dependencies, signal);
  };
}

async function sendChatMessage(
  text: string,
  dependencies: CommandDependencies,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const status = dependencies.status();
  if (status === 'before' || status === 'over')
    return { outcome: 'refused', message: `${statuses[status]}, so it cannot write in the chat.` };
  const delivery = await dependencies.session.sendChat(text, signal);
  if (delivery.sent) return { outcome: 'done', message: "The message is in the meeting's chat." };
  const outcome = delivery.reason === 'organizer_disabled' ? 'unavailable' : 'failed';
  return { outcome, message: `The message could not be sent. ${delivery.what}` };
}

const changes = {
  'pause-recording': { from: 'recording', verb: 'paused', act: pause, done: 'The recording is paused.' },
  'resume-recording': { from: 'paused', verb: 'resumed', act: resume, done: 'The recording continues.' },
} as const;

async function pause({ recording, screenshots, paused }: CommandDependencies): Promise<void> {
  screenshots?.hold();
  try {
    await recording.pause();
  } catch (error) {
    screenshots?.resume();
    throw error;
  }
  paused();
}

async function resume({ recording, screenshots, resumed }: CommandDependencies): Promise<void> {
  await recording.resume();
  screenshots?.resume();
  resumed();
}

async function change(
  { kind, chatMessage }: Extract<RunnerCommand, { kind: keyof typeof changes }>,
  dependencies: CommandDependencies,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const { from, verb, act, done } = changes[kind];
  const refusal = (): CommandOutcome | null => {
    const status = dependencies.status();
    return status === from
      ? null
      : { outcome: 'refused', message: `${statuses[status]}, so the recording cannot be ${verb}.` };
  };
  const refused = refusal();
  if (refused !== null) return refused;
  const silence = chatMessage === null ? '' : await announce(chatMessage, dependencies, signal);
  // The meeting may have ended while the message was written.
  const refusedNow = refusal();
  if (refusedNow !== null) return refusedNow;
  if (signal.aborted) return { outcome: 'failed', message: `The recording was not ${verb}: there was no time left.` };
  try {
    await act(dependencies);
  } catch (error) {
    return { outcome: 'failed', message: `The recording could not be ${verb}. ${(error as Error).message}` };
  }
  await dependencies.reported(signal);
  return { outcome: 'done', message: `${done}${silence}` };
}

/** Added to the result when the message could not be posted. */
async function announce(text: string, dependencies: CommandDependencies, signal: AbortSignal): Promise<string> {
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(announcementTimeoutMs)]);
    const delivery = await dependencies.session.sendChat(text, soon);
    return delivery.sent ? '' : ` The chat message could not be sent. ${delivery.what}`;
  } catch {
    return ' The chat message could not be sent.';
  }
}
