import { describe, expect, test } from '@jest/globals';
import {
  matchParticipantFiles,
  names,
  participantFiles,
  room,
  sendAudioBot,
} from './testing/participant-audio-room.ts';
import {
  configurationFor,
  finalizeAfterKill,
  leave,
  meetingOf,
  storedIntegrity,
  suiteMeetings,
  untilStored,
} from './testing/suite-meetings.ts';

// Complete bots that record for up to half a minute each.

const meetings = suiteMeetings({ ...room, overlap: true });

describe('the sound of each participant', () => {
  test('survives a kill but for the last seconds', async () => {
    const meeting = await meetings.open(room);
    const bot = await sendAudioBot(meeting, 'meet');
    await untilStored(meeting, 16_000);
    const killedAtMs = Date.now();
    await finalizeAfterKill(meeting, bot, {
      configuration: configurationFor(meeting, { recording_mode: 'audio_only' }),
      meeting: meetingOf(meeting, 'meet'),
    });
    const found = await matchParticipantFiles(meeting, meetings.folder());
    expect(found.map(({ name }) => name)).toEqual(names.slice(0, found.length));
    expect(found.length).toBeGreaterThanOrEqual(3);
    const lastAudibleMs = Math.max(...found.map(({ lastAudibleMs: atMs }) => atMs));
    const lastSpeechMs = Math.max(...found.map(({ lastSpeechBefore }) => lastSpeechBefore(killedAtMs - 5_000)));
    expect(lastAudibleMs).toBeGreaterThanOrEqual(lastSpeechMs - 200);
    for (const { strangeSeconds } of found) expect(strangeSeconds).toBeLessThan(0.4);
    expect(storedIntegrity(meeting).participantAudio).toEqual({ state: 'recorded', sharedMs: null, unownedMs: null });
  }, 240_000);

  test('is not there where the platform gives one mix of everybody, and the report says so', async () => {
    const meeting = await meetings.open({ platform: 'teams' });
    const bot = await sendAudioBot(meeting, 'teams');
    await untilStored(meeting, 6_000);
    await leave(meeting, bot);
    expect(participantFiles(meeting)).toEqual([]);
    expect(storedIntegrity(meeting).participantAudio?.state).toBe('not_offered');
  }, 180_000);

  test('is not kept where the deployment does not want it', async () => {
    const meeting = await meetings.open(room);
    const bot = await sendAudioBot(meeting, 'meet', { participantAudio: 'off' });
    await untilStored(meeting, 6_000);
    await leave(meeting, bot);
    expect(participantFiles(meeting)).toEqual([]);
    expect(storedIntegrity(meeting).participantAudio?.state).toBe('off');
  }, 180_000);
});
