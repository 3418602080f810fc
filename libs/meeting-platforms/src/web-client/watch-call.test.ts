import { describe, expect, test } from '@jest/globals';
import type { SessionClock, SessionEnd, SessionState } from '../platform.ts';
import { SessionJournal } from '../session-journal.ts';
import type { PageDriver } from './page-driver.ts';
import type { PageReading, PageSnapshot } from './page-state.ts';
import { watchCall } from './watch-call.ts';

interface Watched {
  readonly end: SessionEnd | null;
  /** In seconds. */
  readonly endedAt: number;
  readonly states: readonly [SessionState, number][];
  readonly disconnected: readonly (number | null)[];
}

/** Watches a page that shows the test's reading at each second; after `seconds` the watch is stopped. */
async function watch(readingAt: (second: number) => PageReading, seconds = 3_600): Promise<Watched> {
  let nowMs = 0;
  const stop = new AbortController();
  const clock: SessionClock = {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      if (nowMs > seconds * 1_000) stop.abort(new Error('enough'));
    },
  };
  const driver = {
    page: { isClosed: () => false },
    observe: async () => ({ snapshot: { dialogs: [] }, reading: readingAt(nowMs / 1_000) }),
    stir: async () => undefined,
    serialized: async (work: () => Promise<void>) => await work(),
  } as unknown as PageDriver<PageSnapshot>;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  const journal = new SessionJournal(log, clock.now);
  journal.enter('in-call');
  const states: [SessionState, number][] = [];
  journal.listen((signal) => {
    if (signal.kind === 'state') states.push([signal.state, Math.round(signal.atMs / 1_000)]);
  });
  const disconnected: (number | null)[] = [];
  const end = await watchCall({
    driver,
    journal,
    clock,
    signal: stop.signal,
    responded: () => undefined,
    seen: () => undefined,
    disconnected: (sinceMs) => disconnected.push(sinceMs === null ? null : Math.round(sinceMs / 1_000)),
  });
  return { end, endedAt: nowMs / 1_000, states, disconnected };
}

const inCall: PageReading = { state: 'in-call', rule: 'call' };
const lobby: PageReading = { state: 'lobby', rule: 'lobby-text' };
const unknown: PageReading = { state: 'loading', rule: 'unrecognised' };
const dropped: PageReading = { state: 'loading', rule: 'connection-kind', cause: 'technical' };
const disconnected: PageReading = { ...dropped, rule: 'reconnecting-kind', afterMs: 60_000 };
const between = (from: number, to: number, shown: PageReading) => (second: number) =>
  second >= from && second < to ? shown : inCall;

describe('a bot in its call', () => {
  test('that is put into the waiting room stays in its page, and is in the call again when it is let in', async () => {
    const { end, states } = await watch(between(60, 600, lobby), 700);
    expect(end).toBeNull();
    expect(states).toEqual([
      ['waiting-room', 70],
      ['in-call', 600],
    ]);
  });

  test('takes no lobby text of some seconds for a waiting room', async () => {
    expect(await watch(between(60, 69, lobby), 100)).toMatchObject({ end: null, states: [] });
  });

  test('that waits for the host again waits in its page too', async () => {
    const { end, states } = await watch(between(60, 600, { state: 'waiting-for-host', rule: 'r' }), 700);
    expect([end, states[0]]).toEqual([null, ['waiting-for-host', 70]]);
  });

  test('is removed while it waits: that is the end', async () => {
    const { end } = await watch((second) =>
      second < 60 ? inCall : second < 90 ? lobby : { state: 'removed', rule: 'removed-text' },
    );
    expect(end).toMatchObject({ reason: 'removed' });
  });

  test('gives a lost connection a minute to come back', async () => {
    const back = await watch(between(60, 115, disconnected), 200);
    expect([back.end, back.disconnected]).toEqual([null, [60, null]]);
    const { end, endedAt } = await watch((second) => (second < 60 ? inCall : disconnected));
    expect(end).toMatchObject({ reason: 'connection-lost', rule: 'call-lost: reconnecting-kind' });
    expect(Math.round(endedAt)).toBe(119);
    const given = await watch((second) => (second < 60 ? inCall : dropped));
    expect([given.end?.reason, Math.round(given.endedAt)]).toEqual(['connection-lost', 79]);
  });

  test('reports a lost connection that the client shows beside the call, and does not leave for it', async () => {
    const beside = await watch(between(60, 600, { ...inCall, cause: 'technical' }), 700);
    expect([beside.end, beside.disconnected]).toEqual([null, [60, null]]);
  });

  test('has lost a page that shows neither a call nor a reason for 20 s, and one that shows its form for 4 s', async () => {
    const lost = await watch((second) => (second < 60 ? inCall : unknown));
    expect([lost.end?.reason, Math.round(lost.endedAt)]).toEqual(['page-unusable', 79]);
    const reloaded = await watch((second) => (second < 60 ? inCall : { state: 'pre-join', rule: 'name-field' }));
    expect([reloaded.end?.reason, Math.round(reloaded.endedAt)]).toEqual(['page-unusable', 63]);
  });

  test('an end counts once the page has shown it for its time', async () => {
    const away = { state: 'blocked', rule: 'left-the-host', afterMs: 20_000 } as const;
    expect((await watch(between(60, 75, away), 100)).end).toBeNull();
    const { end, endedAt } = await watch((second) => (second < 60 ? inCall : away));
    expect([end?.reason, Math.round(endedAt)]).toEqual(['blocked', 80]);
    const ended = await watch((second) => (second < 60 ? inCall : { state: 'ended-by-host', rule: 'ended-text' }));
    expect(ended.endedAt).toBeLessThan(61);
  });
});
