import { expect, test, describe } from '@jest/globals';
import type { SessionClock } from '../platform.ts';
import type { PageClient } from './page-client.ts';
import { PageDriver, holdsText, DialogPresses, repeatPress } from './page-driver.ts';
import type { PageReading, PageSnapshot } from './page-state.ts';
import { shortName } from './join-meeting.ts';

/** A driver of a page that reads as the test sets it. */
function driverOf() {
  const page = {
    on: () => undefined,
    isClosed: () => false,
    url: () => 'https://meet.example/',
    mainFrame: () => frame,
  };
  const frame = { evaluate: async () => ({ snapshot: {} }) };
  const shown: { reading: PageReading } = { reading: { state: 'in-call', rule: 'call' } };
  const client = { driverName: 'test', read: () => shown.reading } as unknown as PageClient<PageSnapshot>;
  const devices = { camera: false, microphone: false };
  const driver = new PageDriver<PageSnapshot>(page as never, client, devices, {} as never);
  const read = async (reading: PageReading): Promise<string> => {
    shown.reading = reading;
    return (await driver.observe()).reading.rule;
  };
  return { driver, read };
}

const call: PageReading = { state: 'in-call', rule: 'call' };
const nothing: PageReading = { state: 'loading', rule: 'unrecognised' };
const ended: PageReading = { state: 'ended-by-host', rule: 'ended-screen' };
const lost: PageReading = { state: 'loading', rule: 'lost', cause: 'technical' };

test('an end from outside the page counts in the call too, and an end that the page shows precedes it', async () => {
  const { driver, read } = driverOf();
  driver.overrule({ state: 'removed', rule: 'outside' });
  expect([await read(call), await read(nothing), await read(ended)]).toEqual(['outside', 'outside', 'ended-screen']);
});

test('one that is not certain counts while the page shows no call, until it is withdrawn', async () => {
  const { driver, read } = driverOf();
  driver.overrule({ state: 'ended-by-host', rule: 'perhaps' }, false);
  expect([await read(call), await read(nothing)]).toEqual(['call', 'perhaps']);
  driver.overrule(null);
  expect(await read(nothing)).toBe('unrecognised');
});

test('a lost connection precedes the end screen of the page, which names no cause, and yields to a certain end', async () => {
  const { driver, read } = driverOf();
  driver.overrule(lost, false);
  expect([await read(call), await read(ended)]).toEqual(['call', 'lost']);
  driver.overrule({ state: 'removed', rule: 'outside' });
  expect(await read(nothing)).toBe('outside');
});

test.each([
  ['Notes  of\u00a0Ana ', 'Notes of Ana', null],
  ['Jose\u0301', 'Jos\u00e9', null],
  ['Rapporteur of the weekly', 'Rapporteur of the weekly meeting', 24],
  ['Rapporteur 😀'.slice(0, 11), 'Rapporteur 😀', 12],
])('a field that holds %j has taken %j', (value, text, longest) => {
  expect(holdsText({ value, longest }, text)).toBe(true);
});

test.each([
  ['', 'Ana', 0],
  [null, 'Ana', null],
  ['Rapporteur', 'Rapporteur of Ana', 60],
  ['Rapporteur', 'Rapporteur of Ana', null],
  ['Someone', 'Ana', 7],
])('a field that holds %j has not taken %j', (value, text, longest) => {
  expect(holdsText({ value, longest }, text)).toBe(false);
});

test('a name is typed as fields keep it', () => {
  expect(shortName(' Notes \n of  Jose\u0301 ', 60)).toBe('Notes of Jos\u00e9');
});

/** Sleeping advances the time. */
function steppedClock(): SessionClock {
  let nowMs = 0;
  return { now: () => nowMs, sleep: async (ms) => void (nowMs += ms) };
}

const times = { againMs: 4_000, timeoutMs: 9_000 };

test('a press that was refused is repeated at the next poll', async () => {
  let presses = 0;
  const press = async () => (presses += 1) >= 3;
  const outcome = await repeatPress({ ...times, happened: async () => presses >= 3, press }, steppedClock());
  expect({ ...outcome, presses }).toEqual({ happened: true, pressedAtMs: 200, presses: 3 });
});

test('a press that was taken has its time to show before it is repeated', async () => {
  const clock = steppedClock();
  const pressedAt: number[] = [];
  const press = async () => pressedAt.push(clock.now()) > 0;
  const outcome = await repeatPress({ ...times, happened: async () => clock.now() > 4_500, press }, clock);
  expect(pressedAt).toEqual([0, 4_000]);
  expect(outcome.happened).toBe(true);
});

test('nothing is pressed where it has happened, and nothing after the time is over or the signal aborts', async () => {
  let presses = 0;
  const press = async () => ++presses > 0;
  expect(await repeatPress({ ...times, happened: async () => true, press }, steppedClock())).toMatchObject({
    happened: true,
    pressedAtMs: null,
  });
  const aborted = AbortSignal.abort();
  const waiting = { ...times, happened: async () => false, press };
  expect((await repeatPress(waiting, steppedClock(), aborted)).happened).toBe(false);
  expect(presses).toBe(0);
  expect(await repeatPress(waiting, steppedClock())).toEqual({ happened: false, pressedAtMs: 8_000 });
});

describe('a dialog of a call', () => {
  /** The seconds at which it is pressed, and at which it is reported to stay. */
  const follow = (textAt: (second: number) => string | null, seconds: number) => {
    const presses = new DialogPresses();
    const pressedAt: number[] = [];
    const stayedAt: number[] = [];
    for (let second = 0; second < seconds; second += 1) {
      const text = textAt(second);
      if (text === null) continue;
      const { may, stays, pressed } = presses.show(text, second * 1_000);
      if (stays) stayedAt.push(second);
      if (may) pressedAt.push(second);
      if (may) pressed();
    }
    return { pressedAt, stayedAt };
  };

  test('that stays is pressed three times and reported once, also with a countdown in its text', () => {
    expect(follow(() => 'Camera not found', 3_600)).toEqual({ pressedAt: [0, 1, 2], stayedAt: [3] });
    const counts = (second: number): string => `This call will end in ${3_600 - second} seconds`;
    expect(follow(counts, 3_600)).toEqual({ pressedAt: [0, 1, 2], stayedAt: [3] });
  });

  test('that opens anew every five minutes is pressed every time', () => {
    const asked = (second: number): string | null => (second % 300 === 0 ? 'Are you still there?' : null);
    expect(follow(asked, 1_501)).toEqual({ pressedAt: [0, 300, 600, 900, 1_200, 1_500], stayedAt: [] });
  });

  test('that comes back at once after each press is no new one', () => {
    const flickers = (second: number): string | null => (second % 2 === 0 ? 'Camera not found' : null);
    expect(follow(flickers, 600)).toEqual({ pressedAt: [0, 2, 4], stayedAt: [6] });
  });
});
