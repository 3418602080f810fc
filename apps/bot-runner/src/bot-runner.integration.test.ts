import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { integrityReport } from '@rapporteur/contracts';
import type { IntegrityReport } from '@rapporteur/contracts';
import { captionLine } from '@rapporteur/speech-to-text';
import { waitFor } from '@rapporteur/testbed';
import { testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { Room, SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';
import { speechRight } from './testing/speech-right.ts';
import type { StubScheduler } from './testing/stub-scheduler.ts';
import type { StubStorage } from './testing/stub-storage.ts';
import { storedRecord } from './testing/stored-record.ts';

let meetings: SimulatedMeetings;
let meeting: SimulatedMeeting;
let storage: StubStorage;
let scheduler: StubScheduler;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  // Renders the media of the participants once.
  await meetings.open();
  await meetings.clear();
}, 300_000);
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());

async function openRoom(options: object = {}): Promise<Room> {
  meeting = await meetings.open(options);
  ({ storage, scheduler } = meeting);
  return meeting.room;
}

const sendBot = (more: Parameters<typeof testInvocation>[1] = {}): Promise<RunningBot> => meeting.sendBot(more);
const statuses = (): string[] => meeting.statuses();
const recording = () => statuses().includes('in_call_recording');
const storedMs = (): number => meeting.storedMs();
const readIntegrity = (): IntegrityReport =>
  integrityReport.parse(JSON.parse(String(storage.objects.get('artifacts/integrity.json'))));

async function probe(bytes: Buffer): Promise<{ seconds: number; streams: string[] }> {
  const file = join(meetings.folder, `${crypto.randomUUID()}.media`);
  await writeFile(file, bytes);
  const { stdout } = await promisify(execFile)('ffprobe', [
    '-v',
    'error',
    '-show_format',
    '-show_streams',
    '-of',
    'json',
    file,
  ]);
  const probed = JSON.parse(stdout) as { format: { duration: string }; streams: { codec_name: string }[] };
  return { seconds: Number(probed.format.duration), streams: probed.streams.map((stream) => stream.codec_name).sort() };
}

/** Whose captions were kept. */
const captionedSpeakers = ({ objects }: StubStorage): string[] => {
  const lines = String(objects.get('artifacts/captions.jsonl')).split('\n').filter(Boolean);
  const captions = lines.map((line) => captionLine.parse(JSON.parse(line)));
  return [...new Set(captions.flatMap(({ speaker, speaker_id: id }) => (id === null ? [] : [speaker])))];
};

describe('a bot in a simulated meeting', () => {
  test('records it and hands back video, sound, who spoke when, chat and an integrity report', async () => {
    const room = await openRoom();
    const configuration = {
      ...testInvocation({ storage, busUrl: '', joinUrl: room.realUrl, simulator: null }).configuration,
      entry_message: 'I am recording this meeting.',
      captions: { language: null },
    };
    const bot = await sendBot({ configuration });
    await waitFor(recording, { what: 'the recording to start' });
    await meeting.say('Alice Martin', 'Hello, bot!');
    storage.failWith = 503;
    await waitFor(
      async () => (await bot.log()).some((line) => String(line['message']).startsWith('An upload failed')),
      {
        what: 'an upload to fail',
      },
    );
    storage.failWith = null;
    await waitFor(() => storedMs() >= 12_000, { what: '12 s to be stored' });
    scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);

    expect(statuses()).toEqual(['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording']);
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

    const video = await probe(storage.objects.get('artifacts/video.mp4')!);
    expect(video.streams).toEqual(['aac', 'h264']);
    expect(Math.abs(video.seconds - stored!.durationMs / 1_000)).toBeLessThan(0.5);
    expect((await probe(storage.objects.get('artifacts/audio.flac')!)).streams).toEqual(['flac']);

    expect((await probe(storage.objects.get('artifacts/audio.m4a')!)).streams).toEqual(['aac']);
    expect((await probe(storage.objects.get('artifacts/poster.jpg')!)).streams).toEqual(['mjpeg']);

    // The files were written during the meeting, and the fragments are released.
    const integrity = readIntegrity();
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

    const startedAtMs = storedRecord(storage)?.startedAtMs ?? 0;
    expect(
      speechRight(String(storage.objects.get('artifacts/diarization.jsonl')), room, startedAtMs, stored!.durationMs),
    ).toBeGreaterThan(0.95);
  }, 120_000);

  test('without a lease it leaves the meeting, writes nothing more and ends with code 3', async () => {
    await openRoom();
    const bot = await sendBot();
    await waitFor(() => storedMs() >= 3_000, { what: '3 s to be stored' });
    scheduler.lease.held = false;
    expect(await bot.exited).toBe(3);
    expect(scheduler.find('attendance-ended')).toBeUndefined();
    expect([...storage.objects.keys()].some((key) => key.startsWith('artifacts/'))).toBe(false);
    expect(await meeting.log()).toContainEqual(expect.objectContaining({ kind: 'left', who: 'Rapporteur' }));
  }, 120_000);

  test('refused at the door, it says BOT_NOT_ACCEPTED and keeps what the page showed', async () => {
    await openRoom({ lobby: 'refuse' });
    const bot = await sendBot();
    expect(await bot.exited).toBe(0);
    expect(statuses()).toEqual(['joining_call', 'in_waiting_room']);
    expect(scheduler.find('attendance-ended')?.end).toMatchObject({
      code: 'BOT_NOT_ACCEPTED',
      recorded: false,
      evidence: { rule: 'denied-text' },
    });
    expect(storage.objects.get('evidence/0001/screenshot.png')?.length).toBeGreaterThan(1_000);
  }, 60_000);
});
