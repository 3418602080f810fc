import type { RunnerCommand } from '@rapporteur/contracts';
import type { ChatDelivery } from '@rapporteur/meeting-platforms';
import type { CommandOutcome } from './command-dispatcher.ts';

/** Where an attendance stands, as far as a command cares. */
export type AttendanceStatus = 'before' | 'in_call_not_recording' | 'recording' | 'paused' | 'over';

/** What a command may do in a meeting. */
export interface CommandDependencies {
  readonly status: () => AttendanceStatus;
  readonly sendChat: (text: string, signal: AbortSignal) => Promise<ChatDelivery>;
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
}

/** The words that go with a pause are worth a moment, not the pause. */
const announcementTimeoutMs = 3_500;

const statuses: Readonly<Record<AttendanceStatus, string>> = {
  before: 'The bot is not in the call yet',
  in_call_not_recording: 'The bot is in the call but does not record yet',
  recording: 'The bot is recording',
  paused: 'The recording is paused',
  over: 'The bot is leaving the meeting',
};

/** Does a customer's command in the meeting. Rejects only for what is not foreseen. */
export async function performCommand(
  command: RunnerCommand,
  dependencies: CommandDependencies,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  switch (command.kind) {
    case 'send-chat-message':
      return await sendChatMessage(command.message, dependencies, signal);
    case 'pause-recording':
      return await turn(
        { from: 'recording', act: dependencies.pause, done: 'The recording is paused.' },
        command,
        dependencies,
        signal,
      );
    case 'resume-recording':
      return await turn(
        { from: 'paused', act: dependencies.resume, done: 'The recording goes on.' },
        command,
        dependencies,
        signal,
      );
  }
}

async function sendChatMessage(
  text: string,
  dependencies: CommandDependencies,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const status = dependencies.status();
  if (status === 'before' || status === 'over')
    return { outcome: 'refused', message: `${statuses[status]}, so it cannot write in the chat.` };
  const delivery = await dependencies.sendChat(text, signal);
  if (delivery.sent) return { outcome: 'done', message: "The message is in the meeting's chat." };
  const outcome = delivery.reason === 'organizer_disabled' ? 'unavailable' : 'failed';
  return { outcome, message: `The message could not be sent. ${delivery.what}` };
}

interface Turn {
  readonly from: AttendanceStatus;
  readonly act: () => Promise<void>;
  readonly done: string;
}

async function turn(
  { from, act, done }: Turn,
  { kind, chatMessage }: Extract<RunnerCommand, { kind: 'pause-recording' | 'resume-recording' }>,
  dependencies: CommandDependencies,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const verb = kind === 'pause-recording' ? 'paused' : 'resumed';
  const refusal = (): CommandOutcome | null => {
    const status = dependencies.status();
    return status === from
      ? null
      : { outcome: 'refused', message: `${statuses[status]}, so the recording cannot be ${verb}.` };
  };
  const refused = refusal();
  if (refused !== null) return refused;
  const silence = chatMessage === null ? '' : await announce(chatMessage, dependencies, signal);
  // The meeting may have ended while the words were written.
  const refusedNow = refusal();
  if (refusedNow !== null) return refusedNow;
  if (signal.aborted) return { outcome: 'failed', message: `The recording was not ${verb}: there was no time left.` };
  try {
    await act();
  } catch (error) {
    return { outcome: 'failed', message: `The recording could not be ${verb}. ${(error as Error).message}` };
  }
  return { outcome: 'done', message: `${done}${silence}` };
}

/** What to add to the result when the words could not be posted. */
async function announce(text: string, dependencies: CommandDependencies, signal: AbortSignal): Promise<string> {
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(announcementTimeoutMs)]);
    const delivery = await dependencies.sendChat(text, soon);
    return delivery.sent ? '' : ` The chat message could not be sent. ${delivery.what}`;
  } catch {
    return ' The chat message could not be sent.';
  }
}
