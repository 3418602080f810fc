import { describe, expect, test } from '@jest/globals';
import type { StreamingConfiguration } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { SessionSignal } from '@rapporteur/meeting-platforms';
import { OutboundFailure } from '@rapporteur/outbound-http';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { FakeReceiver, FakeSpeech, turnOf } from '../testing/fake-stream.ts';
import { createStreaming } from './streaming.ts';
import type { Streaming } from './streaming.ts';
import { withoutSecrets } from './stream-line.ts';

const outputUrl = 'wss://receiver.example/out?key=secret';
const inputUrl = 'wss://receiver.example/in';
const block = Buffer.alloc(4_800, 1);
const refusal = new OutboundFailure('address-refused', 'No public address.', 'test');
const unreachable = new OutboundFailure('connect', 'No connection could be opened to this address.', 'test');

class Scene {
  readonly clock = new FakeClock();
  readonly receiver = new FakeReceiver();
  readonly session = new FakeSpeech();
  readonly streaming: Streaming;

  constructor(over: Partial<StreamingConfiguration> = {}) {
    const configuration = {
      mode: 'audio',
      output_url: outputUrl,
      input_url: null,
      audio_frequency: 24_000,
      ...over,
    } as const;
    this.streaming = createStreaming(configuration, {
      botId: 'bot-1',
      outbound: this.receiver,
      session: this.session,
      clock: this.clock,
      logger: quietLogger,
      transcription: null,
    });
  }

  async ready() {
    const response = this.streaming.ready?.(new AbortController().signal);
    await this.clock.advance(0);
    return await response;
  }

  async start(): Promise<void> {
    await this.ready();
    this.streaming.joined?.();
    this.streaming.recordingStarted?.();
  }

  /** The receiver disconnects. */
  async lose(): Promise<void> {
    this.receiver.sockets.at(-1)?.end();
    await this.clock.advance(0);
  }

  signal(...signals: SessionSignal[]): void {
    for (const signal of signals) this.session.notify(signal);
  }

  audio(count = 1): void {
    for (let index = 0; index < count; index += 1) this.streaming.audioTap?.onAudio(block, 0);
  }
}

const handshake = { protocol_version: 2, bot_id: 'bot-1', offset: 0, sample_rate: 24_000 };

