import type { ChatAccess, MeetingSession } from '@rapporteur/meeting-platforms';
import type { RunContext } from '../run-context.ts';

export interface ChatPorts extends Pick<RunContext, 'report' | 'clock' | 'logger'> {
  readonly session: Pick<MeetingSession, 'sendChat' | 'checkChat'>;
}

const chatTimeoutMs = 20_000;
/** A meeting page may take half a minute to load its chat. */
const retryForMs = 60_000;
const retryDelayMs = 5_000;

/**
 * Posts the entry message, or opens the chat where there is none, and reports whether the bot has a chat. A bot that
 * ends first reports nothing.
 */
export class ChatOpening {
  readonly #ports: ChatPorts;
  /** Null: no message is posted. */
  readonly #entryMessage: string | null;
  readonly #ending: AbortSignal;
  #stage: 'before' | 'trying' | 'unavailable' | 'settled' = 'before';

  constructor(ports: ChatPorts, entryMessage: string | null, ending: AbortSignal) {
    this.#ports = ports;
    this.#entryMessage = entryMessage?.trim() ? entryMessage : null;
    this.#ending = ending;
  }

  /** Never rejects, and reports once. */
  async begin(): Promise<void> {
    if (this.#stage === 'before') this.#notify(await this.#retry());
  }

  /** With another page, if the one before had no chat. Never rejects, and reports only an improvement. */
  async again(): Promise<void> {
    if (this.#stage !== 'unavailable') return;
    const access = await this.#retry();
    if (access.open) this.#notify(access);
  }

  async #retry(): Promise<ChatAccess> {
    const { clock } = this.#ports;
    this.#stage = 'trying';
    const untilMs = clock.monotonic() + retryForMs;
    let access = await this.#tryOnce();
    while (mayCome(access) && !this.#ending.aborted && clock.monotonic() + retryDelayMs <= untilMs) {
      await clock.sleep(retryDelayMs, this.#ending).catch(() => undefined);
      if (!this.#ending.aborted) access = await this.#tryOnce();
    }
    this.#stage = mayCome(access) ? 'unavailable' : 'settled';
    return access;
  }

  async #tryOnce(): Promise<ChatAccess> {
    const { session, logger, clock } = this.#ports;
    const ended = new AbortController();
    void clock.sleep(chatTimeoutMs, ended.signal).then(
      () => ended.abort(new Error(`The chat did not respond within ${chatTimeoutMs} ms.`)),
      () => undefined,
    );
    const signal = AbortSignal.any([this.#ending, ended.signal]);
    try {
      if (this.#entryMessage === null) return await session.checkChat(signal);
      const delivery = await session.sendChat(this.#entryMessage, signal);
      if (delivery.sent) return { open: true };
      const { sent: _sent, ...refusal } = delivery;
      return { open: false, ...refusal };
    } catch (error) {
      logger.warn({ err: error }, 'The chat could not be used.');
      // Whether the message was sent is unknown: it is not sent again.
      const reason = this.#entryMessage === null ? 'panel_not_attached' : 'send_failed';
      return { open: false, reason, what: 'The chat could not be used.' };
    } finally {
      ended.abort();
    }
  }

  #notify(access: ChatAccess): void {
    if (this.#ending.aborted) return;
    const { report, logger } = this.#ports;
    const posted = this.#entryMessage !== null;
    if (access.open) logger.info({ posted }, posted ? 'The entry message is in the chat.' : 'The chat is open.');
    else logger.warn({ reason: access.reason, what: access.what }, 'The bot has no chat in this meeting.');
    report({ kind: 'chat-status', available: access.open, reason: access.open ? null : access.reason });
  }
}

/** The page may still load its chat. */
function mayCome(access: ChatAccess): boolean {
  return !access.open && access.mayCome === true;
}
