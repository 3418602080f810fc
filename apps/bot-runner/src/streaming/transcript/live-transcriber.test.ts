import { describe, expect, test } from '@jest/globals';
import type { LiveEngine } from '@rapporteur/contracts';
import { FakeClock } from '@rapporteur/async/testing';
import { SpeechToTextFailure } from '@rapporteur/speech-to-text';
import type { LiveEvent, LiveSession, SpeechToTextFailureKind } from '@rapporteur/speech-to-text';
import { quietLogger } from '../../testing/quiet-logger.ts';
import { LiveTranscriber } from './live-transcriber.ts';
import type { TranscribedUtterance, TranscriptionProblem } from './live-transcriber.ts';

const engine = (provider: string): LiveEngine => ({
  provider,
  region: null,
  address: '',
  apiKey: null,
  customParams: {},
});

class FakeSession implements LiveSession {
  readonly engine: string;
  readonly onEvent: (event: LiveEvent) => void;
  /** Number of each block. */
  readonly received: number[] = [];
  readonly #ended = Promise.withResolvers<SpeechToTextFailure | null>();
  readonly ended = this.#ended.promise;
  isFull = false;

  constructor(name: string, onEvent: (event: LiveEvent) => void) {
    this.engine = name;
    this.onEvent = onEvent;
  }

  send(pcm: Buffer): boolean {
    if (this.isFull) return false;
    this.received.push(pcm.readUInt32LE(0));
    return true;
  }

  async finish(): Promise<void> {
    this.#ended.resolve(null);
  }

  async close(): Promise<void> {
    this.#ended.resolve(null);
  }

  lose(kind: SpeechToTextFailureKind = 'temporary'): void {
    this.#ended.resolve(new SpeechToTextFailure(kind, 'The provider is lost.'));
  }

  /** Words with the session's own times. */
  recognizes(key: string, isFinal: boolean, ...words: [text: string, startMs: number, endMs: number][]): void {
    const spoken = words.map(([text, startMs, endMs]) => ({
      text,
      startMs,
      endMs,
      confidence: null,
      speaker: null,
      language: null,
      channel: 0,
    }));
    const times = { startMs: words[0]?.[1] ?? 0, endMs: words.at(-1)?.[2] ?? 0 };
    const text = words.map(([word]) => word).join(' ');
    const rest = { confidence: null, language: null, words: spoken, text };
    this.onEvent({ kind: 'utterance', utterance: { key, isFinal, ...times, ...rest } });
  }
}

class Scene {
  readonly clock = new FakeClock();
  readonly sessions: FakeSession[] = [];
  readonly started: string[] = [];
  readonly utterances: TranscribedUtterance[] = [];
  readonly problems: TranscriptionProblem[] = [];
  refusal: SpeechToTextFailureKind | null = null;
  readonly transcriber: LiveTranscriber;
  #blocks = 0;

  constructor(...engines: string[]) {
    this.transcriber = new LiveTranscriber({
      engines: engines.map(engine),
      idPrefix: 'id',
      openSession: async ({ provider }, onEvent) => {
        if (this.refusal !== null) throw new SpeechToTextFailure(this.refusal, 'The provider is away.');
        const session = new FakeSession(provider, onEvent);
        this.sessions.push(session);
        return session;
      },
      listener: {
        sessionStarted: ({ provider }) => this.started.push(provider),
        utterance: (utterance) => this.utterances.push(utterance),
        translation: () => undefined,
        problem: (problem) => this.problems.push(problem),
      },
      clock: this.clock,
      logger: quietLogger,
    });
  }

