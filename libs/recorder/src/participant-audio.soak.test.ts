import { findChromium } from '@rapporteur/local-stack/chromium';
import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { finalizeRecording, mediaTimeOf, writeParticipantFile } from './index.ts';
import { participantsIn, participantTones, toneMs } from './testing/participant-room.page.ts';
import { chromiumFlags, participantRoom, untilRecorded } from './testing/record-scene.ts';
import type { RecordedScene } from './testing/record-scene.ts';
import { sceneBrowser } from './testing/scene-browser.ts';

// Real-time recordings of participants' audio; `npm test` checks one of a whole bot
// (apps/bot-runner/src/participant-audio).

const rate = 48_000;
const stepMs = 20;
const scenes = sceneBrowser(() => chromium.launch({ executablePath: findChromium(), args: chromiumFlags }));

async function record(more: { participantAudio?: boolean } = {}): Promise<RecordedScene> {
  return await scenes.open({
    mode: 'audio_only',
    room: participantRoom,
    scene: { secondTrackAfterMs: 3_500 },
    participantAudio: true,
    ...more,
  });
}

/** Amplitude of each participant's tone in each 20 ms of a file. */
async function tonesIn(path: string): Promise<number[][]> {
  const args = ['-v', 'error', '-i', path, '-ac', '1', '-ar', String(rate), '-f', 'f32le', '-'];
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 });
  const samples = new Float32Array(stdout.buffer, stdout.byteOffset, stdout.length / 4);
  const length = (rate * stepMs) / 1_000;
  return Array.from({ length: Math.floor(samples.length / length) }, (_, step) => {
    const window = samples.subarray(step * length, (step + 1) * length);
    return participantTones.map((tone) => {
      const part = (wave: (angle: number) => number): number =>
        window.reduce((sum, sample, index) => sum + sample * wave((2 * Math.PI * tone * index) / rate), 0);
      return (2 * Math.hypot(part(Math.cos), part(Math.sin))) / length;
    });
  });
}

/** Compares one participant's file with the room; in shares of 20 ms steps. */
async function judge(room: RecordedScene, startedAtMs: number) {
  const zeroMs = (await scenes.page.evaluate('rapporteurZeroMs')) as number;
  const { pauses } = room.recorder;
  const summary = await room.recorder.stop();
  const recording = await finalizeRecording({
    attempts: [{ init: room.init, fragments: room.fragments, startedAtMs, pauses }],
    workFolder: join(room.folder, 'artifacts'),
    ffmpegPath: 'ffmpeg',
    mode: 'audio_only',
    summaries: [summary],
  });
  const { recordedParticipants, durationMs, clock } = recording;
  /** The tones audible alone in their track at a media time; null near an edge of any. */
  const soundingAt = (mediaMs: number): number[] | null => {
    const pausedMs = pauses.reduce((sum, { startMs, endMs }) => {
      const isBefore = mediaTimeOf(startMs, clock) <= mediaMs;
      return sum + (isBefore ? (endMs ?? startMs) - startMs : 0);
    }, 0);
    if (pauses.some(({ startMs }) => Math.abs(mediaTimeOf(startMs, clock) - mediaMs) < 150)) return null;
    const roomMs = startedAtMs + mediaMs + pausedMs - zeroMs;
    const inSecond = roomMs % 1_000;
    // The second track starts late: from here on it is present.
    if (roomMs < 5_000) return null;
    if (inSecond < 150 || Math.abs(inSecond - toneMs) < 150 || inSecond > 900) return null;
    if (inSecond > toneMs) return [];
    return [0, 1].flatMap((track) => {
      const participants = participantsIn(track, Math.floor(roomMs / 1_000));
      return participants.length === 1 ? participants : [];
    });
  };
  const found = await Promise.all(
    participantTones.map(async (_tone, participant) => {
      const audioRuns = recordedParticipants.ownAudio.filter(
        ({ participantId }) => participantId === `p${participant}`,
      );
      const path = join(room.folder, `${participant}.ogg`);
      await writeParticipantFile({ path, audioRuns, recording: recordedParticipants });
      const steps = await tonesIn(path);
      let [said, audible, strange] = [0, 0, 0];
      steps.forEach((tones, index) => {
        const atMs = index * stepMs + stepMs / 2;
        const sounding = soundingAt(atMs);
        const isPast = atMs > durationMs - 300;
        if (sounding === null || isPast) return;
        const own = sounding.includes(participant);
        if (own) said += 1;
        if (own && (tones[participant] ?? 0) > 0.1) audible += 1;
        if (tones.some((level, other) => level > 0.02 && !(own && other === participant))) strange += 1;
      });
      return { said, audible, strange, seconds: (steps.length * stepMs) / 1_000 };
    }),
  );
  return { found, durationMs, integrity: recording.integrity, summary };
}

describe('people’s own sound, of tracks that pass from one to the other', () => {
  test('holds the speech of one participant each, in time, also of a late track', async () => {
    const room = await record();
    const { startedAtMs } = await room.recorder.start();
    await untilRecorded(room, 13_000);
    const { found, durationMs, integrity } = await judge(room, startedAtMs);
    for (const { said, audible, strange, seconds } of found) {
      expect(said).toBeGreaterThan(40);
      expect(audible / said).toBeGreaterThan(0.97);
      expect(strange).toBe(0);
      expect(Math.abs(seconds * 1_000 - durationMs)).toBeLessThanOrEqual(20);
    }
    expect(integrity.participantAudio.state).toBe('recorded');
    expect(integrity.participantAudio.sharedMs).toBeGreaterThan(1_000);
    expect(integrity.participantAudio.unownedMs).toBeLessThan(400);
  });

  test('stops in a pause like the mix', async () => {
    const room = await record();
    const { startedAtMs } = await room.recorder.start();
    await untilRecorded(room, 4_000);
    await room.recorder.pause();
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    await room.recorder.resume();
    await untilRecorded(room, 12_000);
    const { found } = await judge(room, startedAtMs);
    expect(found.map(({ strange }) => strange)).toEqual([0, 0, 0, 0]);
    for (const { said, audible } of found) expect(audible / said).toBeGreaterThan(0.95);
  });

  test('goes on in another engine when the first is lost', async () => {
    const room = await record();
    const { startedAtMs } = await room.recorder.start();
    await untilRecorded(room, 4_000);
    await room.recorder.release();
    await room.recorder.start();
    await untilRecorded(room, 14_000);
    const { found } = await judge(room, startedAtMs);
    expect(found.map(({ strange }) => strange)).toEqual([0, 0, 0, 0]);
    expect(found.map(({ audible }) => audible > 20)).toEqual([true, true, true, true]);
  });

  test('is not kept unless requested', async () => {
    const room = await record({ participantAudio: false });
    await room.recorder.start();
    await untilRecorded(room, 4_000);
    const { audioOwnersReported } = await room.recorder.stop();
    expect(audioOwnersReported).toBe(0);
  });
});
