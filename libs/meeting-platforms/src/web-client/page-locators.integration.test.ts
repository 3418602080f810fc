import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@rapporteur/testbed';
import type { Browser, Page } from 'playwright-core';
import { launchTestBrowser } from '../testing/test-browser.ts';
import type { LocatedElement } from './page-locators.ts';
import { openSpotOf, prepareLocators, locateElements, visibleAt, waitUntilShown } from './page-locators.ts';

const address = 'http://meeting.example/';
/** Far from the top left corner, with everything that can offset a frame's page from the frame's edge. */
const frameStyle =
  'position: fixed; left: 300px; top: 200px; width: 200px; height: 150px; border: 7px solid; padding: 11px';

const labelStyle = 'position: absolute; left: 20px; top: 30px; width: 80px; height: 40px';

let browser: Browser;
let page: Page;
/** The bodies of the pages, by path. */
const bodies = new Map<string, string>();
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><body style="margin: 0">${bodies.get(request.url ?? '') ?? ''}</body>`);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  browser = await launchTestBrowser(
    '--site-per-process',
    `--host-resolver-rules=MAP *.example 127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
}, 60_000);
afterEach(() => page.close());
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a page with this body, in place of the last one; what it has in a frame is another. */
async function open(body: string, inFrame = ''): Promise<void> {
  for (const last of browser.contexts().flatMap((context) => context.pages())) await last.close();
  bodies.set('/', body).set('/client', inFrame);
  page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  await prepareLocators(page);
  await page.goto(address);
}

const button = (more = ''): string =>
  `<button id="go" style="position: absolute; left: 20px; top: 30px; width: 80px; height: 40px" ${more}
    onclick="this.textContent = event.isTrusted ? 'pressed' : 'forged'">Go</button>`;

