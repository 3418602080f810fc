import { describe, expect, test } from '@jest/globals';
import type { SessionClock } from '../platform.ts';
import { ChatPanel, OwnMessages } from './chat-panel.ts';
import type { PageElement } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';
import type { PageDriver } from './page-driver.ts';

interface SlowPage {
  /** What the page shows, by the time in ms. */
  readonly shows?: Partial<Record<PageElement, (atMs: number) => boolean>>;
  /** How many presses on an element are lost first. */
  readonly lost?: Partial<Record<PageElement, number>>;
  /** Null: the field does not respond. */
  readonly editable?: (atMs: number) => boolean | null;
}

/** A room with an open chat, on a page with the delays of the test. Sleeping advances the time. */
function slowPage({ shows = {}, lost = {}, editable = () => true }: SlowPage) {
  let nowMs = 0;
  const clock: SessionClock = { now: () => nowMs, sleep: async (ms) => void (nowMs += ms) };
  const own = new OwnMessages();
  const left = { ...lost };
  const chat: string[] = [];
  const pressed: PageElement[] = [];
  let open = false;
  let composed = '';
  const isShown = (element: PageElement): boolean =>
    (element === 'chatInput' || element === 'chatSend' ? open : true) && (shows[element]?.(nowMs) ?? true);
  const act = (element: PageElement): boolean => {
    if (!isShown(element)) return false;
    if ((left[element] ?? 0) > 0) {
      left[element] = (left[element] ?? 0) - 1;
      return false;
    }
    pressed.push(element);
    if (element === 'chatButton') open = !open;
    if (element === 'chatSend' && composed !== '') {
      chat.push(composed);
      own.recognize(
        { id: `${chat.length}`, senderId: null, senderName: '', text: composed, sentAtMs: nowMs, own: true },
        () => false,
      );
      composed = '';
    }
    return true;
  };
  const locatorOf = (element: PageElement) => ({
    element,
    isEnabled: async () => element !== 'chatSend' || composed !== '',
    isEditable: async () => {
      const value = editable(nowMs);
      if (value === null) throw new Error('Timeout');
      return value;
    },
    evaluate: async () => composed,
  });
  const driver = {
    client: { longestMessage: 500 },
    serialized: async <T>(work: () => Promise<T>) => await work(),
    stir: async () => undefined,
    find: async (element: PageElement) => (isShown(element) ? locatorOf(element) : null),
    press: async (element: PageElement) => act(element),
    pressAt: async ({ element }: { element: PageElement }) => act(element),
    input: {
      strike: async () => true,
      paste: async (text: string) => {
        composed = text;
        return true;
      },
    },
  } as unknown as PageDriver<PageSnapshot>;
  const panel = new ChatPanel(driver, own, clock);
  const signal = new AbortController().signal;
  return { panel, signal, chat, pressed, isOpen: () => open };
}

describe('the chat on a slow page', () => {
  test.each<[what: string, page: SlowPage]>([
    ['the chat button', { lost: { chatButton: 3 } }],
    ['the field', { lost: { chatInput: 2 } }],
    ['the send button', { lost: { chatSend: 5 } }],
  ])('a press on %s that did not happen is repeated, and the message is written once', async (_what, page) => {
    const { panel, signal, chat, isOpen } = slowPage(page);
    expect(await panel.send('Hello', signal)).toEqual({ sent: true });
    expect(chat).toEqual(['Hello']);
    expect(isOpen()).toBe(false);
  });

  test('a lost press that closes the panel is repeated', async () => {
    const { panel, signal, isOpen, pressed } = slowPage({ lost: { chatButton: 0 } });
    await panel.attach(signal);
    expect({ open: isOpen(), pressed }).toEqual({ open: false, pressed: ['chatButton', 'chatButton'] });
  });

  test('controls and a field that come late are waited for', async () => {
    const late = (atMs: number): boolean => atMs > 3_000;
    const page = slowPage({
      shows: { chatButton: late, leave: late },
      editable: (atMs) => (atMs > 4_000 ? true : null),
    });
    expect(await page.panel.send('Hello', page.signal)).toEqual({ sent: true });
  });

  test.each<[what: string, page: SlowPage, reason: string]>([
    ['no controls at all', { shows: { chatButton: () => false, leave: () => false } }, 'panel_not_attached'],
    ['all controls but the chat button', { shows: { chatButton: () => false } }, 'organizer_disabled'],
    ['a panel that never comes', { shows: { chatInput: () => false } }, 'panel_not_attached'],
    ['a field that does not respond', { editable: () => null }, 'panel_not_attached'],
    ['a field that takes no text', { editable: () => false }, 'organizer_disabled'],
    ['a send button that cannot be pressed', { lost: { chatSend: 1_000 } }, 'send_failed'],
  ])('%s is the reason that is reported, and another try may come', async (_what, page, reason) => {
    const { panel, signal, chat } = slowPage(page);
    expect(await panel.send('Hello', signal)).toMatchObject({ sent: false, reason, mayCome: true });
    expect(chat).toEqual([]);
  });

  test('a message that was refused is believed at its next try', async () => {
    const { panel, signal, chat } = slowPage({ lost: { chatSend: 100 } });
    expect(await panel.send('Hello', signal)).toMatchObject({ sent: false, reason: 'send_failed' });
    expect(await panel.send('Hello', signal)).toEqual({ sent: true });
    expect(chat).toEqual(['Hello']);
  });
});
