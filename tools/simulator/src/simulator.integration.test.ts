import { findChromium } from '@rapporteur/local-stack/chromium';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { startSimulator } from './index.ts';
import type { Simulator } from './index.ts';
import { PAGE_PROBE } from './page-probe.ts';
import type { AudioSample, FrameSample, SyncSample } from './page-probe.ts';

type RoomResponse = {
  code: string;
  realUrl: string;
  clockZero: number;
  loopSeconds: number;
  framesPerSecond: number;
  participants: { name: string; audioStreamId: string; deviceId: string }[];
  schedule: { participantIndex: number; startMs: number; endMs: number; words: { word: string }[] }[];
  lobby: { name: string }[];
  attendees: { name: string; deviceId: string }[];
};
type LogResponse = { log: { at: number; kind: string; who: string | null; text?: string }[] };

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--allow-loopback-in-peer-connection',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];
const CONDITION_DEADLINE_MS = 120_000;
const POLL_MS = 100;

let folder: string;
let simulator: Simulator;
let browser: BrowserContext;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-test-'));
  simulator = await startSimulator({ dataFolder: join(folder, 'data') });
  browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: findChromium(),
    headless: false,
    args: [
      ...FLAGS,
      `--host-resolver-rules=${simulator.hostResolverRules}`,
      `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
    ],
  });
  await browser.addInitScript(PAGE_PROBE);
});

afterAll(async () => {
  await browser?.close();
  await simulator?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; response: T }> {
  const response = await fetch(`${simulator.controlUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, response: (await response.json()) as T };
}

async function eventually<T>(what: string, poll: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + CONDITION_DEADLINE_MS;
  for (;;) {
    const found = await poll();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${CONDITION_DEADLINE_MS} ms for this: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function requestJoin(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}?hl=en`);
  await page.locator('input[type="text"][aria-label="Your name"]').fill(name);
  await page.locator('button:has-text("Ask to join")').click();
}

async function openRoom(options: Record<string, unknown>): Promise<RoomResponse> {
  const { status, response: reply } = await call<RoomResponse>('POST', '/rooms', {
    participants: [
      { name: 'Ann Berg', sentences: ['The weather is very nice today.'] },
      { name: 'Ben Cole', sentences: ['We should go for a long walk.'] },
    ],
    loopSeconds: 8,
    meet: { audioStack: 'native' },
    ...options,
  });
  expect(status).toBe(201);
  return reply;
}

/** The fields that docs/guides/simulator.md lists for the response of a call. */
function namesInGuide(call: string): string[] {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/simulator.md'), 'utf8');
  const row = guide.split('\n').find((line) => line.startsWith(`| response of \`${call}\` |`)) ?? '';
  return [...row.split('|')[2]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!).toSorted();
}

const loopPositionMs = (room: RoomResponse, atMs: number) => (atMs - room.clockZero) % (room.loopSeconds * 1000);

/** Deviation in frames of a frame from its position by the room's clock, the short way round the loop. */
function framesLate(room: RoomResponse, sample: FrameSample): number {
  const frames = room.loopSeconds * room.framesPerSecond;
  const expected = Math.floor((loopPositionMs(room, sample.atMs) * room.framesPerSecond) / 1000);
  const late = (((expected - sample.counter) % frames) + frames) % frames;
  return late > frames / 2 ? late - frames : late;
}

