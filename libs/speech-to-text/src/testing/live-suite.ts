import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import {
  blockMs,
  liveRefusals,
  refusalClasses,
  scriptedBlock,
  startSpeechProviderServer,
} from '@rapporteur/simulator/speech-providers';
import type { ProviderFault, SpeechProviderServer, SpeechTruth } from '@rapporteur/simulator/speech-providers';
import { findParameterProblem } from '../custom-params.ts';
import { SpeechToTextFailure } from '../failure.ts';
import type { LiveEvent, LiveSession, LiveUtterance } from '../live-provider.ts';
import { openLiveSession } from '../open-live-session.ts';
import type { LiveVendorName } from '../open-live-session.ts';

export interface LiveSuiteCase {
  readonly name: LiveVendorName;
  /** It separates speakers. */
  readonly diarizes: boolean;
  /** Its partial results have words with times. */
  readonly timesPartials: boolean;
  /** Parameters by which it translates into French; null: it does not translate. */
  readonly translation: Readonly<Record<string, unknown>> | null;
  /** Parameters for a meeting in several languages; null: it takes one language only. Default: none are needed. */
  readonly severalLanguages?: Readonly<Record<string, unknown>> | null;
  /** Parameters that every session needs. */
  readonly needed?: Readonly<Record<string, unknown>>;
}

const conversation: SpeechTruth = {
  durationMs: 5_000,
  words: [
    { text: 'Good', startMs: 100, endMs: 400, speaker: 'Ann' },
    { text: 'morning', startMs: 450, endMs: 900, speaker: 'Ann' },
    { text: 'everyone.', startMs: 950, endMs: 1_500, speaker: 'Ann' },
    { text: 'Thanks!', startMs: 3_000, endMs: 3_600, speaker: 'Ben' },
  ],
};
/** One word of each of four languages. */
const languages: SpeechTruth = {
  durationMs: 5_000,
  words: ['en morning', 'de Morgen', 'fr matin', 'es tarde'].map((word, index) => {
    const [language = '', text = ''] = word.split(' ');
    return { text, language, startMs: 1_000 * index + 100, endMs: 1_000 * index + 400, speaker: 'Ann' };
  }),
};
/** What follows a refusal: the meeting has no live transcription any more, or the session is opened again. */
const kindsOfRefusals = {
  key: ['credentials'],
  credit: ['credentials'],
  contract: ['credentials'],
  parameter: ['rejected'],
  sessions: ['temporary'],
  age: ['temporary'],
} as const;
const finishMs = 60_000;

class Recorded {
  readonly events: LiveEvent[] = [];
  readonly onEvent = (event: LiveEvent): void => void this.events.push(event);

  get utterances(): LiveUtterance[] {
    return this.events.flatMap((event) => (event.kind === 'utterance' ? [event.utterance] : []));
  }

  get finals(): LiveUtterance[] {
    return this.utterances.filter(({ isFinal }) => isFinal);
  }
}

/** The contract of every live vendor, against its simulated server. */
export function describeLiveProvider(suite: LiveSuiteCase): void {
  describe(`the live provider ${suite.name}`, () => {
    let server: SpeechProviderServer;
    let connections: OutboundHttp;
    beforeAll(async () => {
      server = await startSpeechProviderServer();
      connections = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
    });
    afterAll(async () => {
      connections.close();
      await server.stop();
    });
    const open = (recorded: Recorded, more: { apiKey?: string; customParams?: Record<string, unknown> } = {}) => {
      const protocol = suite.name === 'gladia' ? 'http' : 'ws';
      const baseUrl = `${server.url.replace(/^http/, protocol)}/${suite.name}`;
      const { apiKey = 'key' } = more;
      const customParams = { ...suite.needed, ...more.customParams };
      return openLiveSession(suite.name, {
        connections,
        baseUrl,
        apiKey,
        region: null,
        customParams,
        onEvent: recorded.onEvent,
      });
    };
    const strike = (fault: Omit<Partial<ProviderFault>, 'provider' | 'at'> & Pick<ProviderFault, 'kind'>): void =>
      server.strike({ ...fault, provider: suite.name, at: 'live' });
    const speak = (session: LiveSession, truth: SpeechTruth = conversation): void => {
      const script = server.providers.live.registerScript(truth);
      for (let atMs = 0; atMs < truth.durationMs; atMs += blockMs) {
        expect(session.send(scriptedBlock({ script, atMs }))).toBe(true);
      }
    };
    describeResults(suite, { open, speak });
    describeLanguages(suite, { open, speak });
    describeLosses(suite, { open, speak, strike });
  });
}

interface Bench {
  readonly open: (
    recorded: Recorded,
    more?: { apiKey?: string; customParams?: Record<string, unknown> },
  ) => Promise<LiveSession>;
  readonly speak: (session: LiveSession, truth?: SpeechTruth) => void;
}

