import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startSimulator } from '@rapporteur/simulator';
import type { Simulator } from '@rapporteur/simulator';
import { startOwnNats, waitFor } from '@rapporteur/testbed';
import type { OwnNats } from '@rapporteur/testbed';
import { runBot, testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { startStubScheduler } from './testing/stub-scheduler.ts';
import type { StubScheduler } from './testing/stub-scheduler.ts';
import { startStubStorage } from './testing/stub-storage.ts';
import type { StubStorage } from './testing/stub-storage.ts';

interface Room {
  readonly code: string;
  readonly realUrl: string;
  readonly clockZero: number;
  readonly schedule: readonly { readonly name: string; readonly startMs: number; readonly endMs: number }[];
}

/** Short, because the first room renders its media. */
const loopSeconds = 15;
let folder: string;
let simulator: Simulator;
let nats: OwnNats;
let storage: StubStorage;
let scheduler: StubScheduler;
const bots: RunningBot[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-runner-sim-'));
  simulator = await startSimulator({ dataFolder: folder });
  // Its own: other tests answer leases on the one they share.
  nats = await startOwnNats();
}, 60_000);

afterAll(async () => {
  await simulator.stop();
  await nats.remove();
  await rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  await Promise.all(bots.splice(0).map((bot) => bot.clear()));
  await scheduler.stop();
  await storage.stop();
});