describe('a browser that joins', () => {
  test('waits in the lobby, gets video, audio and chat of the room, chats, and is removed', async () => {
    const room = await openRoom({ lobby: 'wait' });
    expect(room.schedule[0]?.words.map((word) => word.word)).toEqual(['the', 'weather', 'is', 'very', 'nice', 'today']);
    const page = await browser.newPage();
    await requestJoin(page, room.realUrl, 'Test Bot');
    await page.getByText('Please wait until a meeting host brings you into the call').waitFor();
    await page.locator('[aria-label="Call controls"] [aria-label="Leave call"]').waitFor();
    const { response: waiting } = await call<RoomResponse>('GET', `/rooms/${room.code}`);
    expect(waiting.lobby.map((attendee) => attendee.name)).toEqual(['Test Bot']);
    await call('POST', `/rooms/${room.code}/admit`, { name: 'Test Bot' });

    await page.locator(`main [data-participant-id="${room.participants[0]?.deviceId}"] video`).waitFor();
    await seesTheFramesOnTime(page, room);
    await receivesEachParticipantOnTheirOwnSource(page, room);
    await getsTheRoster(page, room);
    await chats(page, room);

    await call('POST', `/rooms/${room.code}/participants/1/leave`, {});
    await page.locator(`[data-participant-id="${room.participants[1]?.deviceId}"]`).waitFor({ state: 'detached' });
    await call('POST', `/rooms/${room.code}/remove`, { name: 'Test Bot' });
    await page.locator('.roSPhc', { hasText: "You've been removed from the meeting" }).waitFor();
    const { response: reply } = await call<LogResponse>('GET', `/rooms/${room.code}/log`);
    const story = reply.log.filter((entry) => entry.who === 'Test Bot').map((entry) => entry.kind);
    const expected = ['joinRequested', 'admitted', 'joined', 'mediaConnected', 'chat', 'removed', 'picturesSent'];
    expect(story.filter((kind) => kind !== 'mediaLost')).toEqual(expected);
    await page.close();
  });

  async function seesTheFramesOnTime(page: Page, room: RoomResponse): Promise<void> {
    const read = async () => (await page.evaluate('probe.readFrames()')) as FrameSample[];
    // Meet's receivers change participants: for a moment both may have the same one.
    const first = await eventually('a picture of each participant can be read', async () => {
      const samples = await read();
      return samples.length === 2 && new Set(samples.map(({ participantIndex }) => participantIndex)).size === 2
        ? samples
        : null;
    });
    expect(first.map((sample) => sample.participantIndex).sort((one, other) => one - other)).toEqual([0, 1]);
    const later = await eventually('both pictures move', async () => {
      const samples = await read();
      return samples.length === 2 && samples.every((sample, index) => sample.counter !== first[index]?.counter)
        ? samples
        : null;
    });
    for (const sample of later)
      expect(Math.abs(framesLate(room, sample))).toBeLessThanOrEqual(room.framesPerSecond / 2);
  }

  async function receivesEachParticipantOnTheirOwnSource(page: Page, room: RoomResponse): Promise<void> {
    for (const [participantIndex, participant] of room.participants.entries()) {
      const received = await eventually(`audio of ${participant.name}`, async () => {
        const samples = (await page.evaluate('probe.readSources()')) as AudioSample[];
        return (
          samples.find((sample) => String(sample.source) === participant.audioStreamId && sample.level > 0.05) ?? null
        );
      });
      const atMs = loopPositionMs(room, received.atMs);
      const turns = room.schedule.filter((entry) => entry.participantIndex === participantIndex);
      expect(turns.some((turn) => turn.startMs - 100 < atMs && atMs < turn.endMs + 500)).toBe(true);
    }
    const sync = await eventually('flash and beep in video and audio', async () => {
      const sample = (await page.evaluate('probe.readSync()')) as SyncSample;
      return sample.flashesAtMs.length > 1 && sample.beepsAtMs.length > 1 ? sample : null;
    });
    const intoSecondMs = (times: number[]) => Math.min(...times.map((atMs) => (atMs - room.clockZero) % 1000));
    expect(Math.abs(intoSecondMs(sync.flashesAtMs) - intoSecondMs(sync.beepsAtMs))).toBeLessThan(150);
  }

  async function getsTheRoster(page: Page, room: RoomResponse): Promise<void> {
    const { response: reply } = await call<RoomResponse>('GET', `/rooms/${room.code}`);
    const payloads = (await page.evaluate('probe.collections')) as string[];
    const first = inflateSync(Buffer.from(payloads[0] ?? '', 'base64'));
    for (const participant of [...room.participants, ...reply.attendees]) {
      expect(first.includes(participant.name)).toBe(true);
      expect(first.includes(participant.deviceId)).toBe(true);
    }
    await page.locator('button[aria-label="People"]').click();
    const list = page.locator('[aria-label="Participants"][role="list"] [role="listitem"]');
    await list.filter({ hasText: 'Test Bot (You)' }).waitFor();
    expect(await list.count()).toBe(3);
  }

  async function chats(page: Page, room: RoomResponse): Promise<void> {
    await page.locator('button[aria-label^="Chat with everyone"]').click();
    await page.locator('textarea[aria-label="Send a message"]').fill('I am recording this.');
    await page.locator('button[jsname="SoqoBf"]').click();
    await page.locator('.chmVPb', { hasText: 'I am recording this.' }).waitFor();
    await call('POST', `/rooms/${room.code}/chat`, { from: 'Ann Berg', text: 'Welcome.' });
    const row = page.locator('.aops0b', { hasText: 'Welcome.' });
    await row.waitFor();
    expect(await row.locator('.poVWob').textContent()).toBe('Ann Berg');
    const { response: reply } = await call<LogResponse>('GET', `/rooms/${room.code}/log`);
    const said = reply.log.filter((entry) => entry.kind === 'chat').map((entry) => `${entry.who}: ${entry.text}`);
    expect(said).toEqual(['Test Bot: I am recording this.', 'Ann Berg: Welcome.']);
    await eventually('the chat message is in the collections channel', async () => {
      const payloads = (await page.evaluate('probe.collections')) as string[];
      return payloads.some((payload) => inflateSync(Buffer.from(payload, 'base64')).includes('Welcome.')) || null;
    });
  }

  test('gets video of another codec and another size where participants send such, and when they change it', async () => {
    const room = await openRoom({ videoCodec: 'h264' });
    const page = await browser.newPage();
    await requestJoin(page, room.realUrl, 'Test Bot');
    const come = (expected: string[]) =>
      eventually(`the pictures that come are ${expected.join()}`, async () => {
        const videoFrames = (await page.evaluate('probe.readPictures()')) as string[];
        return videoFrames.toSorted().join() === expected.join() || null;
      });
    await come(['video/H264 640', 'video/H264 640']);
    await seesTheFramesOnTime(page, room);
    const change = (fields: object) => call('POST', `/rooms/${room.code}/events`, { do: 'change-video', ...fields });
    expect((await change({ participant: 1, size: 'large' })).status).toBe(201);
    await come(['video/H264 1280', 'video/H264 640']);
    await change({ participant: 0, size: 'small', codec: 'vp8' });
    await come(['video/H264 1280', 'video/VP8 320']);
    await seesTheFramesOnTime(page, room);
    expect((await change({ participant: 7, size: 'large' })).status).toBe(409);
    const { response: reply } = await call<LogResponse>('GET', `/rooms/${room.code}/log`);
    const changes = reply.log.filter(({ kind }) => kind === 'pictureChanged').map(({ who, text }) => `${who}: ${text}`);
    expect(changes).toEqual(['Ben Cole: large', 'Ann Berg: vp8 small']);
    await page.close();
  });

  test('is blocked when no person made the click', async () => {
    const room = await openRoom({ lobby: 'admit' });
    const page = await browser.newPage();
    await page.goto(room.realUrl);
    await page.locator('input[aria-label="Your name"]').fill('Sneaky Bot');
    await page.locator('button:has-text("Ask to join")').dispatchEvent('click');
    await page.getByText("You can't join this video call").waitFor();
    await page.close();
  });

  test('is notified when it is refused, when the meeting ends, and when there is no such meeting', async () => {
    const room = await openRoom({ lobby: 'wait', lobbyShape: 'classic' });
    const page = await browser.newPage();
    await requestJoin(page, room.realUrl, 'Test Bot');
    await page.getByText('Please wait until a meeting host').waitFor();
    expect(await page.locator('[aria-label="Leave call"]').count()).toBe(0);
    await call('POST', `/rooms/${room.code}/refuse`, {});
    await page.getByText('Someone in the call denied your request to join').waitFor();
    await requestJoin(page, room.realUrl, 'Test Bot');
    await page.getByText('Please wait until a meeting host').waitFor();
    await call('POST', `/rooms/${room.code}/admit`, {});
    await page.locator('main video').first().waitFor();
    await call('POST', `/rooms/${room.code}/end`, {});
    await page.locator('.roSPhc', { hasText: 'Your host ended the meeting for everyone' }).waitFor();
    await page.goto(room.realUrl);
    await page.getByText('Check your meeting code').waitFor();
    await page.close();
  });
});