  get session(): FakeSession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('There is no session.');
    return session;
  }

  /** `count` blocks of 100 ms, without delay. */
  async speak(blocks: number): Promise<void> {
    for (let count = 0; count < blocks; count += 1) {
      const pcm = Buffer.alloc(3_200);
      pcm.writeUInt32LE(this.#blocks, 0);
      this.transcriber.take(this.#blocks * 100, pcm);
      this.#blocks += 1;
      await this.clock.advance(100);
    }
  }
}

describe('live transcription', () => {
  test('opens one session with the first audio and sends each block once', async () => {
    const scene = new Scene('deepgram');
    await scene.speak(10);
    expect(scene.started).toEqual(['deepgram']);
    expect(scene.session.received).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('sends a new session what has no final result yet, and gives its words their place in the audio', async () => {
    const scene = new Scene('deepgram');
    await scene.speak(20);
    scene.session.recognizes('1', true, ['one', 100, 400]);
    scene.session.recognizes('2', false, ['two', 900, 1_200]);
    scene.session.lose();
    await scene.speak(20);
    expect(scene.sessions).toHaveLength(2);
    // The block in which the final word ended is sent again, and the rest of that word is left out.
    expect(scene.session.received[0]).toBe(4);
    scene.session.recognizes('1', false, ['one', -300, 0], ['two', 500, 800]);
    scene.session.recognizes('1', true, ['two', 500, 800]);
    expect(
      scene.utterances.map(({ segmentId, isFinal, text, startMs }) => [segmentId, isFinal, text, startMs]),
    ).toEqual([
      ['id-1', true, 'one', 100],
      ['id-2', false, 'two', 900],
      ['id-2', false, 'two', 900],
      ['id-2', true, 'two', 900],
    ]);
    expect(scene.problems.map(({ code }) => code)).toEqual(['PROVIDER_LOST']);
  });

  test('catches up at most four blocks at a time and ignores results of an ended session', async () => {
    const scene = new Scene('deepgram');
    await scene.speak(1);
    const lost = scene.session;
    lost.lose();
    await scene.speak(12);
    const caughtUp = scene.session.received.length;
    expect(caughtUp).toBeLessThan(13);
    await scene.speak(4);
    expect(scene.session.received).toEqual(Array.from({ length: 17 }, (_, index) => index));
    lost.recognizes('9', true, ['late', 0, 100]);
    expect(scene.utterances).toEqual([]);
  });

  test('uses the fallback after five failures in a row, and at once when the key is refused', async () => {
    const tired = new Scene('deepgram', 'local');
    for (let failure = 0; failure < 5; failure += 1) {
      await tired.speak(failure === 0 ? 1 : 320);
      if (tired.started.at(-1) === 'deepgram') tired.session.lose();
    }
    await tired.speak(1);
    // A session that lasted five seconds resets the count.
    expect(tired.started).not.toContain('local');
    const away = new Scene('deepgram', 'local');
    away.refusal = 'temporary';
    await away.speak(100);
    expect(away.started).toEqual([]);
    await away.speak(100);
    away.refusal = null;
    await away.speak(200);
    expect(away.started).toEqual(['local']);
    expect(away.problems.map(({ code, retryable }) => [code, retryable])).toEqual([
      ['PROVIDER_LOST', true],
      ['PROVIDER_LOST', true],
    ]);
    const refused = new Scene('deepgram', 'local');
    await refused.speak(1);
    refused.session.lose('credentials');
    await refused.speak(2);
    expect(refused.started).toEqual(['deepgram', 'local']);
    expect(refused.problems).toMatchObject([{ code: 'PROVIDER_REFUSED', retryable: true }]);
  });

  test('opens a session as soon as there are fewer, however long there were too many', async () => {
    const scene = new Scene('deepgram');
    scene.refusal = 'temporary';
    await scene.speak(6_000);
    scene.refusal = null;
    await scene.speak(400);
    expect(scene.started).toEqual(['deepgram']);
    expect(scene.problems[0]).toMatchObject({ code: 'PROVIDER_LOST', retryable: true });
    expect(scene.problems.every(({ retryable }) => retryable)).toBe(true);
  });

  test('ends, and says so once, when the key is refused and there is no fallback', async () => {
    const scene = new Scene('deepgram');
    scene.refusal = 'credentials';
    await scene.speak(100);
    expect(scene.problems).toMatchObject([{ code: 'PROVIDER_REFUSED', retryable: false }]);
    await scene.transcriber.finish(1_000);
  });

  test('says how much audio a provider did not take in time', async () => {
    const scene = new Scene('deepgram');
    await scene.speak(1);
    scene.session.isFull = true;
    await scene.speak(700);
    scene.session.isFull = false;
    await scene.speak(1);
    expect(scene.problems.map(({ code }) => code)).toContain('AUDIO_LOST');
  });
});
