import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { Browser, Page } from 'playwright-core';
import { launchTestBrowser } from '../testing/test-browser.ts';
import { takeScreenshot } from './web-session.ts';
import { preparePainting } from './prepare-page.ts';
import type { PagePainting } from './prepare-page.ts';

const address = 'https://meeting.example/';
/** As strict as real pages are: no style that a script writes into the markup would be applied. */
const headers = { 'content-security-policy': "style-src 'nonce-none'" };
const frameAddress = `${address}frame`;
const places = { plain: [160, 90], closedRoot: [480, 90], frame: [160, 400] } as const;

let browser: Browser;

beforeAll(async () => {
  browser = await launchTestBrowser('--autoplay-policy=no-user-gesture-required');
}, 60_000);
afterAll(() => browser.close());

/** A page with a red video in its markup and one in a closed shadow root, and three animations. */
async function openPage(
  hides = 'video',
  by: 'visibility' | 'opacity' = 'visibility',
): Promise<{ page: Page; painting: PagePainting }> {
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  const painting = await preparePainting(page, { hides, by });
  const body = '<!doctype html><body></body>';
  await page.route(`${address}**`, (route) => route.fulfill({ contentType: 'text/html', headers, body }));
  await page.goto(address);
  await page.evaluate(addVideo, { x: 0, y: 0, closed: false });
  await page.evaluate(addVideo, { x: 320, y: 0, closed: true });
  return { page, painting };
}

async function addVideo({ x, y, closed }: { x: number; y: number; closed: boolean }): Promise<void> {
  const source = document.createElement('canvas');
  [source.width, source.height] = [320, 180];
  const brush = source.getContext('2d')!;
  let count = 0;
  setInterval(() => {
    count += 1;
    brush.fillStyle = `rgb(255, 0, ${count % 2})`;
    brush.fillRect(0, 0, 320, 180);
  }, 50);
  const video = document.createElement('video');
  Object.assign(video, { muted: true, width: 320, height: 180, srcObject: source.captureStream(20) });
  const host = document.createElement('div');
  Object.assign(host.style, { position: 'fixed', left: `${x}px`, top: `${y}px` });
  document.body.append(host);
  (closed ? host.attachShadow({ mode: 'closed' }) : host).append(video);
  await video.play();
}

/** Red, green and blue of a JPEG at those places, each from 0 to 255. */
async function coloursIn(jpeg: Buffer | null): Promise<Record<keyof typeof places, number[]>> {
  const page = await browser.newPage();
  const given = { base64: jpeg?.toString('base64') ?? '', places };
  const colours = await page.evaluate(async ({ base64, places: wanted }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const shownVideo = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const canvas = new OffscreenCanvas(shownVideo.width, shownVideo.height);
    const brush = canvas.getContext('2d')!;
    brush.drawImage(shownVideo, 0, 0);
    const at = ([x, y]: readonly [number, number]): number[] => [...brush.getImageData(x, y, 1, 1).data].slice(0, 3);
    return { plain: at(wanted.plain), closedRoot: at(wanted.closedRoot), frame: at(wanted.frame) };
  }, given);
  await page.close();
  return colours;
}

const isRed = ([red = 0, green = 0, blue = 0]: number[]): boolean => red > 200 && green < 60 && blue < 60;
const shows = async (page: Page) => {
  const { plain, closedRoot, frame } = await coloursIn(await takeScreenshot(page, 80));
  return { plain: isRed(plain), closedRoot: isRed(closedRoot), frame: isRed(frame) };
};

describe('a page in the background', () => {
  test.each(['visibility', 'opacity'] as const)(
    'paints no video by %s, wherever it is, and all of them for a screenshot and when it is to paint again',
    async (by) => {
      const { page, painting } = await openPage('video', by);
      expect(await shows(page)).toMatchObject({ plain: true, closedRoot: true });
      await painting.set(false);
      await page.evaluate(async (url) => {
        const frame = document.createElement('iframe');
        Object.assign(frame, { src: url, width: 320, height: 180 });
        Object.assign(frame.style, { position: 'fixed', left: '0px', top: '300px', border: '0' });
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.append(frame);
        await loaded;
      }, frameAddress);
      // A frame added later.
      await page.frame({ url: frameAddress })!.evaluate(addVideo, { x: 0, y: 0, closed: false });
      expect(await shows(page)).toEqual({ plain: false, closedRoot: false, frame: false });
      expect(await painting.during(() => shows(page))).toEqual({ plain: true, closedRoot: true, frame: true });
      await waitFor(async () => !(await shows(page)).frame, { what: 'nothing to be painted after the read' });
      await painting.set(true);
      expect(await shows(page)).toEqual({ plain: true, closedRoot: true, frame: true });
      await page.close();
    },
    60_000,
  );

  test('keeps the place and the size of its videos, which play on and give frames on request', async () => {
    const { page, painting } = await openPage();
    const facts = () =>
      page.evaluate(async () => {
        const video = document.querySelector('video')!;
        const { x, y, width, height } = video.getBoundingClientRect();
        const before = video.currentTime;
        for (let frames = 0; frames < 5; frames += 1)
          await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
        return { x, y, width, height, plays: video.currentTime > before, paused: video.paused };
      });
    const painted = await facts();
    await painting.set(false);
    expect(await facts()).toEqual(painted);
    expect(painted).toMatchObject({ width: 320, height: 180, plays: true });
    await page.close();
  }, 60_000);

  test('moves nothing that would move for ever, and ends what ends', async () => {
    const { page, painting } = await openPage('.none');
    await page.evaluate(() => {
      const animate = (iterations: number) => {
        const element = document.body.appendChild(document.createElement('div'));
        return element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300, iterations });
      };
      Object.assign(globalThis, { endless: animate(Infinity), ending: animate(2), animate });
    });
    await painting.set(false);
    const states = () =>
      page.evaluate(() => {
        const { endless, ending, later } = globalThis as unknown as Record<string, Animation | undefined>;
        return { endless: endless?.playState, ending: ending?.playState, later: later?.playState };
      });
    await waitFor(async () => (await states()).ending === 'finished', { what: 'the animation that ends' });
    await page.evaluate(() => {
      const { animate } = globalThis as unknown as { animate: (iterations: number) => Animation };
      Object.assign(globalThis, { later: animate(Infinity) });
    });
    await waitFor(async () => (await states()).later === 'paused', { what: 'the animation that came later' });
    expect(await states()).toEqual({ endless: 'paused', ending: 'finished', later: 'paused' });
    // With nothing hidden, all is painted.
    expect(await shows(page)).toMatchObject({ plain: true, closedRoot: true });
    await painting.set(true);
    expect(await states()).toEqual({ endless: 'running', ending: 'finished', later: 'running' });
    await page.close();
  }, 60_000);

  test('is read as it is when it does not respond', async () => {
    const { page, painting } = await openPage();
    await painting.set(false);
    const frozen = page.evaluate(() => {
      for (const until = performance.now() + 4_000; performance.now() < until;);
    });
    const beganAtMs = performance.now();
    await painting.during(async () => undefined);
    expect(performance.now() - beganAtMs).toBeLessThan(3_000);
    await frozen;
    await page.close();
  }, 60_000);
});
