import { expect, test } from '@jest/globals';
import type { SessionClock } from '../platform.ts';
import { SessionJournal } from '../session-journal.ts';
import type { DeviceButtons } from './device-buttons.ts';
import { joinPage } from '../testing/join-page.ts';
import { joinMeeting } from './join-meeting.ts';
import type { PageDriver } from './page-driver.ts';
import { unrecognised } from './page-state.ts';
import type { PageSnapshot, PageState } from './page-state.ts';

/** A page that shows the test's state at each moment; sleeping advances the time. */
async function join(stateAt: (second: number) => PageState, requestAtMs: number | null = null) {
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
    locateAll: async () => [],
  } as unknown as PageDriver<PageSnapshot>;
  const journal = new SessionJournal(
    { debug: () => undefined, info: () => undefined, warn: () => undefined },
    clock.now,
  );
  const devices = { set: async () => false } as unknown as DeviceButtons<PageSnapshot>;
  const options = { joinUrl: 'https://meet.example/', botName: 'Bot', requestAtMs };
  return await joinMeeting({ driver, journal, clock, devices }, options, new AbortController().signal);
}

const toAndFro = (second: number): PageState => (second % 20 < 10 ? 'launcher' : 'pre-join');

const unknown = (text: string) => ({ text, reading: unrecognised });
const inCall = { text: '', reading: { state: 'in-call', rule: 'test' } } as const;

test('after its request a bot waits on a page that it does not know, and reports what the page says', async () => {
  const { outcome, steps } = await joinPage((second) => (second < 900 ? unknown('Ready when you are') : inCall));
  expect(outcome.joined).toBe(true);
  expect(steps).toContain('waiting-not-recognised: Ready when you are');
  expect(steps).toContain('waiting-room');
});

test('so it does where the form stays and its button is disabled', async () => {
  const form = { text: 'Hi', nameField: true, reading: { state: 'pre-join', rule: 'name-field' } } as const;
  const { outcome, steps } = await joinPage((second) => (second < 900 ? form : inCall));
  expect(outcome.joined).toBe(true);
  expect(steps).toContain('waiting-room');
});

test('a page without a word is no waiting room', async () => {
  const { outcome } = await joinPage(() => unknown(''));
  expect(outcome).toMatchObject({ joined: false, end: { reason: 'page-unusable', rule: 'unrecognised' } });
});

test('an error ends the wait with the sentence of the page, without names', async () => {
  const sentence = 'Ada Lovelace has locked this meeting';
  const reading = { state: 'refused', rule: 'locked-kind', cause: 'locked', sentence, afterMs: 1_000 } as const;
  const { outcome } = await joinPage((second) =>
    second < 60 ? unknown('Ready when you are') : { text: sentence, reading },
  );
  expect(outcome).toMatchObject({
    joined: false,
    end: { reason: 'refused', cause: 'locked', said: '[name] [name] has locked this meeting' },
  });
});

test('a page of a login host on the way is no verdict unless it stays', async () => {
  const login = { state: 'login-required', rule: 'host-login', cause: 'sign-in', afterMs: 20_000 } as const;
  const redirect = await joinPage((second) => (second < 15 ? { text: '', reading: login } : inCall));
  expect(redirect.outcome.joined).toBe(true);
  const stays = await joinPage(() => ({ text: '', reading: login }));
  expect(stays.outcome).toMatchObject({ joined: false, end: { reason: 'login-required', rule: 'host-login' } });
});

test('a bot with a login that is asked for a name reloads once, then ends as not signed in', async () => {
  const { outcome, steps, loads } = await joinPage(() => inCall, { signedIn: true });
  expect(outcome).toMatchObject({ joined: false, end: { reason: 'login-required', rule: 'guest-page' } });
  expect(steps).not.toContain('join-clicked');
  expect(loads).toBe(2);
});

test('changed credentials are a denial of a guest, and so is having left before the call', async () => {
  const changed = {
    state: 'denied',
    rule: 'credentials-text',
    cause: 'credentials-changed',
    sentence: 'Changed',
  } as const;
  const guest = await joinPage(() => ({ text: 'Changed', reading: changed }));
  expect(guest.outcome).toMatchObject({ end: { reason: 'denied', cause: 'credentials-changed' } });
  const left = { state: 'left', rule: 'left-text', sentence: 'You left the meeting' } as const;
  const { outcome } = await joinPage(() => ({ text: 'You left the meeting', reading: left }));
  expect(outcome).toMatchObject({ end: { reason: 'denied', cause: 'denied' } });
});

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
