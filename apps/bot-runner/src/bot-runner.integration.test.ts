import { describe, expect, test } from '@jest/globals';
import { captionLine } from '@rapporteur/speech-to-text';
import { waitFor } from '@rapporteur/testbed';
import { speechRight } from './testing/speech-right.ts';
import type { StubStorage } from './testing/stub-storage.ts';
import { probeMedia } from './testing/probe-media.ts';
import {
  configurationFor,
  leave,
  recordingStartedAtMs,
  storedIntegrity,
  suiteMeetings,
  untilStored,
} from './testing/suite-meetings.ts';

const meetings = suiteMeetings();

/** Whose captions were kept. */
const captionedSpeakers = ({ objects }: StubStorage): string[] => {
  const lines = String(objects.get('artifacts/captions.jsonl')).split('\n').filter(Boolean);
  const captions = lines.map((line) => captionLine.parse(JSON.parse(line)));
  return [...new Set(captions.flatMap(({ speaker, speaker_id: id }) => (id === null ? [] : [speaker])))];
};

describe('a bot in a simulated meeting', () => {
  test('records it and hands back video, sound, who spoke when, chat and an integrity report', async () => {
    const meeting = await meetings.open();
    const { storage, scheduler, room } = meeting;
    const configuration = configurationFor(meeting, {
      entry_message: 'I am recording this meeting.',
      captions: { language: null },
    });
    const bot = await meeting.sendBot({ configuration });
    await waitFor(() => meeting.statuses().includes('in_call_recording'), { what: 'the recording to start' });
    await meeting.say('Alice Martin', 'Hello, bot!');
    storage.failWith = 503;
    await waitFor(
      async () => (await bot.log()).some((line) => String(line['message']).startsWith('An upload failed')),
      {
        what: 'an upload to fail',
      },
    );
    storage.failWith = null;
    await untilStored(meeting, 12_000);
    await leave(meeting, bot);

    expect(meeting.statuses()).toEqual([
      'joining_call',
      'in_waiting_room',
      'in_call_not_recording',
      'in_call_recording',
    ]);
    expect(scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    const stored = scheduler.find('recording-stored');
    expect(stored?.artifacts.map(({ kind }) => kind).sort()).toEqual([
      'audio',
      'audio_m4a',
      'captions',
      'chat_messages',
      'diarization',
      'integrity',
      ...[1, 2, 3].map(() => 'participant_audio'),
      'participants_file',
      'poster',
      'video',
    ]);
    expect(stored?.participants).toMatchObject([
      { id: 1, name: 'Alice Martin' },
      { id: 2, name: 'Bruno Keller' },
      { id: 3, name: 'Callum Reid' },
    ]);
    for (const { key, bytes } of stored?.artifacts ?? []) expect(storage.objects.get(key)?.length).toBe(bytes);

    const video = await probeMedia(storage.objects.get('artifacts/video.mp4')!, meetings.folder());
    expect(video.streams).toEqual(['aac', 'h264']);
    expect(Math.abs(video.seconds - stored!.durationMs / 1_000)).toBeLessThan(0.5);
    expect((await probeMedia(storage.objects.get('artifacts/audio.flac')!, meetings.folder())).streams).toEqual([
      'flac',
    ]);

    expect((await probeMedia(storage.objects.get('artifacts/audio.m4a')!, meetings.folder())).streams).toEqual(['aac']);
    expect((await probeMedia(storage.objects.get('artifacts/poster.jpg')!, meetings.folder())).streams).toEqual([
      'mjpeg',
    ]);

    // The files were written during the meeting, and the fragments are released.
    const integrity = storedIntegrity(meeting);
    expect(integrity).toMatchObject({ resourceUsage: { filesMade: 'in_call' }, gaps: [], framesSkippedByRateLimit: 0 });
    expect(integrity.files).toEqual(
      stored?.artifacts
        .filter(({ kind }) => kind !== 'integrity')
        .map(({ kind, bytes, sha256, participant }) => ({
          kind,
          bytes,
          sha256,
          ...(participant ? { participantId: participant.id } : {}),
        })),
    );
    const { runs, cpuMs, peakMemoryBytes, uploadedBytes, uploadRequests, uploads, artifactBytes } =
      integrity.resourceUsage;
    const used = { cpuMs, peakMemoryBytes, uploadedBytes, uploadRequests, uploads };
    expect(runs).toEqual([{ attempt: 1, complete: true, ...used }]);
    // Each file is stored once.
    for (const { kind, bytes } of integrity.files)
      if (kind === 'video' || kind === 'audio' || kind === 'audio_m4a') expect(uploads?.[kind]?.bytes).toBe(bytes);
    // The usage includes a browser.
    expect(cpuMs).toBeGreaterThan(2_000);
    expect(peakMemoryBytes).toBeGreaterThan(150_000_000);
    expect(uploadedBytes).toBeGreaterThan(artifactBytes);
    expect(storage.released).toBe(true);

    const chat = JSON.parse(String(storage.objects.get('artifacts/chat_messages.json'))) as {
      sender_name: string;
      sender_id: number | null;
      text: string;
    }[];
    expect(chat).toContainEqual(
      expect.objectContaining({ sender_name: 'Alice Martin', sender_id: 1, text: 'Hello, bot!' }),
    );
    expect(chat).toContainEqual(
      expect.objectContaining({ sender_name: 'Rapporteur', sender_id: null, text: 'I am recording this meeting.' }),
    );

    expect(scheduler.find('captions-status')).toMatchObject({ available: true, reason: null });
    expect(captionedSpeakers(storage).length).toBeGreaterThan(0);

    // Who was present from the beginning to the end, and who spoke.
    expect(JSON.parse(String(storage.objects.get('artifacts/participants.json')))).toEqual(
      stored?.participants.map((attendee) => ({
        ...attendee,
        spoke: stored.speakers.some(({ id }) => id === attendee.id),
        present: [{ start_time: 0, end_time: stored.durationMs / 1_000 }],
      })),
    );

    const startedAtMs = recordingStartedAtMs(meeting);
    expect(
      speechRight(String(storage.objects.get('artifacts/diarization.jsonl')), room, startedAtMs, stored!.durationMs),
    ).toBeGreaterThan(0.95);
  }, 120_000);
});
