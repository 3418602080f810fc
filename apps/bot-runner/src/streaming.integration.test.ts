import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { measureTone, readWav, tone, waitFor } from '@rapporteur/testbed';
import { testInvocation } from './testing/run-bot.ts';
import { loopSeconds, startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { Room, SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';
import { levelAt, startStreamReceiver, wavOf } from './testing/stream-receiver.ts';
import type { StreamReceiver } from './testing/stream-receiver.ts';

const rateHz = 16_000;
const blockBytes = (rateHz / 10) * 2;
/** Higher than speech and the room's beeps. */
const toneHertz = 3_100;
const toneMs = 1_500;

let meetings: SimulatedMeetings;
let receiver: StreamReceiver;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  receiver = await startStreamReceiver();
  // Renders the media of the participants once.
  await meetings.open();
  await meetings.clear();
}, 300_000);
afterAll(async () => {
  await receiver.stop();
  await meetings.stop();
});
afterEach(() => meetings.clear());

const configurationOf = ({ storage, room }: SimulatedMeeting, over: object) => ({
  ...testInvocation({ storage, busUrl: '', joinUrl: room.realUrl, simulator: null }).configuration,
  recording_mode: 'audio_only' as const,
  ...over,
});
const streaming_config = () => ({
  mode: 'audio' as const,
  output_url: receiver.outputUrl,
  input_url: receiver.inputUrl,
  audio_frequency: rateHz,
});
const untilTime = (untilMs: number) => waitFor(() => Date.now() >= untilMs, { what: 'some time to pass' });

describe('a bot that streams', () => {
  test('sends audio and speakers of the meeting, plays what it receives, is silent in a pause, and reconnects', async () => {
    const meeting = await meetings.open();
    const { scheduler, room } = meeting;
    const botId = crypto.randomUUID();
    const bot = await meeting.sendBot({
      botId,
      configuration: configurationOf(meeting, { streaming_config: streaming_config() }),
    });
    const blocks = (count: number) =>
      waitFor(() => receiver.audio.length >= count, { what: `${count} blocks of audio` });
    await blocks(10);
    const handshake = { protocol_version: 2, bot_id: botId, offset: 0, sample_rate: rateHz };
    expect([receiver.handshakes, receiver.replies]).toEqual([[handshake], [handshake]]);

    // The bot's own speech, in uneven parts, followed by a mark.
    const said = tone(toneHertz, toneMs, rateHz);
    for (let at = 0; at < said.length; at += 1_846) receiver.send(said.subarray(at, at + 1_846));
    receiver.send('{"type":"mark","name":"said"}');
    const sentAtMs = Date.now();
    await waitFor(() => receiver.replies.length > 1, { what: 'the mark to come back' });
    expect(receiver.replies[1]).toEqual({ type: 'mark', name: 'said' });
    expect(Date.now() - sentAtMs).toBeGreaterThan(toneMs - 100);
    const measured = await waitFor(
      async () => {
        const wav = await meeting.audioFrom('Rapporteur');
        const found = wav === null ? null : measureTone(readWav(wav));
        return found !== null && found.lengthMs >= toneMs - 20 ? found : null;
      },
      { what: 'the whole of it to arrive in the room' },
    );
    expect(Math.abs(measured.hertz - toneHertz)).toBeLessThan(30);

    await blocks(125);
    const untilPause = [...receiver.audio];
    await expectRightAudio(untilPause, meetings.folder);
    expect(speechRight(receiver, room, untilPause)).toBeGreaterThan(0.8);

    expect(await scheduler.command(botId, { kind: 'pause-recording', chatMessage: null })).toMatchObject({
      outcome: 'done',
    });
    // Audio from before the pause may still arrive.
    await untilTime(Date.now() + 600);
    const [before, reported] = [receiver.audio.length, receiver.speakers.length];
    await untilTime(Date.now() + 2_500);
    expect([receiver.audio.length, receiver.speakers.length]).toEqual([before, reported]);
    await scheduler.command(botId, { kind: 'resume-recording', chatMessage: null });
    await blocks(before + 10);

    receiver.cut();
    await waitFor(() => receiver.handshakes.length === 2, { what: 'another connection' });
    expect(receiver.handshakes[1]).toMatchObject({ bot_id: botId });
    expect(receiver.handshakes[1]?.['offset']).toBeGreaterThanOrEqual((before + 10) / 10);
    await blocks(receiver.audio.length + 5);
    scheduler.lease.leaveRequested = true;
    await waitFor(() => receiver.open === 0, { what: 'the streams to end' });
    expect(JSON.stringify(await bot.log())).not.toContain('secret');
  }, 150_000);

  test('does not join when its stream cannot be set up, and says why', async () => {
    const meeting = await meetings.open();
    const streaming = { ...streaming_config(), output_url: 'wss://10.0.0.1/stream', input_url: null };
    const bot = await meeting.sendBot({
      configuration: configurationOf(meeting, { streaming_config: streaming }),
    });
    expect(await bot.exited).toBe(0);
    const end = meeting.scheduler.find('attendance-ended')?.end;
    expect(end).toMatchObject({ code: 'STREAMING_SETUP_FAILED', recorded: false, joinedAt: null });
    expect(end?.message).toContain('streaming_config.output_url');
    expect(meeting.statuses()).toEqual([]);
    expect((await meeting.log()).filter(({ kind }) => kind === 'joinRequested')).toEqual([]);
  }, 60_000);
});

