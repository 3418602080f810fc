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
  const meeting = {
    bot_name: 'Tomorrow',
    meeting_url: 'https://meet.google.com/abc-defg-hij',
    join_at: new Date(Date.now() + 86_400_000).toISOString(),
  };
  await team.api.call('POST', '/v2/bots/scheduled', meeting);
  await team.api.call('POST', '/v2/webhooks/endpoints', { url: 'https://hooks.example.com/a', name: 'Hook' });
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

const controls = 'a[href], button:enabled, input:enabled, select, textarea, summary, [tabindex="0"]';
/** A date has a stop for each of its parts, and its own button. */
const stopsPerControl = 8;

/** Numbers every control that is shown. Of a group of radio buttons, Tab reaches the one that is chosen. */
const numberControls = `(() => {
  const shown = [...document.querySelectorAll(${JSON.stringify(controls)})]
    .filter((one) => one.checkVisibility() && !(one.type === 'radio' && !one.checked));
  shown.forEach((one, index) => one.setAttribute('data-stop', index));
  document.activeElement?.blur();
  return shown.map((one) => one.outerHTML.slice(0, 120));
})()`;
const currentStop = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return { stop: document.activeElement.dataset.stop, isSeen: outlineStyle !== 'none' && outlineWidth !== '0px' };
})()`;

test.each([
  ['', 'Bots'],
  ['/send', 'Send a bot'],
  ['/search', 'Search'],
  ['/scheduled', 'Scheduled bots'],
  ['/calendars', 'Calendars'],
  ['/logins', 'Logins'],
  ['/webhooks', 'Webhooks'],
  ['/usage', 'Usage'],
  ['/storage', 'Storage'],
  ['/keys', 'API keys'],
  ['/audit-log', 'Audit log'],
])('every control of /console%s is reached with a visible focus, and a dialog returns it', async (path, title) => {
  await page.goto(`${team.apiUrl}/console${path}`);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await waitFor(async () => (await page.locator('main .loading').count()) === 0, { what: 'the page to be loaded' });
  const names = (await page.evaluate(numberControls)) as readonly string[];
  // One stop of a date field is the browser's own button, whose focus no style of the page states.
  const seen = new Set<number>();
  for (let stop = 0; stop < names.length * stopsPerControl && seen.size < names.length; stop += 1) {
    await press('Tab');
    const at = (await page.evaluate(currentStop)) as { readonly stop?: string; readonly isSeen: boolean };
    if (at.stop !== undefined && at.isSeen) seen.add(Number(at.stop));
  }
  expect(names.filter((_name, index) => !seen.has(index))).toEqual([]);
  for (const action of await page.locator('main button.danger').all()) {
    await action.focus();
    await press('Enter');
    const keep = button('Keep it as it is');
    await waitFor(() => hasFocus(keep), { what: 'the focus to be on the button that changes nothing' });
    await press('Escape');
    await waitFor(() => hasFocus(action), { what: 'the focus to be back on the action' });
  }
});
