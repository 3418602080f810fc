import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { Browser, Page } from 'playwright-core';
import { launchTestBrowser } from '../testing/test-browser.ts';
import { prepareRefusal } from './prepare-page.ts';
import type { RefusedVideo } from './prepare-page.ts';

const address = 'https://meeting.example/';
let browser: Browser;

beforeAll(async () => {
  browser = await launchTestBrowser(
    '--allow-loopback-in-peer-connection',
    '--disable-features=WebRtcHideLocalIpsWithMdns',
  );
}, 60_000);
afterAll(() => browser.close());

const clock = { now: () => Date.now(), sleep: async () => undefined };
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** The page has RTCPeerConnection for itself, and the browser's own as `Server` for the remote side. */
async function openPage(): Promise<{ page: Page; refusal: RefusedVideo }> {
  const page = await browser.newPage();
  await page.addInitScript(() => Object.assign(globalThis, { Server: RTCPeerConnection }));
  const refusal = await prepareRefusal(page, { clock, log });
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(address);
  return { page, refusal };
}

/** The lines of a description: kind and direction. */
const lines = (sdp: string): string[] =>
  sdp
    .split('\r\nm=')
    .slice(1)
    .map((part) => `${part.split(' ')[0]} ${/\r\na=(sendrecv|sendonly|recvonly|inactive)/.exec(part)?.[1] ?? ''}`);

describe('a page whose connections refuse pictures', () => {
  test('answers that it receives none, keeps every line, and comes up with the sound', async () => {
    const { page, refusal } = await openPage();
    const { offer, response } = await page.evaluate(async () => {
      const { Server } = globalThis as unknown as { Server: typeof RTCPeerConnection };
      const server = new Server();
      const own = new RTCPeerConnection();
      Object.assign(globalThis, { server, own });
      server.onicecandidate = ({ candidate }) => void (candidate && own.addIceCandidate(candidate));
      own.onicecandidate = ({ candidate }) => void (candidate && server.addIceCandidate(candidate));
      server.addTransceiver('audio', { direction: 'sendonly' });
      server.addTransceiver('video', { direction: 'sendonly' });
      // The place for the bot's own camera.
      server.addTransceiver('video', { direction: 'recvonly' });
      await server.setLocalDescription();
      await own.setRemoteDescription(server.localDescription!);
      own.getTransceivers()[2]!.direction = 'sendrecv';
      const made = await own.createAnswer();
      await own.setLocalDescription(made);
      await server.setRemoteDescription(made);
      return { offer: server.localDescription!.sdp, response: made.sdp! };
    });
    expect(lines(offer)).toEqual(['audio sendonly', 'video sendonly', 'video recvonly']);
    expect(lines(response)).toEqual(['audio recvonly', 'video inactive', 'video sendonly']);
    await waitFor(
      () =>
        page.evaluate(() => (globalThis as unknown as { own: RTCPeerConnection }).own.connectionState === 'connected'),
      {
        what: 'the connection',
      },
    );
    await waitFor(() => refusal.ineffectiveSinceMs === null, { what: 'the page to say so' });
    await page.close();
  }, 60_000);

  test.each([
    ['by lines of its own', { transceivers: true }],
    ['the legacy option of the offer', { transceivers: false }],
  ])(
    'offers none, asked for %s',
    async (_how, given) => {
      const { page } = await openPage();
      const [created, implied] = await page.evaluate(async ({ transceivers }) => {
        const make = (): RTCPeerConnection => {
          const connection = new RTCPeerConnection();
          if (transceivers) {
            connection.addTransceiver('audio', { direction: 'recvonly' });
            connection.addTransceiver('video', { direction: 'recvonly' });
          }
          return connection;
        };
        const options = transceivers ? {} : { offerToReceiveAudio: true, offerToReceiveVideo: true };
        const offer = await make().createOffer(options);
        const other = make();
        if (!transceivers) await other.setLocalDescription(await other.createOffer(options));
        else await other.setLocalDescription();
        return [offer.sdp!, other.localDescription!.sdp];
      }, given);
      expect(lines(created!).toSorted()).toEqual(['audio recvonly', 'video inactive']);
      expect(lines(implied!).toSorted()).toEqual(['audio recvonly', 'video inactive']);
      await page.close();
    },
    60_000,
  );

  test('says since when its call does not come up, until the page gives that call up', async () => {
    const { page, refusal } = await openPage();
    expect(refusal.ineffectiveSinceMs).toBeNull();
    await page.evaluate(async () => {
      const own = new RTCPeerConnection();
      Object.assign(globalThis, { own });
      own.addTransceiver('video', { direction: 'recvonly' });
      await own.setLocalDescription();
    });
    await waitFor(() => refusal.ineffectiveSinceMs !== null, { what: 'the page to say so' });
    await page.evaluate(() => (globalThis as unknown as { own: RTCPeerConnection }).own.close());
    await waitFor(() => refusal.ineffectiveSinceMs === null, { what: 'the page to take it back' });
    await page.close();
  }, 60_000);
});
