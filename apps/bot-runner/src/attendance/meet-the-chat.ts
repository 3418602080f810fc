import type { ChatAccess, MeetingVisit } from '@rapporteur/meeting-platforms';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { ReportBody } from '../reporting/reporter.ts';

export interface ChatPorts {
  readonly visit: Pick<MeetingVisit, 'sendChat' | 'checkChat'>;
  readonly report: (body: ReportBody) => void;
  readonly logger: Logger;
}

const chatTimeoutMs = 20_000;

/**
 * Posts the entry message, or opens the chat where there is none, and reports once whether the bot has a chat. A bot
 * that ends meanwhile reports nothing.
 */
export async function meetTheChat(
  { visit, report, logger }: ChatPorts,
  entryMessage: string | null,
  ending: AbortSignal,
): Promise<void> {
  const greets = entryMessage !== null && entryMessage.trim() !== '';
  const signal = AbortSignal.any([ending, AbortSignal.timeout(chatTimeoutMs)]);
  let access: ChatAccess;
  try {
    access = greets ? await greet(visit, entryMessage, signal) : await visit.checkChat(signal);
  } catch (error) {
    logger.warn({ err: error }, 'The chat could not be reached.');
    access = { open: false, reason: greets ? 'send_failed' : 'panel_not_attached', what: 'The chat did not answer.' };
  }
  if (ending.aborted) return;
  if (access.open) logger.info({ greeted: greets }, greets ? 'The entry message is in the chat.' : 'The chat is open.');
  else logger.warn({ reason: access.reason, what: access.what }, 'The bot has no chat in this meeting.');
  report({ kind: 'chat-status', available: access.open, reason: access.open ? null : access.reason });
}

async function greet(visit: ChatPorts['visit'], message: string, signal: AbortSignal): Promise<ChatAccess> {
  const delivery = await visit.sendChat(message, signal);
  return delivery.sent ? { open: true } : { open: false, reason: delivery.reason, what: delivery.what };
}
