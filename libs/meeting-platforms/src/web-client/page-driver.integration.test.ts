import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createMeetClient } from '../meet/meet-platform.ts';
import { builtInPagePack } from '../page-packs/index.ts';
import { launchTestBrowser } from '../testing/test-browser.ts';
import { createTeamsClient } from '../teams/teams-platform.ts';
import { openCaptions } from './caption-controls.ts';
import type { PageClient } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';
import { PageDriver, PageInput } from './page-driver.ts';
import type { Spot } from './page-locators.page.ts';
import { prepareLocators } from './page-locators.ts';

const meet = createMeetClient(builtInPagePack('meet'));
const teams = createTeamsClient(builtInPagePack('teams'));
const question = 'Do you want people to see and hear you in the meeting?';
const body = `<div role="dialog" aria-modal="true"><p>${question}</p>
  <button>Use microphone and camera</button><button>Continue without microphone and camera</button></div>
  <script>
    const pressed = [];
    const note = ({ target }) => {
      pressed.push(target.textContent);
      document.querySelector('[role=dialog]').remove();
    };
    for (const button of document.querySelectorAll('button')) button.addEventListener('click', note);
  </script>`;

/** The browser drops the first press. */
class FirstPressLost extends PageInput {
  #lost = false;

  override async press(spot: Spot): Promise<boolean> {
    if (this.#lost) return await super.press(spot);
    this.#lost = true;
    return false;
  }
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
}, 60_000);
afterAll(() => browser.close());

test('a bot that brings devices does not refuse them because a press was lost', async () => {
  const page = await browser.newPage();
  await prepareLocators(page);
  await page.goto(`data:text/html,${encodeURIComponent(body)}`);
  const client = { dialogs: meet.dialogs, dialogRegion: meet.dialogRegion } as PageClient<PageSnapshot>;
  const input = new FirstPressLost(page, () => undefined);
  const driver = new PageDriver(page, client, { camera: true, microphone: true }, input);
  const snapshot = { dialogs: [question] } as unknown as PageSnapshot;
  expect(await driver.dismissDialogs(snapshot, 0)).toEqual([]);
  expect(await driver.dismissDialogs(snapshot, 0)).toEqual(['media-permission']);
  expect(await page.evaluate('pressed')).toEqual(['Use microphone and camera']);
});

/** A dialog in an open shadow root, a transparent copy after it, and one whose button has no effect. */
const odd = `<div id="host"></div>
  <div role="dialog" style="opacity:0"><p>This meeting is being recorded</p><button>Got it</button></div>
  <div role="dialog" style="position:fixed;left:-900px"><p>This meeting is being recorded</p><button>Got it</button></div>
  <div role="dialog" id="stays"><p>Camera not found</p><button aria-label="Close">x</button></div>
  <button id="mic" aria-label="Turn off microphone" data-is-muted="false">mic</button>
  <script>
    const pressed = [];
    const root = document.querySelector('#host').attachShadow({ mode: 'open' });
    root.innerHTML = '<div role="dialog"><p>An assistant listens</p><button>Leave</button><button>Join now</button></div>';
    for (const button of [...root.querySelectorAll('button'), ...document.querySelectorAll('button')])
      button.addEventListener('click', () => {
        pressed.push(button.getAttribute('aria-label') ?? button.textContent);
        if (button.textContent === 'Join now') button.parentElement.remove();
        if (button.id === 'mic') button.remove();
      });
  </script>`;

test('a dialog in a shadow root is dismissed, hidden copies are not pressed, and one that stays is left alone', async () => {
  const { dialogs, dialogKinds, dialogRegion, elements } = meet;
  const driver = await driverOf(odd, { dialogs, dialogKinds: dialogKinds ?? [], dialogRegion, elements });
  const stays: string[] = [];
  driver.onStays = (what) => stays.push(what);
  const snapshot = { dialogs: ['shown'] } as unknown as PageSnapshot;
  for (let read = 0; read < 6; read += 1) await driver.dismissDialogs(snapshot, read * 1_000);
  const pressed = (await driver.page.evaluate('pressed')) as string[];
  // The microphone that the dialog switched on is off again.
  expect(pressed.filter((name) => name !== 'Close')).toEqual(['Join now', 'Turn off microphone']);
  expect(pressed.filter((name) => name === 'Close')).toHaveLength(3);
  expect(stays).toEqual(['hint']);
  await driver.page.close();
});