describe('sound that streams out', () => {
  test('begins with the handshake, then comes in frames as they are', async () => {
    const scene = new Scene();
    expect(await scene.ready()).toBeNull();
    scene.streaming.recordingStarted?.();
    scene.audio(2);
    const [socket] = scene.receiver.sockets;
    expect(scene.receiver.requested).toEqual([outputUrl]);
    expect(JSON.parse(String(socket?.sent[0]))).toEqual(handshake);
    expect(socket?.sent.slice(1)).toEqual([block, block]);
  });

  test('is dialled again after 1, 2, 4 s and so on, at most 60 s, sends its handshake again with its offset', async () => {
    const scene = new Scene();
    await scene.start();
    scene.audio(5);
    scene.receiver.refuseWith(unreachable);
    await scene.lose();
    const dialledAfter: number[] = [];
    let [lastMs, dialled] = [scene.clock.now(), scene.receiver.requested.length];
    while (dialledAfter.length < 8) {
      await scene.clock.advance(500);
      if (scene.receiver.requested.length === dialled) continue;
      dialled = scene.receiver.requested.length;
      dialledAfter.push(scene.clock.now() - lastMs);
      lastMs = scene.clock.now();
    }
    expect(dialledAfter).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    scene.audio(10);
    scene.receiver.refuseWith(null);
    await scene.clock.advance(60_000);
    // Messages from during the outage are not delivered late.
    expect(scene.receiver.sockets[1]?.sent.map(String)).toEqual([JSON.stringify({ ...handshake, offset: 1.5 })]);
    scene.audio();
    expect(scene.receiver.sockets[1]?.sent.at(-1)).toBe(block);
  });

  test('is dialled soon again when the connection before had held', async () => {
    const scene = new Scene();
    await scene.start();
    for (const count of [1, 2, 3]) {
      await scene.clock.advance(10_000);
      await scene.lose();
      await scene.clock.advance(1_000);
      expect(scene.receiver.requested).toHaveLength(count + 1);
    }
  });

  test('is dialled ever later when every connection is closed at once', async () => {
    const scene = new Scene();
    await scene.start();
    for (const seconds of [1, 2, 4, 8]) {
      await scene.lose();
      await scene.clock.advance(seconds * 1_000 - 1);
      const before = scene.receiver.requested.length;
      await scene.clock.advance(1);
      expect(scene.receiver.requested).toHaveLength(before + 1);
    }
  });

  test('says who speaks when that changes, and who just ended', async () => {
    const scene = new Scene();
    await scene.start();
    scene.signal(scene.session.appears('a', 'Alice'), scene.session.appears('b', 'Bruno'));
    const frames = () => scene.receiver.sockets[0]?.sent.slice(1).map((text) => JSON.parse(String(text)) as unknown);
    scene.signal(scene.session.speaks(turnOf(1, 'a', 1_000)), scene.session.speaks(turnOf(2, 'b', 2_500)));
    scene.signal(scene.session.ends(1, 3_250), scene.session.speaks(turnOf(3, null, 4_000)));
    const alice = { name: 'Alice', id: 1, timestamp: 1, isSpeaking: true };
    const bruno = { name: 'Bruno', id: 2, timestamp: 2.5, isSpeaking: true };
    expect(frames()).toEqual([
      [alice],
      [alice, bruno],
      [bruno, { ...alice, timestamp: 3.25, isSpeaking: false }],
      [bruno, { name: 'Unknown', id: null, timestamp: 4, isSpeaking: true }],
    ]);
  });

  test('says nothing of who speaks in a pause, and who does after it; what is tapped is left to the recorder', async () => {
    const scene = new Scene();
    await scene.start();
    scene.signal(scene.session.appears('a', 'Alice'));
    scene.streaming.recordingPaused?.();
    scene.signal(scene.session.speaks(turnOf(1, 'a', 1_000)));
    expect(scene.receiver.sockets[0]?.sent).toHaveLength(1);
    scene.streaming.recordingResumed?.();
    expect(scene.receiver.sockets[0]?.sent.map(String)[1]).toContain('"Alice"');
  });

  test('a new connection gets the current speakers at once', async () => {
    const scene = new Scene();
    await scene.start();
    scene.signal(scene.session.appears('a', 'Alice'), scene.session.speaks(turnOf(1, 'a', 1_000)));
    await scene.lose();
    await scene.clock.advance(1_000);
    expect(scene.receiver.sockets[1]?.sent).toHaveLength(2);
    expect(String(scene.receiver.sockets[1]?.sent[1])).toContain('"Alice"');
  });

  test('a receiver that does not keep up misses some, and nothing breaks', async () => {
    const scene = new Scene();
    await scene.start();
    scene.receiver.sockets[0]!.full = true;
    scene.audio(3);
    scene.receiver.sockets[0]!.full = false;
    scene.audio();
    expect(scene.receiver.sockets[0]?.sent).toHaveLength(2);
  });

  test('ends with the bot', async () => {
    const scene = new Scene();
    await scene.start();
    await scene.streaming.over?.();
    expect(scene.receiver.sockets[0]?.closed).toBe(true);
    await scene.clock.advance(120_000);
    expect(scene.receiver.requested).toHaveLength(1);
  });
});