/** Complete blocks without a gap, the room's beep every second, and none of the bot's own speech. */
async function expectRightAudio(audio: StreamReceiver['audio'], folder: string): Promise<void> {
  expect(new Set(audio.map(({ pcm }) => pcm.length))).toEqual(new Set([blockBytes]));
  const tookMs = (audio.at(-1)?.atMs ?? 0) - (audio[0]?.atMs ?? 0);
  expect(Math.abs(tookMs - (audio.length - 1) * 100)).toBeLessThan(1_000);
  const file = join(folder, 'streamed.wav');
  const pcm = Buffer.concat(audio.map((block) => block.pcm));
  await writeFile(file, wavOf(pcm, rateHz));
  const { report, problems } = await checkRecording(file, { video: false, loopSeconds });
  expect(problems).toEqual([]);
  expect(report.beeps?.share).toBe(1);
  expect(Math.max(...audio.map((block) => levelAt(toneHertz, block.pcm, rateHz)))).toBeLessThan(0.05);
}

/** Delay of the audio at the bot: network, jitter buffer, playout. */
const audioDelayMs = 150;

/** Share of the speech time, by the room's schedule, in which the frames name the right participant. */
function speechRight({ speakers }: StreamReceiver, room: Room, audio: StreamReceiver['audio']): number {
  const turns: { readonly name: string; readonly startMs: number; endMs: number }[] = [];
  for (const { states } of speakers) {
    for (const { name, timestamp, isSpeaking } of states) {
      const open = turns.findLast((turn) => turn.name === name && turn.endMs === Infinity);
      if (isSpeaking && open === undefined) turns.push({ name, startMs: timestamp * 1_000, endMs: Infinity });
      else if (!isSpeaking && open !== undefined) open.endMs = timestamp * 1_000;
    }
  }
  let spoken = 0;
  let right = 0;
  for (let atMs = (audio[0]?.atMs ?? 0) + 500; atMs < (audio.at(-1)?.atMs ?? 0) - 500; atMs += 10) {
    const inLoopMs = (atMs - audioDelayMs - room.clockZero) % (loopSeconds * 1_000);
    const sentence = room.schedule.find(({ startMs, endMs }) => inLoopMs >= startMs && inLoopMs < endMs);
    if (sentence === undefined) continue;
    spoken += 1;
    const named = turns.filter(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);
    if (named.length === 1 && named[0]?.name === sentence.name) right += 1;
  }
  return right / spoken;
}
