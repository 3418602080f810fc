import { describe, expect, test } from '@jest/globals';
import type { RecorderPage } from '../recorder-ports.ts';
import { PauseSwitch } from './pause-switch.ts';

const deadlineMs = 20;

/** A page that responds when the test requests it, in the order of the requests. */
class SlowPage implements RecorderPage {
  readonly requested: string[] = [];
  readonly #open: ((atMs: number) => void)[] = [];

  async addInitScript(): Promise<void> {}

  async exposeBinding(): Promise<void> {}

  async evaluate(expression: string): Promise<unknown> {
    this.requested.push(/(pause|resume)\(\)/.exec(expression)?.[1] ?? '');
    return { atMs: await new Promise<number>((resolve) => this.#open.push(resolve)) };
  }

  /** Responds to all open requests, and lets the consequences happen. */
  async response(atMs: number): Promise<void> {
    for (const resolve of this.#open.splice(0)) resolve(atMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function open() {
  let nowMs = 0;
  const page = new SlowPage();
  const options = { deadlineMs, clock: { now: () => nowMs } };
  const pauses = new PauseSwitch(options);
  return { page, pauses, options, at: (ms: number) => (nowMs = ms) };
}

async function paused() {
  const opened = open();
  const pausing = opened.pauses.switchTo('pause', opened.page);
  await opened.page.response(1_000);
  await pausing;
  return opened;
}

const tooLong = /took longer than/;

describe('a pause that the page answers too late', () => {
  test('is undone', async () => {
    const { page, pauses } = open();
    await expect(pauses.switchTo('pause', page)).rejects.toThrow(tooLong);
    await page.response(1_000);
    expect(page.requested).toEqual(['pause', 'resume']);
    await page.response(1_500);
    expect(pauses.all).toEqual([{ startMs: 1_000, endMs: 1_500 }]);
  });

  test('leaves the one alone that was asked for meanwhile, and is no second pause', async () => {
    const { page, pauses } = open();
    await expect(pauses.switchTo('pause', page)).rejects.toThrow(tooLong);
    const again = pauses.switchTo('pause', page);
    await page.response(1_000);
    expect(await again).toEqual({ atMs: 1_000 });
    expect(page.requested).toEqual(['pause', 'pause']);
    expect(pauses.all).toEqual([{ startMs: 1_000, endMs: null }]);
    const resuming = pauses.switchTo('resume', page);
    await page.response(3_000);
    await resuming;
    expect(pauses.all).toEqual([{ startMs: 1_000, endMs: 3_000 }]);
  });

  test('leaves the one alone that was asked for before it was too late', async () => {
    const { page, pauses, options } = open();
    const late = expect(pauses.switchTo('pause', page)).rejects.toThrow(tooLong);
    options.deadlineMs = 60_000;
    const again = pauses.switchTo('pause', page);
    await late;
    await page.response(1_000);
    expect(await again).toEqual({ atMs: 1_000 });
    expect(page.requested).toEqual(['pause', 'pause']);
    expect(pauses.all).toEqual([{ startMs: 1_000, endMs: null }]);
  });

  test('is requested once more by a caller that arrives while it is being undone', async () => {
    const { page, pauses } = open();
    await expect(pauses.switchTo('pause', page)).rejects.toThrow(tooLong);
    await page.response(1_000);
    const again = pauses.switchTo('pause', page);
    expect(page.requested).toEqual(['pause', 'resume', 'pause']);
    await page.response(2_000);
    await again;
    expect(pauses.all.at(-1)).toEqual({ startMs: 2_000, endMs: null });
    expect(page.requested).toHaveLength(3);
  });
});

test('a pause whose end the page states before its beginning has no length', async () => {
  const { page, pauses } = await paused();
  const resuming = pauses.switchTo('resume', page);
  await page.response(900);
  await resuming;
  expect(pauses.all).toEqual([{ startMs: 1_000, endMs: 1_000 }]);
});

describe('a resuming that the page answers too late', () => {
  test('is undone: it stays paused', async () => {
    const { page, pauses } = await paused();
    await expect(pauses.switchTo('resume', page)).rejects.toThrow(tooLong);
    await page.response(2_000);
    expect(page.requested).toEqual(['pause', 'resume', 'pause']);
    await page.response(2_100);
    expect(pauses.all).toEqual([
      { startMs: 1_000, endMs: 2_000 },
      { startMs: 2_100, endMs: null },
    ]);
  });

  test('remains when it was requested again meanwhile', async () => {
    const { page, pauses } = await paused();
    await expect(pauses.switchTo('resume', page)).rejects.toThrow(tooLong);
    const again = pauses.switchTo('resume', page);
    await page.response(2_000);
    await again;
    expect(page.requested).toEqual(['pause', 'resume', 'resume']);
    expect(pauses.all).toEqual([{ startMs: 1_000, endMs: 2_000 }]);
  });
});

describe('a capture that is given up', () => {
  test('while a late pause was being undone does not leave the next one paused', async () => {
    const { page, pauses, at } = open();
    await expect(pauses.switchTo('pause', page)).rejects.toThrow(tooLong);
    await page.response(1_000);
    at(4_000);
    pauses.release();
    expect(pauses.all).toEqual([{ startMs: 1_000, endMs: 4_000 }]);
  });

  test('accepts no further request', async () => {
    const { page, pauses } = open();
    const pausing = pauses.switchTo('pause', page);
    pauses.release();
    const refused = expect(pausing).rejects.toThrow('abandoned');
    await page.response(1_000);
    await refused;
    expect(pauses.all).toEqual([]);
    expect(page.requested).toEqual(['pause']);
    const next = new SlowPage();
    const pausingNext = pauses.switchTo('pause', next);
    await next.response(5_000);
    await pausingNext;
    // The next page owes no response: it is paused, so no request is sent.
    expect(await pauses.switchTo('pause', next)).toEqual({ atMs: 5_000 });
    expect(next.requested).toEqual(['pause']);
  });
});
