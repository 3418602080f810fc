import type { JoinOptions, SessionClock } from '../platform.ts';
import { SessionJournal } from '../session-journal.ts';
import type { DeviceButtons } from '../web-client/device-buttons.ts';
import { joinMeeting } from '../web-client/join-meeting.ts';
import type { PageDriver } from '../web-client/page-driver.ts';
import type { PageReading, PageSnapshot } from '../web-client/page-state.ts';

/** Joins through a page without a browser: what it shows from the press on, as its driver reads it. Time is simulated. */
export async function joinPage(
  after: (second: number) => { readonly text: string; readonly reading: PageReading; readonly nameField?: boolean },
  options: Partial<JoinOptions> = {},
) {
  let nowMs = 0;
  let pressedAtMs: number | null = null;
  let loads = 0;
  const clock: SessionClock = {
    now: () => nowMs,
    sleep: async (ms) => void (nowMs += ms),
  };
  const form = { text: 'Ready to join?', nameField: true, reading: { state: 'pre-join', rule: 'name-field' } } as const;
  const field = { value: 'Bot', longest: null, enabled: true, spot: null };
  const driver = {
    gone: false,
    client: { openAddress: (url: string) => url, longestName: 60 },
    page: { goto: async () => ((loads += 1), null) },
    observe: async () => {
      const { reading, ...shown } = pressedAtMs === null ? form : after((nowMs - pressedAtMs) / 1_000);
      return { snapshot: { dialogs: [], notices: [], nameField: false, ...shown }, reading };
    },
    locate: async () => field,
    locateAll: async (elements: string[]) =>
      elements.map((element) => (element === 'joinButton' ? { ...field, enabled: pressedAtMs === null } : field)),
    pressLocated: async () => ((pressedAtMs ??= nowMs), true),
    awaitAny: async () => false,
  } as unknown as PageDriver<PageSnapshot>;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  const journal = new SessionJournal(log, clock.now);
  const stop = new AbortController();
  const devices = { set: async () => true } as unknown as DeviceButtons<PageSnapshot>;
  const wanted = { joinUrl: 'https://meet.example/', botName: 'Bot', ...options };
  const outcome = await joinMeeting({ driver, journal, clock, devices }, wanted, stop.signal);
  return { outcome, steps: journal.steps.map(({ step }) => step), said: journal.said, loads };
}