describe('a room of the lenient preset', () => {
  const logOf = async (room: RoomResponse) => (await call<LogResponse>('GET', `/rooms/${room.code}/log`)).response.log;
  const lenient = (options: object) => openRoom({ preset: 'lenient', lateness: 0.2, ...options });

  test('takes a click made by script on Meet, whose buttons are labelled as they read', async () => {
    const room = await lenient({ meet: { permissionSheet: true, participantsLabel: 'show-everyone' } });
    const page = await browser.newPage();
    await page.goto(`${room.realUrl}?hl=en`);
    await page.locator('button[aria-label="Use microphone and camera"]').dispatchEvent('click');
    await page.locator('input[aria-label="Your name"]').fill('Script Bot');
    await page.locator('button[aria-label="Ask to join"]').dispatchEvent('click');
    await page.locator('button[aria-label="Show everyone"]').waitFor();
    const [opened] = (await logOf(room)).filter(({ kind }) => kind === 'pageOpened');
    expect(opened?.text).toContain(`meet.google.com/${room.code}?hl=en by Mozilla`);
    await page.close();
  });

  test('leads a browser on Linux straight to the web client of Teams, and takes a click made by script', async () => {
    const room = await lenient({ platform: 'teams', meet: {}, teams: { lobbyButton: 'cancel' }, lobby: 'wait' });
    const page = await browser.newPage();
    await page.goto(room.realUrl);
    await page.locator('[data-tid="prejoin-display-name-input"]').fill('Script Bot');
    await page.locator('#prejoin-join-button').dispatchEvent('click');
    await page.locator('[data-tid="lobby-screen"] button:has-text("Cancel")').waitFor();
    await call('POST', `/rooms/${room.code}/admit`, {});
    await page.locator('#hangup-button').waitFor();
    expect(page.url()).toContain('/v2/');
    await page.close();
  });

  test('takes inserted text and a click made by script on Zoom, whose hidden footer still reads', async () => {
    const room = await lenient({ platform: 'zoom', meet: {} });
    const page = await browser.newPage();
    await page.goto(`https://zoom.us/wc/${room.code}/join?${new URL(room.realUrl).searchParams}`);
    await page.locator('#input-for-name').fill('Script Bot');
    await page.locator('button.preview-join-button:not(.disabled)').dispatchEvent('click');
    await page.locator('#wc-footer.hidden').waitFor();
    expect(await page.locator('#wc-footer').innerText()).toMatch(/^3 participants$/m);
    await page.close();
  });
});

