import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadPageScript } from '@rapporteur/page-scripts';
import type { Browser } from 'playwright-core';
import { launchTestBrowser } from '../testing/test-browser.ts';

const script = new URL('../testing/painted-videos.page.ts', import.meta.url);
/** Longer than an unrequested track is held. */
const unrequestedMs = 4_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
}, 60_000);
afterAll(() => browser.close());

test.each([
  { video: 'a slide that the page paints once', still: true, again: true },
  { video: 'a camera', still: false, again: false },
])('$video: a capture that begins later has a frame: $again', async ({ still, again }) => {
  const page = await browser.newPage();
  await page.evaluate(loadPageScript(script, {}));
  const firstFrame = () => page.evaluate(`firstFrame(${still})`);
  expect(await firstFrame()).toBe(true);
  await page.waitForTimeout(unrequestedMs);
  expect(await firstFrame()).toBe(again);
  await page.close();
});