async function control<T>(path: string, body: object = {}): Promise<T> {
  const response = await fetch(`${simulator.controlUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function openRoom(options: object = {}): Promise<Room> {
  storage = await startStubStorage();
  scheduler = await startStubScheduler(nats.url);
  return await control<Room>('/rooms', {
    speakers: 3,
    framesPerSecond: 10,
    loopSeconds,
    admitAfterMs: 300,
    ...options,
  });
}

async function sendBot(joinUrl: string, more: Parameters<typeof testInvocation>[1] = {}): Promise<RunningBot> {
  const { hostResolverRules, certificateSpki } = simulator;
  const facts = { storage, busUrl: nats.url, joinUrl, simulator: { hostResolverRules, certificateSpki } };
  const bot = await runBot(scheduler, testInvocation(facts, more));
  bots.push(bot);
  return bot;
}

const statuses = (): string[] => scheduler.reports.flatMap((report) => (report.kind === 'status' ? [report.code] : []));
const recording = () => statuses().includes('in_call_recording');
const storedMs = (attempt = 1): number => {
  const names = [...storage.objects.keys()].filter(
    (key) => key.startsWith(`segments/000${attempt}/`) && key.endsWith('.m4s'),
  );
  const last = names.sort().at(-1)?.replace('.m4s', '.json');
  return last === undefined ? 0 : (JSON.parse(String(storage.objects.get(last))) as { endMs: number }).endMs;
};

async function probe(bytes: Buffer): Promise<{ seconds: number; streams: string[] }> {
  const file = join(folder, `${crypto.randomUUID()}.media`);
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

describe('a bot in a simulated meeting', () => {
  test('records it and hands back video, sound, who spoke when, chat and an integrity report', async () => {
    const room = await openRoom();
    const configuration = {
      ...testInvocation({ storage, busUrl: nats.url, joinUrl: room.realUrl, simulator: null }).configuration,
      entry_message: 'I am recording this meeting.',
    };
    const bot = await sendBot(room.realUrl, { configuration });
    await waitFor(recording, { what: 'the recording to start', timeoutMs: 30_000 });
    await control(`/rooms/${room.code}/chat`, { from: 'Alice Martin', text: 'Hello, bot!' });
    storage.failWith = 503;
    await waitFor(
      async () => (await bot.log()).some((line) => String(line['message']).startsWith('An upload failed')),
      {
        what: 'an upload to fail',
      },
    );
    storage.failWith = null;
    await waitFor(() => storedMs() >= 12_000, { what: '12 s to be stored', timeoutMs: 40_000 });
    scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);

    expect(statuses()).toEqual(['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording']);
    expect(scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    const stored = scheduler.find('recording-stored');
    expect(stored?.artifacts.map(({ kind }) => kind).sort()).toEqual([
      'audio',
      'chat_messages',
      'diarization',
      'integrity',
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

    const startedAtMs = (
      JSON.parse(String(storage.objects.get('segments/0001/000001.json'))) as { startedAtMs: number }
    ).startedAtMs;
    expect(
      speechRight(String(storage.objects.get('artifacts/diarization.jsonl')), room, startedAtMs, stored!.durationMs),
    ).toBeGreaterThan(0.95);
  }, 120_000);

  test('a run killed in the middle loses nothing that was uploaded: a finalize run makes the artifacts', async () => {
    const room = await openRoom();
    const bot = await sendBot(room.realUrl);
    await waitFor(() => storedMs() >= 5_000, { what: '5 s to be stored', timeoutMs: 40_000 });
    bot.child.kill('SIGKILL');
    await bot.exited;
    const end = { code: 'FORCE_KILLED', message: 'Killed.', joinedAt: null, exitedAt: null, recorded: true };
    const finalizer = await sendBot(room.realUrl, { mode: 'finalize', attempt: 2, fencing: 2, attendanceEnd: end });
    expect(await finalizer.exited).toBe(0);
    const stored = scheduler.find('recording-stored');
    expect(stored?.attempt).toBe(2);
    expect(stored?.durationMs).toBeGreaterThanOrEqual(5_000);
    expect(stored?.participants).toHaveLength(3);
    expect((await probe(storage.objects.get('artifacts/video.mp4')!)).streams).toEqual(['aac', 'h264']);
  }, 120_000);

  test('told to stop, it leaves, saves what it has and says so, within 25 s', async () => {
    const room = await openRoom();
    const bot = await sendBot(room.realUrl);
    await waitFor(() => storedMs() >= 5_000, { what: '5 s to be stored', timeoutMs: 40_000 });
    const toldAtMs = performance.now();
    bot.child.kill('SIGTERM');
    expect(await bot.exited).toBe(0);
    expect(performance.now() - toldAtMs).toBeLessThan(25_000);
    expect(scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'SIGTERM', recorded: true });
    expect(scheduler.find('recording-stored')).toBeDefined();
  }, 120_000);

  test('without a lease it leaves the meeting, writes nothing more and ends with code 3', async () => {
    const room = await openRoom();
    const bot = await sendBot(room.realUrl);
    await waitFor(() => storedMs() >= 3_000, { what: '3 s to be stored', timeoutMs: 40_000 });
    scheduler.lease.held = false;
    expect(await bot.exited).toBe(3);
    expect(scheduler.find('attendance-ended')).toBeUndefined();
    expect([...storage.objects.keys()].some((key) => key.startsWith('artifacts/'))).toBe(false);
    const { log } = (await (await fetch(`${simulator.controlUrl}/rooms/${room.code}/log`)).json()) as {
      log: { kind: string; who: string }[];
    };
    expect(log).toContainEqual(expect.objectContaining({ kind: 'left', who: 'Rapporteur' }));
  }, 120_000);

  test('refused at the door, it says BOT_NOT_ACCEPTED and keeps what the page showed', async () => {
    const room = await openRoom({ lobby: 'refuse' });
    const bot = await sendBot(room.realUrl);
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

/** How late sound comes to the bot, and so into the recording: way, jitter buffer, playing out. */
const soundDelayMs = 150;

/** Share of the speech time, by the room's own schedule, in which the diarization names the right person. */
function speechRight(diarization: string, room: Room, startedAtMs: number, durationMs: number): number {
  const turns = diarization
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { speaker: string; start_time: number; end_time: number });
  let spoken = 0;
  let right = 0;
  for (let mediaMs = 0; mediaMs < durationMs; mediaMs += 10) {
    const inLoopMs = (startedAtMs + mediaMs - soundDelayMs - room.clockZero) % (loopSeconds * 1_000);
    const sentence = room.schedule.find((entry) => inLoopMs >= entry.startMs && inLoopMs < entry.endMs);
    if (sentence === undefined) continue;
    spoken += 1;
    const said = turns.filter((turn) => mediaMs >= turn.start_time * 1_000 && mediaMs < turn.end_time * 1_000);
    if (said.length === 1 && said[0]?.speaker === sentence.name) right += 1;
  }
  return right / spoken;
}
