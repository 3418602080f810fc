import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { processesBelow } from './testing/bot-processes.ts';
import type { RunningBot } from './testing/run-bot.ts';
import type { SimulatedMeeting } from './testing/simulated-meetings.ts';
import { speechRight } from './testing/speech-right.ts';
import { storedRecord } from './testing/stored-record.ts';
import { botEntries, configurationFor, leave, meetingOf, suiteMeetings } from './testing/suite-meetings.ts';

const meetings = suiteMeetings();

/** A bot that records the audio only. */
async function sendBot(meeting: SimulatedMeeting): Promise<RunningBot> {
  return await meeting.sendBot({
    configuration: configurationFor(meeting, {
      recording_mode: 'audio_only',
      entry_message: 'I am recording the audio.',
    }),
    meeting: meetingOf(meeting, 'teams'),
  });
}

describe('a bot that records the sound only', () => {
  test('is sent no picture in Teams; who speaks, who is there and the chat are as ever', async () => {
    const meeting = await meetings.open({ platform: 'teams' });
    const { scheduler, storage, room } = meeting;
    const bot = await sendBot(meeting);
    await waitFor(() => meeting.statuses().includes('in_call_recording'), {
      what: 'the recording to start',
    });
    await meeting.say('Alice Martin', 'Hello, bot!');
    await waitFor(() => meeting.storedMs() >= 14_000, { what: '14 s to be stored' });
    // One for the page: none for omnibox popups, none kept spare for another site.
    const processes = await processesBelow(bot.child.pid ?? 0);
    expect(processes.filter(({ kind }) => kind === 'renderer')).toHaveLength(1);
    await leave(meeting, bot);

    expect((await botEntries(meeting, 'picturesSent')).map(({ text }) => text)).toEqual(['0']);
    expect(await botEntries(meeting, 'joined')).toHaveLength(1);
    const stored = scheduler.find('recording-stored');
    expect(stored?.artifacts.map(({ kind }) => kind)).not.toContain('video');
    // The mix of all participants is not the audio of a single one.
    expect(stored?.artifacts.map(({ kind }) => kind)).not.toContain('participant_audio');
    expect(JSON.parse(String(storage.objects.get('artifacts/integrity.json')))).toMatchObject({
      participantAudio: { state: 'not_offered' },
    });
    expect(stored?.participants.map(({ name }) => name)).toEqual(['Alice Martin', 'Bruno Keller', 'Callum Reid']);
    const chat = JSON.parse(String(storage.objects.get('artifacts/chat_messages.json'))) as { text: string }[];
    expect(chat.map(({ text }) => text).toSorted()).toEqual(['Hello, bot!', 'I am recording the audio.']);
    const startedAtMs = storedRecord(storage)?.startedAtMs ?? 0;
    const diarization = String(storage.objects.get('artifacts/diarization.jsonl'));
    expect(speechRight(diarization, room, startedAtMs, stored!.durationMs)).toBeGreaterThan(0.9);
  }, 180_000);
});