describe('a room of the strict preset', () => {
  test('states in its log which input a page ignored, and why', async () => {
    const room = await openRoom({ platform: 'zoom', meet: {}, lateness: 0.2, zoom: { mediaPrompt: 'none' } });
    const page = await browser.newPage();
    await page.goto(`https://zoom.us/wc/${room.code}/join?${new URL(room.realUrl).searchParams}`);
    await page.locator('#input-for-name').fill('Script Bot');
    await page.locator('button.preview-join-button').dispatchEvent('click');
    const ignored = await eventually('the page says what it ignored', async () => {
      const { response: reply } = await call<LogResponse>('GET', `/rooms/${room.code}/log`);
      return reply.log.find(({ kind }) => kind === 'pressIgnored') ?? null;
    });
    expect(ignored.text).toBe('Join: the click was made by script');
    await page.close();
  });
});

describe('the launcher of Teams', () => {
  test.each([
    ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0.0.0', true],
    ['macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/150.0.0.0', true],
    ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0', false],
  ])('calls the app from a browser on %s: %s', async (_system, userAgent, calls) => {
    const room = await openRoom({ platform: 'teams', meet: {}, preset: 'lenient' });
    const { pathname, search } = new URL(room.realUrl);
    const page = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'teams.microsoft.com', accept: 'text/html', 'user-agent': userAgent };
      const options = { port: simulator.httpsPort, path: pathname + search, headers, rejectUnauthorized: false };
      get({ host: '127.0.0.1', ...options }, async (response) => resolve(await text(response))).on('error', reject);
    });
    expect(page.includes('msteams:')).toBe(calls);
  });
});

describe('the control API', () => {
  test('states with which arguments a Chromium reaches the sites, and which preset rooms have', async () => {
    const { response: reply } = await call<Record<string, unknown>>('GET', '/info');
    const rules = `--host-resolver-rules=${String(reply['hostResolverRules'])}`;
    expect(reply['chromiumArguments']).toEqual(expect.arrayContaining([rules, '--disable-quic']));
    expect(reply['preset']).toBe('strict');
    expect(Object.keys(reply).toSorted()).toEqual(namesInGuide('GET /info'));
  });

  test('returns for a new room the fields that the guide lists, no more and no less', async () => {
    const room = await openRoom({});
    expect(Object.keys(room).toSorted()).toEqual(namesInGuide('POST /rooms'));
  });

  test('names the wrong field, the missing room and the code that is taken', async () => {
    const wrong = await call<{ field: string }>('POST', '/rooms', { speakers: 'many' });
    expect([wrong.status, wrong.response.field]).toEqual([400, 'speakers']);
    const unknown = await call<{ field: string }>('POST', '/rooms', { guests: 2 });
    expect([unknown.status, unknown.response.field]).toEqual([400, 'guests']);
    expect((await call('GET', '/rooms/aaa-bbbb-ccc')).status).toBe(404);
    const room = await openRoom({ code: 'tak-enta-ken' });
    expect((await call('POST', '/rooms', { code: room.code })).status).toBe(409);
  });
});
