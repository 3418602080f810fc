import { expect } from '@jest/globals';
import type { PlatformName } from '@rapporteur/simulator/platforms';
import { barsImage, measureTone, meanColours, readWav, tone, waitFor } from '@rapporteur/testbed';
import type { Colour } from '@rapporteur/testbed';
import type { HarnessRoom, PlatformHarness, RoomOptions } from '../conformance/harness.ts';

const botName = 'Rapporteur';
const both = { camera: true, microphone: true };

interface OutgoingCase {
  readonly room: RoomOptions;
  readonly image: { readonly format: 'png' | 'webp' | 'mjpeg'; readonly contentType: string };
  readonly rateHz: number;
}

/** Each platform with another image format, another rate of audio and a page that makes it harder. */
const cases: Readonly<Record<PlatformName, OutgoingCase>> = {
  meet: {
    room: {
      lobby: 'wait',
      variant: { lateness: 0.3, meet: { permissionSheet: true, toolbarHides: true, lobbyMutesAfterSeconds: 1 } },
    },
    image: { format: 'webp', contentType: 'image/webp' },
    rateHz: 16_000,
  },
  teams: {
    room: { variant: { lateness: 0.3, teams: { client: 'light', deviceWarning: 'none' } } },
    image: { format: 'mjpeg', contentType: 'image/jpeg' },
    rateHz: 24_000,
  },
  zoom: {
    room: { variant: { lateness: 0.3, zoom: { framed: true } } },
    image: { format: 'png', contentType: 'image/png' },
    rateHz: 48_000,
  },
};

/** A bot with a camera and a microphone shows and plays what it is given. Timed. */
export async function showsAndSays(harness: PlatformHarness, platform: keyof typeof cases): Promise<void> {
  const given = cases[platform];
  const room = await harness.openRoom(given.room);
  const { session, signals, close } = await harness.session(undefined, both);
  const video = {
    bytes: barsImage(['red', 'lime', 'blue'], given.image.format),
    contentType: given.image.contentType,
  };
  expect(await session.showImage(video)).toBe(true);
  const joining = session.join({ joinUrl: room.joinUrl, botName }, new AbortController().signal);
  if (given.room.lobby === 'wait') {
    await waitFor(async () => (await room.log()).some(({ kind }) => kind === 'cameraOff'), {
      what: 'the lobby to switch the camera off',
    });
    await room.admit();
  }
  expect(await joining).toMatchObject({ joined: true });
  await waitFor(async () => isBoth(await room.devicesOf(botName)), {
    what: 'both devices to be on',
  });

  await waitFor(async () => showsBars(await room.received(botName)), {
    what: 'the picture to arrive',
  });
  expect(await session.showImage({ bytes: Buffer.from('no picture'), contentType: 'image/png' })).toBe(false);
  await expectTone(room, async () => {
    session.playAudio(tone(440, 1_500, given.rateHz), given.rateHz);
    await waitFor(() => session.finishedAudioMs() >= 1_500, { what: 'the sound to be said' });
  });
  expect(showsBars(await room.received(botName))).toBe(true);

  session.playAudio(tone(440, 20_000, given.rateHz), given.rateHz);
  await waitFor(() => session.finishedAudioMs() > 1_700, { what: 'the second sound to begin' });
  session.clearAudio();
  expect(session.finishedAudioMs()).toBe(21_500);
  expect(signals.filter(({ kind }) => kind === 'ended')).toEqual([]);
  session.stop();
  await close();
  await room.close();
}

function isBoth(devices: { readonly camera: boolean; readonly microphone: boolean } | null): boolean {
  return devices !== null && devices.camera && devices.microphone;
}

/** Red, green and blue side by side, over the whole frame. */
function showsBars({ video }: { readonly video: Buffer | null }): boolean {
  if (video === null) return false;
  const parts = meanColours(video, 9, 3);
  return parts.every((colour, index) =>
    isMostly(colour, (['red', 'green', 'blue'] as const)[Math.floor((index % 9) / 3)]!),
  );
}

function isMostly(colour: Colour, wanted: keyof Colour): boolean {
  const others = (['red', 'green', 'blue'] as const).filter((name) => name !== wanted);
  return colour[wanted] > 150 && others.every((name) => colour[name] < 90);
}

/** Played audio arrives once, with its pitch and length, without a gap. */
async function expectTone(room: HarnessRoom, say: () => Promise<void>): Promise<void> {
  await say();
  const measured = await waitFor(
    async () => {
      const { audio } = await room.received(botName);
      const found = audio === null ? null : measureTone(readWav(audio));
      return found !== null && found.lengthMs >= 1_480 ? found : null;
    },
    { what: 'the whole sound to arrive' },
  );
  expect(measured.hertz).toBeGreaterThan(436);
  expect(measured.hertz).toBeLessThan(444);
  expect(measured.lengthMs).toBeLessThan(1_600);
  expect(measured.longestGapMs).toBe(0);
}
