import { expect, test } from '@jest/globals';
import type { SessionClock } from '../platform.ts';
import { SessionJournal } from '../session-journal.ts';
import type { DeviceButtons } from './device-buttons.ts';
import { joinMeeting } from './join-meeting.ts';
import type { PageSnapshot } from './page-client.ts';
import type { PageDriver } from './page-driver.ts';
import type { PageState } from './page-state.ts';

/** A page that shows the test's state at each moment; sleeping advances the time. */
async function join(stateAt: (second: number) => PageState, knockAtMs: number | null = null) {
  let nowMs = 0;
  const clock: SessionClock = {
    now: () => nowMs,
    sleep: async (ms) => void (nowMs += ms),
  };
  const driver = {
    gone: false,
    client: { openAddress: (url: string) => url, longestName: 60 },
    page: { goto: async () => null },
    observe: async () => ({ snapshot: { dialogs: [] }, reading: { state: stateAt(nowMs / 1_000), rule: 'test' } }),
    press: async () => false,
    awaitAny: async () => false,
    seeAll: async () => [],
  } as unknown as PageDriver<PageSnapshot>;
  const journal = new SessionJournal(
    { debug: () => undefined, info: () => undefined, warn: () => undefined },
    clock.now,
  );
  const devices = { set: async () => false } as unknown as DeviceButtons<PageSnapshot>;
  const options = { joinUrl: 'https://meet.example/', botName: 'Bot', knockAtMs };
  return await joinMeeting({ driver, journal, clock, devices }, options, new AbortController().signal);
}

const toAndFro = (second: number): PageState => (second % 20 < 10 ? 'launcher' : 'pre-join');

test('a page that goes to and fro before the call is given up after two and a half minutes', async () => {
  const outcome = await join(toAndFro);
  expect(outcome).toMatchObject({ joined: false, end: { reason: 'page-unusable', rule: 'outside-too-long' } });
  expect(outcome.joined ? 0 : outcome.end.atMs).toBeGreaterThan(149_000);
  expect(outcome.joined ? 0 : outcome.end.atMs).toBeLessThan(155_000);
});

test('the time before the join time does not count', async () => {
  const outcome = await join((second) => (second < 240 ? toAndFro(second) : 'in-call'), 100_000);
  expect(outcome.joined).toBe(true);
});

test('neither does the time in a waiting room, however long', async () => {
  expect((await join((second) => (second < 1_000 ? 'lobby' : 'in-call'))).joined).toBe(true);
});
