import type { ChatDelivery, ChatRefusal } from '../platform.ts';
import type { OwnMessages } from './own-messages.ts';
import type { PageSnapshot } from './page-client.ts';
import type { PageDriver } from './page-driver.ts';

const mostParts = 20;
const panelTimeoutMs = 5_000;
/** A panel may need so long to come after its button was pressed; another press would close it again. */
const panelComesMs = 30_000;
const sentTimeoutMs = 4_000;
const pollMs = 100;

/**
 * Cuts a text at line ends or spaces into messages that fit, so that nothing of it is lost.
 * @param limit longest message, in UTF-16 units as the page counts them
 */
export function splitMessage(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > limit && parts.length < mostParts - 1) {
    const window = rest.slice(0, limit + 1);
    const cut = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '));
    const at = cut > limit / 2 ? cut : wholeCharacter(rest, limit);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  if (rest !== '') parts.push(rest.slice(0, limit));
  return parts;
}

/** The chat of one session. After each use the panel is closed again, unless the platform needs it open: it takes room from the videos. */
export class ChatPanel<S extends PageSnapshot> {
  readonly #driver: PageDriver<S>;
  readonly #own: OwnMessages;
  /** When the button was pressed for a panel that has not come. */
  #pressedAtMs = -Infinity;

  constructor(driver: PageDriver<S>, own: OwnMessages) {
    this.#driver = driver;
    this.#own = own;
  }

  /** Writes, and waits until the page shows each part as the bot's own message. */
  async send(text: string, signal: AbortSignal): Promise<ChatDelivery> {
    const parts = splitMessage(text, this.#driver.client.longestMessage);
    if (parts.length === 0) return failed('The message is empty.');
    return await this.#withPanel(signal, async () => {
      for (const [index, part] of parts.entries()) {
        const delivery = await this.#sendPart(part, signal);
        if (delivery.sent) continue;
        return parts.length === 1
          ? delivery
          : { ...delivery, what: `${delivery.what} ${index} of its ${parts.length} parts are in the chat.` };
      }
      return { sent: true };
    });
  }

  /** Whether the bot may write. Nothing is written. */
  async attach(signal: AbortSignal): Promise<ChatDelivery> {
    return await this.#withPanel(signal, async () => ({ sent: true }));
  }

  async #withPanel(signal: AbortSignal, work: () => Promise<ChatDelivery>): Promise<ChatDelivery> {
    return await this.#driver.serialized(async () => {
      if (signal.aborted) return failed('There was no time left to reach the chat.');
      try {
        const refusal = await this.#open(signal);
        if (refusal === null) return await work();
        return signal.aborted ? failed('The chat could not be reached in time.') : { sent: false, ...refusal };
      } finally {
        if (this.#driver.client.chatStaysOpen !== true && (await this.#driver.find('chatInput')) !== null) {
          await this.#driver.stir();
          await this.#driver.press('chatButton');
        }
      }
    });
  }

  async #open(signal: AbortSignal): Promise<ChatRefusal | null> {
    const driver = this.#driver;
    if ((await driver.find('chatInput')) === null) {
      // The controls may hide themselves until the mouse moves.
      await driver.stir();
      if (!(await until(async () => (await driver.find('chatButton')) !== null, panelTimeoutMs, signal))) {
        return { reason: 'organizer_disabled', what: 'The meeting shows no chat button.', mayCome: true };
      }
      if (performance.now() - this.#pressedAtMs >= panelComesMs && (await driver.press('chatButton')))
        this.#pressedAtMs = performance.now();
      if (!(await until(async () => (await driver.find('chatInput')) !== null, panelTimeoutMs, signal))) {
        return { reason: 'panel_not_attached', what: 'The chat panel did not open.', mayCome: true };
      }
    }
    this.#pressedAtMs = -Infinity;
    const input = await driver.find('chatInput');
    const editable = (await input?.isEditable({ timeout: 1_000 }).catch(() => false)) ?? false;
    return editable ? null : { reason: 'organizer_disabled', what: 'The chat field takes no text.' };
  }

  async #sendPart(part: string, signal: AbortSignal): Promise<ChatDelivery> {
    const driver = this.#driver;
    const input = await driver.find('chatInput');
    if (input === null || !(await driver.pressAt(input))) return failed('The chat field could not be reached.');
    // What an earlier try left there must not become part of this message.
    if ((await this.#composed()) !== '') await driver.input.strike('ControlOrMeta+A');
    await driver.input.paste(part);
    const enabled = await until(
      async () => {
        const button = await driver.find('chatSend');
        return button !== null && (await button.isEnabled({ timeout: 500 }).catch(() => false));
      },
      sentTimeoutMs,
      signal,
    );
    const outgoing = this.#own.expect(part);
    if (!enabled || signal.aborted || !(await driver.press('chatSend')))
      return failed('The send button could not be pressed.');
    if (!(await until(async () => (await this.#composed()) === '', sentTimeoutMs, signal)))
      return failed('The message stayed in the chat field.');
    return (await until(async () => outgoing.shown, sentTimeoutMs, signal))
      ? { sent: true }
      : failed('The page took the message but did not show it in the chat, so it may not have arrived.');
  }

  async #composed(): Promise<string | null> {
    const input = await this.#driver.find('chatInput');
    if (input === null) return null;
    const read = input.evaluate(
      (field) => ('value' in field ? String(field.value) : (field.textContent ?? '')),
      undefined,
      { timeout: 500 },
    );
    return await read.then((text) => text.trim()).catch(() => null);
  }
}

function failed(what: string): { sent: false } & ChatRefusal {
  return { sent: false, reason: 'send_failed', what };
}

async function until(condition: () => Promise<boolean>, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (signal.aborted || performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return true;
}

/** A surrogate pair is not cut in two. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
