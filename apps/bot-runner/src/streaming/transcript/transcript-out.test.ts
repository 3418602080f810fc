import { expect, test, describe } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { openCaptionSession } from '../open-streaming.ts';
import type { CaptionsListener } from '../../captions/captions.ts';
import { quietLogger } from '../../testing/quiet-logger.ts';
import { RepeatedWarnings } from '../repeated-warnings.ts';
import { SpeakerFrames } from '../speaker-frames.ts';
import { SpeechAttribution } from './speech-attribution.ts';
import { TranscriptOut, StreamTime } from './transcript-out.ts';

interface Sent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

test("the meeting's own captions are sent with their speakers, and the fallback follows when they end", async () => {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const opened: string[] = [];
  const listeners: CaptionsListener[] = [];
  const listen = (listener: CaptionsListener) => {
    listeners.push(listener);
    return () => undefined;
  };
  const engine = { region: null, address: '', apiKey: null, customParams: {} };
  const out = new TranscriptOut({
    botId: 'bot',
    transcription: { engines: ['meeting_captions', 'local'].map((provider) => ({ ...engine, provider })), extra: null },
    openSession: async ({ provider }, onEvent) => {
      opened.push(provider);
      return openCaptionSession({ listen }, onEvent, clock);
    },
    send: (message) => sent.push(JSON.parse(String(message)) as Sent) > 0,
    waitingBytes: () => 0,
    speakers: new SpeakerFrames(() => []),
    warnings: new RepeatedWarnings(clock, quietLogger),
    clock,
    logger: quietLogger,
  });
  out.connected();
  const speak = async (blocks: number): Promise<void> => {
    for (let block = 0; block < blocks; block += 1) {
      await clock.advance(100);
      out.audio(Buffer.alloc(3_200), clock.now() - 100);
    }
  };
  await speak(30);
  const atMs = clock.now();
  const about = { participantId: 'p', name: 'Ann', language: 'en-US', startMs: atMs - 1_500, endMs: atMs - 500 };
  listeners[0]?.segment({ id: 'a#1', text: 'good morning', isFinal: false, ...about });
  listeners[0]?.segment({ id: 'a#1', text: 'Good morning.', isFinal: true, ...about });
  await speak(20);
  const segments = sent.filter(({ event }) => event === 'transcript.segment').map(({ data }) => data);
  expect(segments.map(({ is_final, text }) => [is_final, text])).toEqual([
    [false, 'good morning'],
    [false, 'Good morning.'],
    [true, 'Good morning.'],
  ]);
  expect(segments.at(-1)).toMatchObject({
    provider: 'meeting_captions',
    confidence: null,
    speaker: { name: 'Ann', confidence: 1 },
    start: 1.5,
    end: 2.5,
    words: [{ word: 'Good', interpolated: true }, { word: 'morning.' }],
  });
  listeners[0]?.unavailable('none_received');
  await speak(3);
  expect(opened).toEqual(['meeting_captions', 'local']);
  expect(sent.find(({ event }) => event === 'error')?.data).toMatchObject({
    code: 'PROVIDER_REFUSED',
    retryable: true,
  });
  await out.finish();
});

test('a speaker who is only named is one participant, or one of several of that name', () => {
  const frames = new SpeakerFrames(() => []);
  const attribution = new SpeechAttribution(frames, () => 2_000);
  const participant = (id: string, name: string): Parameters<SpeakerFrames['note']>[0] => {
    const times = { present: true, appearedAtMs: 0, leftAtMs: null };
    const about = { id, name, avatarUrl: null, isSelf: false, isHost: false, ...times };
    return { kind: 'participant', change: 'appeared', atMs: 0, participant: about };
  };
  for (const [id, name] of Object.entries({ a: 'Ann', b: 'Ann', c: 'Ben' })) frames.note(participant(id, name));
  const said = (participantId: string | null, name: string) => {
    const turn = {
      turnId: 1,
      startMs: 1_000,
      endMs: 2_000,
      source: 'tiles',
      confidence: 1,
      participantId,
      name,
    } as const;
    attribution.onSignal({ kind: 'speaker', change: 'stopped', turn, atMs: 2_000 });
    return attribution.mostly({ startMs: 1_000, endMs: 2_000 }, null);
  };
  expect(said('b', 'Ann')).toEqual({ id: 2, name: 'Ann', confidence: 1 });
  expect(said(null, 'Ben')).toEqual({ id: 3, name: 'Ben', confidence: 1 });
  expect(said(null, 'Ann')).toEqual({ id: null, name: 'Ann', candidates: [1, 2], confidence: 1 });
  expect(attribution.certain({ id: null, name: 'Ann' })).toMatchObject({ id: null, candidates: [1, 2] });
});

describe('the time of streamed audio', () => {
  test('is that of the clock and of the recording, which stops in pauses and continues over lost pages', () => {
    const time = new StreamTime();
    for (let block = 0; block < 10; block += 1) time.add(50_000 + block * 100, 100);
    time.paused();
    time.add(70_000, 100);
    time.add(70_100, 100);
    // A page was lost for three seconds.
    time.add(73_200, 100);
    expect(time.positionMs).toBe(1_300);
    expect(time.at(450)).toEqual({ epochMs: 50_450, mediaMs: 450 });
    expect(time.at(1_050)).toEqual({ epochMs: 70_050, mediaMs: 1_050 });
    expect(time.at(1_250)).toEqual({ epochMs: 73_250, mediaMs: 4_250 });
  });

  test('does not follow the jitter of single blocks', () => {
    const time = new StreamTime();
    for (const startMs of [0, 130, 190, 310]) time.add(startMs, 100);
    expect(time.at(350)).toEqual({ epochMs: 350, mediaMs: 350 });
  });
});