describe('eyes in the page', () => {
  test('find of many elements at once which one shows first, where it can be pressed and what it holds', async () => {
    await open(`<input id="hidden" style="display: none"><input id="name" value="Ann" style="position: absolute">${button()}
      <button id="off" disabled>Off</button><section aria-disabled="true"><button id="also-off">Off</button></section>`);
    const lists = [['#none', '#hidden', '#name'], ['#go'], ['#none'], ['#off'], ['#also-off']];
    const [name, go, none, ...off] = await locateElements(page.mainFrame(), lists);
    expect(name).toMatchObject({ enabled: true, value: 'Ann' });
    expect(await (name as LocatedElement).locator.getAttribute('id')).toBe('name');
    expect(go).toMatchObject({ spot: { x: 60, y: 50 }, enabled: true, value: null });
    expect(none).toBe('absent');
    for (const one of off) expect(one).toMatchObject({ spot: null, enabled: false });
  });

  test('leave elements in a shadow tree to Playwright', async () => {
    await open(`${button()}<div id="host"></div><script>
      document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<button id="inside">In</button>';
    </script>`);
    const [go, inside] = await locateElements(page.mainFrame(), [['#go'], ['#inside']]);
    expect(go).toMatchObject({ enabled: true });
    expect(inside).toBe('unknown');
    expect(await visibleAt(page.mainFrame(), '#inside').count()).toBe(1);
  });

  test('try a list in order as far as it is plain CSS, which keeps its order', async () => {
    await open(button());
    const lists = [
      ['#none', 'button:text-is("Go")', '#go'],
      ['button:has-text("Go")'],
      [':is(button,a)#go', 'text=Go'],
    ];
    const seen = await locateElements(page.mainFrame(), lists);
    expect(seen.map((one) => (one instanceof Object ? 'seen' : one))).toEqual(['unknown', 'unknown', 'seen']);
  });

  test('know no spot for what is covered, moves or is outside the window', async () => {
    const still = await openSpot(button());
    expect(still).toEqual({ x: 60, y: 50 });
    expect(await openSpot(`${button()}<div style="position: fixed; inset: 0"></div>`)).toBeNull();
    expect(await openSpot(button('class="below"').replace('top: 30px', 'top: 3000px'))).toBeNull();
    const moving = `<style>@keyframes slide { to { margin-left: 9px } } main { animation: slide 9s infinite }</style><main>${button()}</main>`;
    expect(await openSpot(moving)).toBeNull();
  });

  test("find a frame's spot in the window, unless another site is around it or something covers it", async () => {
    const frame = `<iframe src="${address}client" style="${frameStyle}"></iframe>`;
    await open(frame, button());
    const spot = await spotInFrame();
    expect(spot).toEqual({ x: 300 + 7 + 11 + 60, y: 200 + 7 + 11 + 50 });
    await page.mouse.click(spot?.x ?? 0, spot?.y ?? 0);
    expect(await page.frames()[1]?.locator('#go').textContent()).toBe('pressed');
    await page.evaluate(() => (document.querySelector('iframe')!.style.transform = 'scale(0.5)'));
    expect(await spotInFrame()).toBeNull();
    await open(`${frame}<div style="position: fixed; inset: 0"></div>`, button());
    expect(await spotInFrame()).toBeNull();
    await open(frame.replace(address, 'http://elsewhere.example/'), button());
    expect(await spotInFrame()).toBeNull();
  });

  test('keep a press from what came in the place of the button meanwhile', async () => {
    const leave = button().replace('id="go"', 'id="leave"').replace('>Go<', '>Leave<');
    const label = `<label style="${labelStyle}"><input type="checkbox" id="go">Go</label>`;
    expect(await pressedAfter(button(), leave)).toEqual(['leave: Leave']);
    expect(await pressedAfter(button(), button())).toEqual(['go: pressed']);
    expect(await pressedAfter(button().replace('>Go<', '><b>Go</b><'), null, '#go b')).toEqual(['go: pressed']);
    expect(await pressedAfter(label, null)).toEqual(['go: on']);
    // Without a preceding read every press passes.
    await open(leave);
    await page.mouse.click(60, 50);
    expect(await buttonsNow()).toEqual(['leave: pressed']);
  });

  test('keep a press from what came in the place of the frame', async () => {
    await open(`<iframe src="${address}client" style="${frameStyle}"></iframe>`, button());
    const spot = await spotInFrame();
    await page.evaluate(
      (html) => (document.body.innerHTML = html),
      button().replace('left: 20px', 'left: 340px').replace('top: 30px', 'top: 240px'),
    );
    await page.mouse.click(spot?.x ?? 0, spot?.y ?? 0);
    expect(await buttonsNow()).toEqual(['go: Go']);
  });

  test('wait for the first thing that shows, and not longer than they may', async () => {
    await open('<main></main>');
    const lists = [['#none'], ['#go', 'button:has-text("Go")']];
    expect(await waitUntilShown(page.mainFrame(), lists, 50)).toBe(false);
    const waiting = waitUntilShown(page.mainFrame(), lists, 900);
    await page.evaluate((html) => (document.querySelector('main')!.innerHTML = html), button('hidden'));
    await page.evaluate(() => document.querySelector('#go')!.removeAttribute('hidden'));
    expect(await waiting).toBe(true);
  });

  test('do not keep anybody waiting whose page is frozen, or has no eyes', async () => {
    await open(button());
    const frozen = page.evaluate(() => {
      for (const until = Date.now() + 2_500; Date.now() < until;);
    });
    expect(await locateElements(page.mainFrame(), [['#go']])).toEqual(['unknown']);
    await frozen;
    await page.close();
    page = await browser.newPage();
    await page.setContent(button());
    expect(await locateElements(page.mainFrame(), [['#go']])).toEqual(['unknown']);
    expect(await waitUntilShown(page.mainFrame(), [['#go']], 50)).toBe(false);
    expect(await openSpotOf(page.locator('#go'))).toBeNull();
  });
});

async function openSpot(body: string): Promise<unknown> {
  await open(body);
  return await openSpotOf(visibleAt(page.mainFrame(), '#go'));
}

async function spotInFrame(): Promise<{ x: number; y: number } | null> {
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('The page has no frame.');
  await frame.locator('#go').waitFor();
  const [seen] = await locateElements(frame, [['#go']]);
  return seen instanceof Object ? seen.spot : null;
}

/** Presses the position of a button after the body has changed; returns the labels of all buttons then. */
async function pressedAfter(body: string, next: string | null, place = '#go'): Promise<string[]> {
  await open(body);
  const spot = await waitFor(() => openSpotOf(visibleAt(page.mainFrame(), place)), { what: `${place} to be open` });
  if (next !== null) await page.evaluate((html) => (document.body.innerHTML = html), next);
  await page.mouse.click(spot.x, spot.y);
  return await buttonsNow();
}

async function buttonsNow(): Promise<string[]> {
  return await page
    .locator('#go, #leave')
    .evaluateAll((all) =>
      all.map(
        (one) => `${one.id}: ${one instanceof HTMLInputElement ? (one.checked ? 'on' : 'off') : one.textContent}`,
      ),
    );
}
