import type { ChatDelivery, ChatRefusal, SessionClock, ChatMessage } from '../platform.ts';
import { fieldText, repeatPress, happensInTime } from './page-driver.ts';
import type { PageDriver } from './page-driver.ts';
import type { PageElement } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';

const mostParts = 20;
const panelTimeoutMs = 5_000;
const panelCloseMs = 2_000;
/** A panel may appear this late after a press of its button; another press would close it again. */
const panelComesMs = 30_000;
const editableTimeoutMs = 2_000;
/** After this a press or a text that shows no effect is repeated. */
const sentTimeoutMs = 4_000;
const sendTimeoutMs = 9_000;
const shownTimeoutMs = 8_000;

/**
 * Cuts a text at line ends or spaces into messages that fit, without loss.
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
  readonly #clock: SessionClock;
  /** Time of the button's press for a panel that has not appeared. */
  #pressedAtMs: number | null = null;

  constructor(driver: PageDriver<S>, own: OwnMessages, clock: SessionClock) {
    this.#driver = driver;
    this.#own = own;
    this.#clock = clock;
  }

  /** Writes, and waits until the page shows each part as the bot's own message. */
  async send(text: string, signal: AbortSignal): Promise<ChatDelivery> {
    const parts = splitMessage(text, this.#driver.client.longestMessage);
    if (parts.length === 0) return failed('The message is empty.');
    return await this.#withPanel(signal, async () => {
      for (const [index, part] of parts.entries()) {
        const delivery = await this.#sendPart(part, signal);
        if (delivery.sent) continue;
        if (index === 0) return delivery;
        // A retry would send the earlier parts again.
        const { mayCome: _mayCome, ...refusal } = delivery;
        return { ...refusal, what: `${delivery.what} ${index} of its ${parts.length} parts are in the chat.` };
      }
      return { sent: true };
    });
  }

  /** Whether the bot may write. Writes nothing. */
  async attach(signal: AbortSignal): Promise<ChatDelivery> {
    return await this.#withPanel(signal, async () => ({ sent: true }));
  }

  async #withPanel(signal: AbortSignal, work: () => Promise<ChatDelivery>): Promise<ChatDelivery> {
    return await this.#driver.serialized(async () => {
      if (signal.aborted) return unsent('There was no time left to reach the chat.');
      try {
        const refusal = await this.#open(signal);
        if (refusal === null) return await work();
        return signal.aborted ? unsent('The chat could not be reached in time.') : { sent: false, ...refusal };
      } finally {
        if (this.#driver.client.chatStaysOpen !== true) await this.#close();
      }
    });
  }

  async #open(signal: AbortSignal): Promise<ChatRefusal | null> {
    const driver = this.#driver;
    const isOpen = await this.#isOpen();
    // The controls may hide themselves until the mouse moves.
    if (!isOpen) await driver.stir();
    if (!isOpen && !(await this.#appears(() => this.#shows('chatButton'), signal))) {
      // Without the other controls the page is not ready yet.
      return (await this.#shows('leave'))
        ? { reason: 'organizer_disabled', what: 'The meeting shows no chat button.', mayCome: true }
        : { reason: 'panel_not_attached', what: 'The meeting shows no controls.', mayCome: true };
    }
    const opened = await repeatPress(
      {
        happened: () => this.#isOpen(),
        press: () => driver.press('chatButton'),
        againMs: panelComesMs,
        timeoutMs: panelTimeoutMs,
        ...(this.#pressedAtMs === null ? {} : { pressedAtMs: this.#pressedAtMs }),
      },
      this.#clock,
      signal,
    );
    this.#pressedAtMs = opened.happened ? null : opened.pressedAtMs;
    if (!opened.happened) return { reason: 'panel_not_attached', what: 'The chat panel did not open.', mayCome: true };
    return await this.#writable(signal);
  }

  /** A field may appear before it accepts text. */
  async #writable(signal: AbortSignal): Promise<ChatRefusal | null> {
    let editable: boolean | null = null;
    const isWritable = async (): Promise<boolean> => {
      const input = await this.#driver.find('chatInput');
      editable = (await input?.isEditable({ timeout: 1_000 }).catch(() => null)) ?? null;
      return editable === true;
    };
    if (await happensInTime(isWritable, { timeoutMs: editableTimeoutMs, clock: this.#clock, signal })) return null;
    return editable === false
      ? { reason: 'organizer_disabled', what: 'The chat field takes no text.', mayCome: true }
      : { reason: 'panel_not_attached', what: 'The chat field did not respond.', mayCome: true };
  }

  async #close(): Promise<void> {
    const driver = this.#driver;
    if (!(await this.#isOpen())) return;
    await driver.stir();
    const press = { press: () => driver.press('chatButton'), againMs: panelTimeoutMs, timeoutMs: panelCloseMs };
    await repeatPress({ ...press, happened: async () => !(await this.#isOpen()) }, this.#clock);
  }

  async #sendPart(part: string, signal: AbortSignal): Promise<ChatDelivery> {
    const driver = this.#driver;
    if (!(await this.#compose(part, signal))) return unsent('The chat field did not take the message.');
    const outgoing = this.#own.expect(part);
    const sent = await repeatPress(
      {
        happened: async () => outgoing.shown || (await this.#composed()) === '',
        // While the text is in the field, no press has sent it; an empty field sends nothing.
        press: async () => (await this.#canSend()) && (await driver.press('chatSend')),
        againMs: sentTimeoutMs,
        timeoutMs: sendTimeoutMs,
      },
      this.#clock,
      signal,
    );
    if (sent.pressedAtMs === null) {
      this.#own.withdraw(outgoing);
      return unsent('The send button could not be pressed.');
    }
    if (!sent.happened) return failed('The message stayed in the chat field.');
    return (await happensInTime(async () => outgoing.shown, { timeoutMs: shownTimeoutMs, clock: this.#clock, signal }))
      ? { sent: true }
      : failed('The page took the message but did not show it in the chat, so it may not have arrived.');
  }

  /** Until the field has exactly the part: the remains of an earlier try must not be sent. */
  async #compose(part: string, signal: AbortSignal): Promise<boolean> {
    const driver = this.#driver;
    const leftover = await this.#composed();
    const composed = await repeatPress(
      {
        // The field may normalise the text.
        happened: async () => {
          const text = await this.#composed();
          return text !== null && text !== '' && (text !== leftover || fieldText(text) === fieldText(part));
        },
        press: async () => {
          const input = await driver.find('chatInput');
          if (input === null || !(await driver.pressAt(input))) return false;
          // Also removes delayed input of an earlier try.
          await driver.input.strike('ControlOrMeta+A');
          await driver.input.paste(part);
          return true;
        },
        againMs: sentTimeoutMs,
        timeoutMs: sendTimeoutMs,
      },
      this.#clock,
      signal,
    );
    return composed.happened;
  }

  async #canSend(): Promise<boolean> {
    const button = await this.#driver.find('chatSend');
    return button !== null && (await button.isEnabled({ timeout: 500 }).catch(() => false));
  }

  async #isOpen(): Promise<boolean> {
    return await this.#shows('chatInput');
  }

  async #shows(element: PageElement): Promise<boolean> {
    return (await this.#driver.find(element)) !== null;
  }

  async #appears(happened: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    return await happensInTime(happened, { timeoutMs: panelTimeoutMs, clock: this.#clock, signal });
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

/** Nothing was sent: a retry is possible. */
function unsent(what: string): { sent: false } & ChatRefusal {
  return { ...failed(what), mayCome: true };
}

/** A surrogate pair is not cut in two. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}

/** Far more than are in progress at once. */
const mostRemembered = 200;

interface OutgoingMessage {
  /** True once the page has shown the message as one of the bot's own. */
  readonly shown: boolean;
}

/**
 * The messages that the bot sends. A message counts as sent when the page shows it; until a layer identifies the bot,
 * its messages must not be attributed to another participant.
 */
export class OwnMessages {
  readonly #outgoing: { readonly text: string; shown: boolean }[] = [];

  /** Call before the text is sent. */
  expect(text: string): OutgoingMessage {
    const outgoing = { text: plain(text), shown: false };
    this.#outgoing.push(outgoing);
    if (this.#outgoing.length > mostRemembered) this.#outgoing.shift();
    return outgoing;
  }

  /** Removes a message that was expected and not sent. */
  withdraw(message: OutgoingMessage): void {
    const index = this.#outgoing.findIndex((outgoing) => outgoing === message);
    if (index !== -1) this.#outgoing.splice(index, 1);
  }

  /** The message with `own` set: by the page, or because no other participant can have written it. */
  recognize(message: ChatMessage, isKnownParticipant: (participantId: string) => boolean): ChatMessage {
    const words = plain(message.text);
    const waiting = this.#outgoing.find(({ text, shown }) => !shown && text === words);
    const attributed = message.senderName !== '' || (message.senderId !== null && isKnownParticipant(message.senderId));
    const own = message.own || (waiting !== undefined && !attributed);
    if (own && waiting !== undefined) waiting.shown = true;
    return own === message.own ? message : { ...message, own };
  }
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
