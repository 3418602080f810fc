import { describe, expect, test } from '@jest/globals';
import { processesBelow } from './testing/bot-processes.ts';
import {
  audioDelayMs,
  matchParticipantFiles,
  names,
  participantFiles,
  room,
  sendAudioBot,
} from './testing/participant-audio-room.ts';
import { leave, storedIntegrity, suiteMeetings, untilStored } from './testing/suite-meetings.ts';

const meetings = suiteMeetings({ ...room, overlap: true });

describe('the sound of each participant', () => {
  test('of a meeting with one track per participant is a file each: their speech alone, at its time', async () => {
    // Four who interrupt each other, on three tracks.
    const meeting = await meetings.open({ ...room, overlap: true });
    const bot = await sendAudioBot(meeting, 'meet');
    await untilStored(meeting, 31_000);
    // One for the page: none for omnibox popups, none kept spare for another site.
    const processes = await processesBelow(bot.child.pid ?? 0);
    expect(processes.filter(({ kind }) => kind === 'renderer')).toHaveLength(1);
    await leave(meeting, bot);
    // A bot that records no video receives none.
    const log = (await meeting.log()).filter(({ who }) => who === 'Rapporteur');
    expect(log.flatMap(({ kind, text }) => (kind === 'picturesSent' ? [text] : []))).toEqual(['0']);
    expect(log.filter(({ kind }) => kind === 'joined')).toHaveLength(1);
    const own = participantFiles(meeting);
    expect(own.map(({ participant }) => [participant?.id, participant?.name])).toEqual(
      names.map((name, index) => [index + 1, name]),
    );
    const { durationMs } = meeting.scheduler.find('recording-stored')!;
    for (const found of await matchParticipantFiles(meeting, meetings.folder())) {
      expect(Math.abs(found.seconds * 1_000 - durationMs)).toBeLessThanOrEqual(1);
      expect(found.audibleShare).toBeGreaterThan(0.9);
      // Audio that the network delays is late in the mix, too.
      expect(found.strangeSeconds).toBeLessThan(0.4);
      expect(found.beginsOffMs).toBeLessThanOrEqual(500);
      // A participant after long silence is played before the receiver buffers again: early by the whole buffer, at
      // most.
      expect(found.beginsOffMs).toBeGreaterThanOrEqual(-audioDelayMs - 20);
      // The receiver buffers audio for longer on a busy machine, in the mix too.
      expect(Math.abs(found.endsOffMs)).toBeLessThanOrEqual(500);
    }
    const { participantAudio, files } = storedIntegrity(meeting);
    expect(participantAudio?.state).toBe('recorded');
    // Each of the room's tracks carries one participant at a time.
    expect(participantAudio?.sharedMs).toBeLessThan(300);
    expect(files.filter(({ kind }) => kind === 'participant_audio')).toEqual(
      own.map(({ kind, bytes, sha256, participant }) => ({ kind, bytes, sha256, participantId: participant?.id })),
    );
  }, 240_000);
});