describe('sound that streams in', () => {
  const speaking = { output_url: null, input_url: inputUrl };
  const second = Buffer.alloc(48_000);

  test('is played as it comes, from the moment the bot is in the call', async () => {
    const scene = new Scene(speaking);
    expect(scene.streaming.audioTap).toBeNull();
    await scene.ready();
    const [socket] = scene.receiver.sockets;
    expect(JSON.parse(String(socket?.sent[0]))).toEqual(handshake);
    socket?.receive(second);
    scene.streaming.joined?.();
    for (const bytes of [2, 480, 48_000]) socket?.receive(Buffer.alloc(bytes));
    expect(scene.session.played).toEqual([
      [2, 24_000],
      [480, 24_000],
      [48_000, 24_000],
    ]);
  });

  test('that is half a sample, or more than 30 s ahead, is left out and harms nothing', async () => {
    const scene = new Scene(speaking);
    await scene.start();
    const [socket] = scene.receiver.sockets;
    socket?.receive(Buffer.alloc(481));
    for (let index = 0; index < 40; index += 1) socket?.receive(second);
    expect(scene.session.played).toHaveLength(30);
    scene.session.receivedMs = 2_000;
    socket?.receive(second);
    expect(scene.session.played).toHaveLength(31);
  });

  test('has marks that come back when what was sent before them has been played', async () => {
    const scene = new Scene(speaking);
    await scene.start();
    const [socket] = scene.receiver.sockets;
    const marks = () => socket?.sent.slice(1).map((text) => JSON.parse(String(text)) as unknown);
    socket?.receive('{"type":"mark","name":"nothing before"}');
    socket?.receive(second);
    socket?.receive('{"type":"mark","name":"one"}');
    socket?.receive(second);
    socket?.receive('{"type":"mark","name":"two"}');
    expect(marks()).toEqual([{ type: 'mark', name: 'nothing before' }]);
    scene.session.receivedMs = 1_000;
    await scene.clock.advance(50);
    expect(marks()?.slice(1)).toEqual([{ type: 'mark', name: 'one' }]);
    scene.session.receivedMs = 2_000;
    await scene.clock.advance(50);
    expect(marks()?.slice(2)).toEqual([{ type: 'mark', name: 'two' }]);
  });

  test('is cut off by a clear, which sends the marks back as cleared', async () => {
    const scene = new Scene(speaking);
    await scene.start();
    const [socket] = scene.receiver.sockets;
    socket?.receive(second);
    socket?.receive('{"type":"mark","name":"never"}');
    socket?.receive('{"type":"clear"}');
    expect(scene.session.cleared).toBe(1);
    expect(JSON.parse(String(socket?.sent[1]))).toEqual({ type: 'mark', name: 'never', cleared: true });
  });

  test.each([
    'hello',
    '{"type":"fly"}',
    '[]',
    'null',
    '{"type":"mark"}',
    `{"type":"mark","name":"${'x'.repeat(5_000)}"}`,
  ])('a text such as %.20s is left out', async (text) => {
    const scene = new Scene(speaking);
    await scene.start();
    scene.receiver.sockets[0]?.receive(text);
    scene.receiver.sockets[0]?.receive(second);
    expect(scene.receiver.sockets[0]?.sent).toHaveLength(1);
    expect(scene.session.played).toHaveLength(1);
  });

  test('over the address that sound goes out to is one connection that goes both ways', async () => {
    const scene = new Scene({ input_url: outputUrl });
    await scene.start();
    expect(scene.receiver.requested).toEqual([outputUrl]);
    scene.receiver.sockets[0]?.receive(second);
    scene.audio();
    expect(scene.session.played).toHaveLength(1);
    expect(scene.receiver.sockets[0]?.sent.at(-1)).toBe(block);
  });
});

describe('a bot whose stream cannot be set up', () => {
  test('does not join when an address may not be called, and says which', async () => {
    const scene = new Scene({ input_url: inputUrl });
    scene.receiver.refuseWith(refusal, inputUrl);
    const end = await scene.ready();
    expect(end?.code).toBe('STREAMING_SETUP_FAILED');
    expect(end?.message).toContain('streaming_config.input_url');
    expect(end?.message).toContain('No public address.');
    expect(end?.message).not.toContain('secret');
    await scene.streaming.over?.();
  });

  test('does not join when the address itself is not acceptable', async () => {
    const scene = new Scene();
    scene.receiver.refuseWith(fail('VALIDATION', { message: 'The address must start with wss://.' }));
    expect((await scene.ready())?.message).toContain('must start with wss://');
  });

  test('does not join when there is no connection within 15 s', async () => {
    const scene = new Scene();
    scene.receiver.refuseWith(unreachable);
    const response = scene.streaming.ready?.(new AbortController().signal);
    await scene.clock.advance(0);
    await scene.clock.advance(14_999);
    expect(scene.receiver.requested).toHaveLength(4);
    await scene.clock.advance(1);
    expect((await response)?.message).toContain('No connection could be opened');
    await scene.streaming.over?.();
  });

  test('joins when a later try succeeds in time', async () => {
    const scene = new Scene();
    scene.receiver.refuseWith(unreachable);
    const response = scene.streaming.ready?.(new AbortController().signal);
    await scene.clock.advance(2_000);
    scene.receiver.refuseWith(null);
    await scene.clock.advance(2_000);
    expect(await response).toBeNull();
  });

  test('is not waited for when the bot leaves on request meanwhile', async () => {
    const scene = new Scene();
    scene.receiver.refuseWith(unreachable);
    const leaving = new AbortController();
    const response = scene.streaming.ready?.(leaving.signal);
    await scene.clock.advance(100);
    leaving.abort();
    expect(await response).toBeNull();
    await scene.streaming.over?.();
  });
});

test('no query and no user name of an address gets into a log', () => {
  expect(withoutSecrets('wss://user:word@a.example:8443/path?key=secret')).toBe('wss://a.example:8443/path');
  expect(withoutSecrets('nonsense')).toBe('not an address');
});
