import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { barsImage, meanColours, waitFor } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { testInvocation } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';

const botName = 'Rapporteur';
const red = barsImage(['red'], 'png', '640x360');
const blue = barsImage(['blue'], 'webp', '360x640');
/** A PNG of 640x360 that is cut off after its first bytes. */
const broken = red.subarray(0, 40);

let meetings: SimulatedMeetings;
let images: Receiver;
let requested: string[];

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
}, 60_000);
afterEach(async () => {
  await images.close();
  await meetings.clear();
});
afterAll(() => meetings.stop());

/** The first image is behind a redirect. */
async function serveImages(): Promise<string> {
  requested = [];
  images = await startReceiver(({ path }, response) => {
    requested.push(path);
    if (path === '/first') response.writeHead(302, { location: '/red.png' }).end();
    else if (path === '/red.png') response.end(red);
    else if (path === '/second') response.end(blue);
    else response.end(broken);
  });
  return images.url;
}

/** Colours in the centre and at the left edge of the shown video. */
async function shownBy(meeting: SimulatedMeeting): Promise<{ middle: string; edge: string }> {
  const image = await meeting.seenFrom(botName);
  const parts = image === null ? [] : meanColours(image, 9, 3);
  const name = (index: number): string => {
    const { red: r = 0, green: g = 0, blue: b = 0 } = parts[index] ?? {};
    if (b > 150 && r < 90 && g < 90) return 'blue';
    return r < 60 && g < 60 && b < 60 ? 'dark' : 'other';
  };
  return { middle: name(13), edge: name(9) };
}

const untilShown = (meeting: SimulatedMeeting, wanted: { middle: string; edge: string }) =>
  waitFor(
    async () => {
      const shown = await shownBy(meeting);
      return shown.middle === wanted.middle && shown.edge === wanted.edge;
    },
    { what: `the bot to show ${wanted.middle}` },
  );

describe('a bot with images by what it does', () => {
  test('shows the first when it joins, the second while it records, and keeps it in a pause whose image is broken', async () => {
    const address = await serveImages();
    const meeting = await meetings.open({ speakers: 1 });
    const { storage, scheduler, room } = meeting;
    const { configuration } = testInvocation({ storage, busUrl: '', joinUrl: room.realUrl, simulator: null });
    const botId = crypto.randomUUID();
    const bot = await meeting.sendBot({
      botId,
      configuration: {
        ...configuration,
        bot_image: [`${address}/first`, `${address}/second`, `${address}/third`, `${address}/fourth`],
        bot_image_config: { loop_mode: 'bot_status', image_duration: 30 },
      },
    });
    // Taller than wide: centred on the background.
    await untilShown(meeting, { middle: 'blue', edge: 'dark' });
    await waitFor(() => meeting.storedMs() >= 1_000, { what: 'a recording' });
    const paused = await scheduler.command(botId, { kind: 'pause-recording', chatMessage: null });
    expect(paused.outcome).toBe('done');
    expect(await shownBy(meeting)).toEqual({ middle: 'blue', edge: 'dark' });
    scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);

    expect(requested.toSorted()).toEqual(['/first', '/red.png', '/second', '/third']);
    const log = await bot.log();
    expect(log.map(({ message }) => message)).toContain(
      'Image 3 of the bot is left out. The browser could not decode it.',
    );
    const shown = log.flatMap(({ message }) => /^The bot shows image (\d)/.exec(String(message))?.[1] ?? []);
    // While the bot joins, the image that loads first is shown.
    expect(shown.slice(-2)).toEqual(['1', '2']);
    expect(JSON.stringify(log.filter(({ level }) => level !== 'debug'))).not.toContain(`${address}/third`);
    const devices = (await meeting.log()).filter(({ who, kind }) => who === botName && /camera|microphone/.test(kind));
    expect(devices.map(({ kind }) => kind)).toEqual(['cameraOn']);
  }, 120_000);
});