const call = `<div role="alert">This video call is being recorded</div>
  <button aria-label="Turn on captions">cc</button>
  <script>
    document.querySelector('button').addEventListener('click', ({ target }) => {
      target.setAttribute('aria-label', 'Turn off captions');
      document.body.insertAdjacentHTML('beforeend', '<div role="region" aria-label="Captions">said</div>');
    });
  </script>`;

/** Teams' menu, which shows which of its entries is on. The strip appears with the first speech. */
const menu = `<div role="toolbar"><button id="callingButtons-showMoreBtn" aria-label="More">More</button></div>
  <script>
    let on = false;
    let toggled = 0;
    const close = () => document.querySelector('[role=menu]')?.remove();
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
    document.querySelector('button').addEventListener('click', ({ target }) => {
      if (document.querySelector('[role=menu]')) return close();
      const label = on ? 'Hide live captions' : 'Show live captions';
      const item = '<button role="menuitemcheckbox" aria-checked="' + on + '" aria-label="' + label + '">' + label + '</button>';
      target.insertAdjacentHTML('afterend', '<div role="menu">' + item + '</div>');
      document.querySelector('[role=menuitemcheckbox]').addEventListener('click', () => {
        on = !on;
        toggled += 1;
        close();
      });
    });
  </script>`;

const driverOf = async (html: string, client: Partial<PageClient<PageSnapshot>>): Promise<PageDriver<PageSnapshot>> => {
  const page = await browser.newPage();
  await prepareLocators(page);
  await page.goto(`data:text/html,${encodeURIComponent(html)}`);
  const input = new PageInput(page, () => undefined);
  return new PageDriver(page, client as PageClient<PageSnapshot>, { camera: false, microphone: false }, input);
};
const partsOf = ({ elements, captions }: typeof meet | typeof teams): Partial<PageClient<PageSnapshot>> => ({
  elements,
  ...(captions === undefined ? {} : { captions }),
});
/** The driver's clock runs four times as fast: most of the test is timeouts. */
const waiting = {
  clock: {
    now: () => Date.now() * 4,
    sleep: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms / 4)),
  },
  signal: new AbortController().signal,
};

test('captions in a menu are turned on once, though nothing but the menu shows it', async () => {
  const driver = await driverOf(menu, partsOf(teams));
  expect(await openCaptions(driver, { language: null }, waiting)).toEqual({ on: true, language: null });
  expect(await openCaptions(driver, { language: null }, waiting)).toEqual({ on: true, language: null });
  expect(await driver.page.evaluate('[on, toggled]')).toEqual([true, 1]);
  await driver.page.close();
}, 60_000);

test('captions that are turned on take no room on the page and are invisible, and notices stay', async () => {
  const driver = await driverOf(call, partsOf(meet));
  expect(await openCaptions(driver, { language: null }, waiting)).toEqual({ on: true, language: null });
  // A second call does not turn them off.
  expect(await openCaptions(driver, { language: null }, waiting)).toEqual({ on: true, language: null });
  const styleOf = (selector: string): Promise<string[]> =>
    driver.page.locator(selector).evaluate((shown) => {
      const { opacity, position, pointerEvents } = getComputedStyle(shown);
      return [opacity, position, pointerEvents];
    });
  expect(await styleOf('[aria-label="Captions"]')).toEqual(['0', 'fixed', 'none']);
  expect(await styleOf('[role="alert"]')).toEqual(['1', 'static', 'auto']);
});

test('of each element that was found, the place of the first match is kept', async () => {
  const html = `<button id="second">Leave</button><button>Send it</button><input type="text">`;
  const driver = await driverOf(html, {
    elements: {
      leave: ['#first', '#second'],
      chatSend: ['#send', 'button:has-text("Send it")', 'button'],
      nameField: ['input'],
      joinButton: ['#nowhere'],
    },
  });
  await driver.locateAll(['leave', 'chatSend', 'joinButton']);
  await driver.find('nameField');
  await driver.page.evaluate('document.querySelector("#second").id = "first"');
  await driver.locate('leave');
  expect(driver.matchedCandidates).toEqual({
    leave: { index: 1, of: 2 },
    chatSend: { index: 1, of: 3 },
    nameField: { index: 0, of: 1 },
  });
  await driver.page.close();
});
