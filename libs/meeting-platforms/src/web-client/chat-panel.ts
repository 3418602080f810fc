import type { ChatDelivery } from '../platform.ts';
import type { PageLook } from './page-client.ts';
import type { PageDoor } from './page-door.ts';

const mostParts = 10;
const panelTimeoutMs = 5_000;
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

/** Opens the chat panel, writes, and closes the panel again: an open panel takes room from the pictures. */
export async function sendChat<S extends PageLook>(door: PageDoor<S>, text: string): Promise<ChatDelivery> {
  return await door.inTurn(async () => {
    const opened = await openPanel(door);
    if (!opened.sent) return opened;
    for (const part of splitMessage(text, door.client.longestMessage)) {
      const delivery = await sendPart(door, part);
      if (!delivery.sent) return delivery;
    }
    await door.press('chatButton');
    return { sent: true };
  });
}

async function openPanel<S extends PageLook>(door: PageDoor<S>): Promise<ChatDelivery> {
  if ((await door.find('chatInput')) === null) {
    // The controls may hide themselves until the mouse moves.
    await door.page.mouse.move(640, 600, { steps: 3 }).catch(() => undefined);
    if (!(await until(async () => (await door.find('chatButton')) !== null, panelTimeoutMs))) {
      return { sent: false, reason: 'organizer_disabled', what: 'The meeting shows no chat button.' };
    }
    await door.press('chatButton');
    if (!(await until(async () => (await door.find('chatInput')) !== null, panelTimeoutMs))) {
      return { sent: false, reason: 'panel_not_attached', what: 'The chat panel did not open.' };
    }
  }
  const input = await door.find('chatInput');
  const editable = (await input?.isEditable({ timeout: 1_000 }).catch(() => false)) ?? false;
  return editable
    ? { sent: true }
    : { sent: false, reason: 'organizer_disabled', what: 'The chat field takes no text.' };
}

async function sendPart<S extends PageLook>(door: PageDoor<S>, part: string): Promise<ChatDelivery> {
  const failed = (what: string): ChatDelivery => ({ sent: false, reason: 'send_failed', what });
  const input = await door.find('chatInput');
  if (input === null || !(await door.pressAt(input))) return failed('The chat field could not be reached.');
  await door.page.keyboard.insertText(part).catch(() => undefined);
  const enabled = await until(async () => {
    const button = await door.find('chatSend');
    return button !== null && (await button.isEnabled({ timeout: 500 }).catch(() => false));
  }, sentTimeoutMs);
  if (!enabled || !(await door.press('chatSend'))) return failed('The send button could not be pressed.');
  const emptied = await until(async () => (await composed(door)) === '', sentTimeoutMs);
  return emptied ? { sent: true } : failed('The message stayed in the chat field.');
}

async function composed<S extends PageLook>(door: PageDoor<S>): Promise<string | null> {
  const input = await door.find('chatInput');
  if (input === null) return null;
  const read = input.evaluate(
    (field) => ('value' in field ? String(field.value) : (field.textContent ?? '')),
    undefined,
    {
      timeout: 500,
    },
  );
  return await read.then((text) => text.trim()).catch(() => null);
}

async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return true;
}

/** A surrogate pair is not cut in two. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
