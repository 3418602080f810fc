import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '@rapporteur/testbed';
import { openConsoleBrowser } from './console-browser.ts';
import type { ConsoleBrowser } from './console-browser.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

/** More than any page has. */
const mostStops = 80;
let team: OwnTeam;
let browser: ConsoleBrowser;
let page: Page;

beforeAll(async () => {
  team = await createOwnTeam();
  browser = await openConsoleBrowser(team.apiUrl);
  page = browser.page;
}, 120_000);
afterAll(() => browser?.stop(), 60_000);

const press = (key: string): Promise<void> => page.keyboard.press(key);
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.ownerDocument.activeElement === element);

/** Presses Tab until the element has the focus, and expects the focus to be visible there. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const focused = `document.activeElement`;
  for (let stop = 0; stop < mostStops; stop += 1) {
    await press('Tab');
    if (!(await hasFocus(target))) continue;
    expect(await page.evaluate(`getComputedStyle(${focused}).outlineStyle`)).not.toBe('none');
    return;
  }
  throw new Error(`Tab did not reach ${String(target)}.`);
}

/** Chooses an action that is confirmed. The dialog begins at the button that changes nothing, and Escape closes it. */
async function confirm(action: string, confirmation: string): Promise<void> {
  await tabTo(button(action));
  await press('Enter');
  const keep = button('Keep it as it is');
  await waitFor(() => hasFocus(keep), { what: 'the focus to be on the button that changes nothing' });
  await press('Escape');
  await keep.waitFor({ state: 'hidden' });
  await waitFor(() => hasFocus(button(action)), { what: 'the focus to be back on the action' });
  await press('Enter');
  await tabTo(button(confirmation));
  await press('Enter');
  await button(confirmation).waitFor({ state: 'hidden' });
}

test('a bot is sent, followed, made to leave, played and deleted with the keyboard only', async () => {
  const room = await team.simulator.startRoom({ speakers: 1 });
  await page.goto(team.apiUrl);
  await tabTo(page.getByLabel('API key'));
  await page.keyboard.type(team.apiKey);
  await press('Enter');
  await tabTo(page.getByRole('navigation').getByRole('link', { name: 'Send a bot' }));
  await press('Enter');
  await tabTo(page.getByLabel('Meeting link'));
  await page.keyboard.type(room.url);
  await page.getByText('Ready to send.').waitFor();
  await tabTo(button('Send the bot now'));
  await press('Enter');
  const live = page.getByRole('region', { name: 'The meeting now' });
  await live.getByText('Speaking:').waitFor();
  await confirm('Leave the meeting', 'Leave now');
  await page.getByText('Completed', { exact: true }).first().waitFor();
  const player = page.getByLabel('Recording of the meeting');
  await tabTo(player);
  // It may have ended since.
  const played = () => player.evaluate((video: HTMLVideoElement) => video.currentTime > 0);
  await waitFor(() => player.evaluate((video: HTMLVideoElement) => video.readyState >= 1), {
    what: 'the recording to be loaded',
  });
  await press('Space');
  await waitFor(played, { what: 'the recording to play' });
  await press('Space');
  await confirm('Delete its data', 'Delete for good');
  await button('Delete its data').waitFor({ state: 'hidden' });
  expect(browser.offences).toEqual([]);
}, 240_000);
