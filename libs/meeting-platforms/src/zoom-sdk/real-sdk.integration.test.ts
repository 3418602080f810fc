import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { Browser } from 'playwright-core';
import { launchTestBrowser } from '../testing/test-browser.ts';
import { createZoomSdkPlatform, meetingAddress, sdkOrigin, serveSdkPage } from './zoom-sdk-platform.ts';

let browser: Browser;

beforeAll(async () => {
  // No name resolves.
  browser = await launchTestBrowser('--host-resolver-rules=MAP * ~NOTFOUND');
}, 60_000);
afterAll(() => browser.close());

/** What the page has of the SDK; run inside the page. */
function sdkInPage(): { version: string; isolated: boolean; calls: string[] } {
  const { ZoomMtg: sdk } = globalThis as unknown as { ZoomMtg?: Record<string, unknown> };
  const names = ['preLoadWasm', 'prepareWebSDK', 'setZoomJSLib', 'init', 'join', 'inMeetingServiceListener'];
  const calls = [...names, 'mediaCapturePermission', 'mediaCapture'].filter(
    (name) => typeof sdk?.[name] === 'function',
  );
  return { version: typeof sdk, isolated: globalThis.crossOriginIsolated, calls };
}

/** Gets the SDK ready as the bot's page does, up to where it would call its service; run inside the page. */
async function initInPage(libraryAddress: string): Promise<string> {
  interface Sdk {
    setZoomJSLib(path: string, folder: string): void;
    preLoadWasm(): void;
    prepareWebSDK(): void;
    init(settings: object): void;
    inMeetingServiceListener(event: string, listener: () => void): void;
  }
  const { ZoomMtg: sdk } = globalThis as unknown as { ZoomMtg: Sdk };
  sdk.setZoomJSLib(libraryAddress, '/av');
  sdk.preLoadWasm();
  sdk.prepareWebSDK();
  return await new Promise<string>((resolve) => {
    setTimeout(resolve, 15_000, 'no response');
    sdk.init({
      leaveUrl: `${location.origin}/left`,
      patchJsMedia: true,
      disablePreview: true,
      success: () => resolve('success'),
      error: (given: unknown) => resolve(`error ${JSON.stringify(given)}`),
    });
    sdk.inMeetingServiceListener('onJoinSpeed', () => undefined);
  });
}

test('the real SDK of the pinned package loads from this machine alone, isolated, and gets ready to join', async () => {
  const page = await browser.newPage();
  const requested: string[] = [];
  const missing: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url());
  });
  await serveSdkPage(page, 'package');
  await page.goto(meetingAddress);
  const found = await waitFor(
    async () => {
      const inPage = await page.evaluate(sdkInPage);
      return inPage.calls.length > 0 && inPage;
    },
    { what: 'the SDK to be there' },
  );
  expect(found).toEqual({
    version: 'object',
    isolated: true,
    calls: [
      'preLoadWasm',
      'prepareWebSDK',
      'setZoomJSLib',
      'init',
      'join',
      'inMeetingServiceListener',
      'mediaCapturePermission',
      'mediaCapture',
    ],
  });
  const inited = await page.evaluate(initInPage, `${sdkOrigin}/sdk/lib`);
  const foreign = requested.filter((url) => !url.startsWith(sdkOrigin) && !/^(data|blob):/.test(url));
  expect({ inited, foreign, missing }).toEqual({ inited: 'success', foreign: [], missing: [] });
  await page.close();
}, 90_000);

test("a bot's visit gets the real SDK as far as its service, which is not there, and writes no token anywhere", async () => {
  const page = await browser.newPage();
  const foreign: string[] = [];
  const gaveUp = new AbortController();
  page.on('request', (request) => {
    if (request.url().startsWith(sdkOrigin) || /^(data|blob):/.test(request.url())) return;
    foreign.push(`${request.method()} ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    if (!request.url().startsWith(sdkOrigin)) gaveUp.abort(new Error('The service does not respond.'));
  });
  const platform = createZoomSdkPlatform({
    signature: () => 'eyJhbGciOiJIUzI1NiJ9.eyJhcHBLZXkiOiJrZXkifQ.canary',
    tokens: async () => ({ obf: 'obf-canary', zak: null }),
    source: 'package',
    recordingResponseMs: 1_000,
  });
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  const clock = { now: Date.now, sleep: (ms: number) => sleep(ms) };
  const session = await platform.prepare(page, { clock, log });
  const joining = session.join(
    { joinUrl: 'https://app.zoom.us/wc/12345678901/join?pwd=abc', botName: 'Rapporteur' },
    gaveUp.signal,
  );
  await expect(joining).rejects.toThrow('does not respond');
  const { steps, consoleTail } = await session.evidence();
  expect(steps.map(({ step }) => step)).toEqual(['joining', 'page-opened', 'name-typed', 'join-clicked']);
  expect(foreign).toEqual(['POST https://zoom.us/api/v1/wc/info']);
  expect(consoleTail.join('\n')).toContain('webim');
  expect(JSON.stringify({ steps, consoleTail })).not.toMatch(/canary|eyJ/);
  session.stop();
  await page.close();
}, 90_000);