function describeResults({ diarizes, timesPartials, translation }: LiveSuiteCase, { open, speak }: Bench): void {
  test('returns every word once as final, with its times, and partials under the same key before', async () => {
    const recorded = new Recorded();
    const session = await open(recorded);
    speak(session);
    await session.finish(finishMs);
    expect(await session.ended).toBeNull();
    const { finals, utterances } = recorded;
    const words = finals.flatMap((utterance) => utterance.words);
    expect(words.map(({ text, startMs, endMs }) => ({ text, startMs, endMs }))).toEqual(
      conversation.words.map(({ text, startMs, endMs }) => ({ text, startMs, endMs })),
    );
    expect(finals.map(({ text }) => text)).toEqual(['Good morning everyone.', 'Thanks!']);
    expect(new Set(finals.map(({ key }) => key)).size).toBe(2);
    const [first] = utterances.filter(({ isFinal }) => !isFinal);
    expect(first?.key).toBe(finals[0]?.key);
    expect(first?.words.length).toBe(timesPartials ? 1 : 0);
    for (const { confidence } of words) expect(confidence === null || (confidence > 0.9 && confidence <= 1)).toBe(true);
  });

  test('distinguishes speakers where it can', async () => {
    const recorded = new Recorded();
    const session = await open(recorded);
    speak(session);
    await session.finish(finishMs);
    const labels = recorded.finals.flatMap(({ words }) => words.map(({ speaker }) => speaker));
    expect(new Set(labels).size).toBe(diarizes ? 2 : 1);
    expect(labels.includes(null)).toBe(!diarizes);
  });

  test('returns nothing for silence', async () => {
    const recorded = new Recorded();
    const session = await open(recorded);
    speak(session, { durationMs: 2_000, words: [] });
    await session.finish(finishMs);
    expect(recorded.events).toEqual([]);
  });

  if (translation === null) return;
  test('translates each utterance', async () => {
    const recorded = new Recorded();
    const session = await open(recorded, { customParams: { ...translation } });
    speak(session);
    await session.finish(finishMs);
    const translations = recorded.events.flatMap((event) => (event.kind === 'translation' ? [event.translation] : []));
    const finals = translations.filter(({ isFinal }) => isFinal);
    expect(finals.map(({ key, language, text }) => ({ key, language, text }))).toEqual([
      { key: recorded.finals[0]?.key, language: 'fr', text: '[fr] Good morning everyone.' },
      { key: recorded.finals[1]?.key, language: 'fr', text: '[fr] Thanks!' },
    ]);
  });
}

interface LossBench extends Bench {
  readonly strike: (fault: Omit<Partial<ProviderFault>, 'provider' | 'at'> & Pick<ProviderFault, 'kind'>) => void;
}

function describeLanguages({ name, severalLanguages = {} }: LiveSuiteCase, { open, speak }: Bench): void {
  if (severalLanguages === null) {
    test('states that it needs a language', () => {
      expect(findParameterProblem(name, 'live', null)?.parameter).toBe('language');
      expect(findParameterProblem(name, 'live', { language: 'auto' })?.parameter).toBe('language');
      expect(findParameterProblem(name, 'live', { language: 'de' })).toBeNull();
    });
    return;
  }

  test('transcribes four languages in one meeting without a named one', async () => {
    expect(findParameterProblem(name, 'live', { ...severalLanguages })).toBeNull();
    const recorded = new Recorded();
    const session = await open(recorded, { customParams: { ...severalLanguages } });
    speak(session, languages);
    await session.finish(finishMs);
    const words = recorded.finals.flatMap((utterance) => utterance.words);
    expect(words.map(({ text }) => text)).toEqual(['morning', 'Morgen', 'matin', 'tarde']);
  });
}

function describeLosses({ name }: LiveSuiteCase, { open, speak, strike }: LossBench): void {
  test.each(refusalClasses.filter((why) => liveRefusals[name][why] !== undefined))(
    'takes a refusal for the %s for what it is, at the beginning and in the session',
    async (why) => {
      const expected = kindsOfRefusals[why];
      strike({ kind: 'refuse', why });
      const atBeginning = await open(new Recorded())
        .then(async (session) => await session.ended)
        .catch((error: unknown) => error);
      expect(expected).toContain((atBeginning as SpeechToTextFailure).kind);
      const refusal = liveRefusals[name][why];
      if (refusal === undefined || 'status' in refusal) return;
      const session = await open(new Recorded());
      strike({ kind: 'refuse', why });
      speakUntilLost(session);
      expect(expected).toContain((await session.ended)?.kind);
    },
  );

  test('states that a key is refused', async () => {
    const opening = open(new Recorded(), { apiKey: 'expired' }).then(async (session) => await session.ended);
    const failure = await opening.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SpeechToTextFailure);
    expect((failure as SpeechToTextFailure).kind).toBe('credentials');
    expect((failure as SpeechToTextFailure).message).not.toContain('expired');
  });

  test.each([
    [429, 'temporary'],
    [503, 'temporary'],
    [400, 'rejected'],
  ] as const)('takes status %i at the beginning for %s', async (status, kind) => {
    strike({ kind: 'status', status });
    await expect(open(new Recorded())).rejects.toMatchObject({ name: 'SpeechToTextFailure', kind });
  });

  test('reports a connection that is cut', async () => {
    const session = await open(new Recorded());
    strike({ kind: 'cut' });
    speakUntilLost(session);
    expect(await session.ended).toMatchObject({ kind: 'temporary' });
  });

  test.each(['', '[]', '"text"', '{"type":1,"message":1,"message_type":1,"tokens":1}', '[['.repeat(10_000)])(
    'refuses the message %#',
    async (body) => {
      const session = await open(new Recorded());
      strike({ kind: 'body', body });
      speakUntilLost(session);
      expect(await session.ended).toMatchObject({ kind: 'unreadable' });
    },
  );

  test('ends without a failure when it is closed', async () => {
    const session = await open(new Recorded());
    speak(session, { durationMs: 200, words: [] });
    await session.close();
    expect(await session.ended).toBeNull();
    expect(session.send(Buffer.alloc(3_200))).toBe(false);
  });
}

function speakUntilLost(session: LiveSession): void {
  session.send(Buffer.alloc(3_200));
}
