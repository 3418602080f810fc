import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchTestBrowser } from '../testing/test-browser.ts';
import { PageInput } from './page-driver.ts';

const body = `<body style="margin: 0"><button style="position: absolute; left: 20px; top: 30px; width: 80px; height: 40px">Go</button>
  <input style="position: absolute; left: 20px; top: 100px; width: 80px; height: 40px">
  <script>
    const seen = { presses: 0, moves: 0, keys: 0 };
    document.querySelector('button').addEventListener('click', (event) => (seen.presses += Number(event.isTrusted)));
    const blockFor = (ms) => { for (const until = performance.now() + ms; performance.now() < until;); };
    document.addEventListener('mousemove', () => (seen.moves += 1));
    document.querySelector('input').addEventListener('keydown', () => (seen.keys += 1));
  </script>`;
const button = { x: 60, y: 50 };
const field = { x: 60, y: 120 };

let browser: Browser;
let page: Page;
let unanswered: string[];
let input: PageInput;

beforeAll(async () => {
  browser = await launchTestBrowser();
}, 60_000);
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  await page.setContent(body);
  unanswered = [];
  input = new PageInput(page, (what) => unanswered.push(what));
});
afterEach(() => page.close());
afterAll(() => browser.close());

describe('hands', () => {
  test('press as a person does, on the way there too', async () => {
    expect(await input.press(button)).toBe(true);
    expect(await page.evaluate('seen')).toMatchObject({ presses: 1, moves: expect.any(Number) });
    expect(await page.evaluate('seen.moves > 0')).toBe(true);
    expect(unanswered).toEqual([]);
  });

  test.each(['Ann Lee', 'Zoë 李'])('write %s into what was pressed', async (name) => {
    await input.press(field);
    expect(await input.write('before')).toBe(true);
    await input.strike('ControlOrMeta+A');
    expect(await input.write(name)).toBe(true);
    expect(await page.inputValue('input')).toBe(name);
    expect(await page.evaluate('seen.keys > 0')).toBe(true);
  });

  test('do not wait for a page that takes no input', async () => {
    const blocking = page.waitForEvent('console');
    void page.evaluate("console.info('blocking'); blockFor(7_000)").catch(() => undefined);
    await blocking;
    const startedAt = performance.now();
    expect(await input.press(button)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(unanswered).toEqual(['press']);
    // A press without a response arrives late: it must not count as lost.
    await page.waitForFunction('seen.presses === 1', undefined, { timeout: 15_000 });
  }, 40_000);

  test('have nothing to press on a page that is gone', async () => {
    await page.close();
    expect(await input.press(button)).toBe(false);
    expect(await input.write('Ann')).toBe(false);
    expect(unanswered).toEqual(['press', 'text']);
  });
});
