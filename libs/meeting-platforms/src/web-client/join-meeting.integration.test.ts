import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { SessionClock } from '../platform.ts';
import { SessionJournal } from '../session-journal.ts';
import { launchTestBrowser } from '../testing/test-browser.ts';
import type { DeviceButtons } from './device-buttons.ts';
import { joinMeeting } from './join-meeting.ts';
import type { PageClient } from './page-client.ts';
import type { PageSnapshot } from './page-state.ts';
import { PageDriver, PageInput } from './page-driver.ts';

let browser: Browser;
let server: Server;
let requested: () => void;
const isRequested = new Promise<void>((resolve) => (requested = resolve));

beforeAll(async () => {
  browser = await launchTestBrowser();
  server = createServer(() => requested());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}, 60_000);
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

// The simulator can't crash a page that is not loaded, and the runner replaces a lost page.
test('a page that is lost while it opens is reported as lost, and not as a site that does not respond', async () => {
  const page = await browser.newPage();
  const joinUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = { openAddress: (url: string) => url, longestName: 60 } as PageClient<PageSnapshot>;
  const clock: SessionClock = {
    now: () => Date.now(),
    sleep: async (ms, signal) => await sleep(ms, undefined, { signal }),
  };
  const driver = new PageDriver(
    page,
    client,
    {} as PageDriver<PageSnapshot>['devices'],
    new PageInput(page, () => undefined),
  );
  const journal = new SessionJournal({ warn: () => undefined } as never, () => clock.now());
  const context = { driver, journal, clock, devices: {} as DeviceButtons<PageSnapshot> };
  const joining = joinMeeting(context, { joinUrl, botName: 'Bot' } as never, AbortSignal.timeout(20_000));
  await isRequested;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
  expect(await joining).toMatchObject({ joined: false, end: { reason: 'page-crashed', rule: 'page-gone' } });
});
