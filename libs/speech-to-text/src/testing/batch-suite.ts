import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { startSpeechProviderServer, vendorRules } from '@rapporteur/simulator/speech-providers';
import type { SimulatedProvider, SpeechProviderServer, SpeechTruth } from '@rapporteur/simulator/speech-providers';
import type { BatchProvider, SpeechAudio, Submission } from '../batch-provider.ts';
import { createBatchProvider } from '../create-batch-provider.ts';
import { SpeechToTextFailure } from '../failure.ts';
import type { BatchProviderName } from '../providers.ts';

export interface BatchSuiteCase {
  readonly name: BatchProviderName;
  /** Its name in the simulator. */
  readonly simulated: SimulatedProvider;
  /** It separates speakers. */
  readonly diarizes: boolean;
  /** It stores a copy that has to be deleted. */
  readonly keepsCopies: boolean;
  readonly customParams: Readonly<Record<string, unknown>>;
}

/** "Good morning everyone." of one speaker and "Thanks!" of another. */
export const conversation: SpeechTruth = {
  durationMs: 4_000,
  words: [
    { text: 'Good', startMs: 100, endMs: 400, speaker: 'Ann' },
    { text: 'morning', startMs: 450, endMs: 900, speaker: 'Ann' },
    { text: 'everyone.', startMs: 950, endMs: 1_500, speaker: 'Ann' },
    { text: 'Thanks!', startMs: 3_000, endMs: 3_600, speaker: 'Ben' },
  ],
};

export function audioOf(bytes: Buffer, { contentType = 'audio/flac', fileName = 'audio.flac' } = {}): SpeechAudio {
  const open = async () => ({ byteLength: bytes.byteLength, stream: Readable.from([bytes]) });
  return { open, contentType, fileName };
}

interface Bench {
  readonly server: SpeechProviderServer;
  readonly http: OutboundHttp;
  open(apiKey?: string, more?: Readonly<Record<string, unknown>>): BatchProvider;
  prepare(provider: BatchProvider, truth?: SpeechTruth): Promise<Submission>;
}

function createBench(
  { name, simulated, customParams }: BatchSuiteCase,
  { server, http }: { readonly server: SpeechProviderServer; readonly http: OutboundHttp },
): Bench {
  return {
    server,
    http,
    open: (apiKey = 'key', more = {}) =>
      createBatchProvider(name, {
        http,
        baseUrl: `${server.url}/${simulated}`,
        apiKey,
        customParams: { ...customParams, ...more },
      }),
    prepare: async (provider, truth = conversation) => {
      const bytes = randomBytes(500);
      server.teach(bytes, truth);
      const audio = audioOf(bytes);
      const upload = await provider.upload(audio);
      return { reference: randomUUID(), audio, upload, callbackUrl: null, speakers: 'several' };
    },
  };
}

async function transcribe(provider: BatchProvider, submission: Submission) {
  const submitted = await provider.submit(submission);
  if (submitted.kind === 'transcript') return { jobId: submitted.jobId, transcript: submitted.transcript };
  const state = await provider.read(submitted.jobId);
  if (state.kind !== 'transcript') throw new Error('The job is not done.');
  return { jobId: submitted.jobId, transcript: state.transcript };
}

async function failureOf(work: Promise<unknown>): Promise<SpeechToTextFailure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof SpeechToTextFailure) return error;
  throw new Error(`Expected a SpeechToTextFailure, not ${String(error)}.`);
}

/** The contract of every batch provider, against its simulated server. */
export function describeBatchProvider(suite: BatchSuiteCase): void {
  describe(`the batch provider ${suite.name}`, () => {
    let bench: Bench;
    beforeAll(async () => {
      const server = await startSpeechProviderServer();
      bench = createBench(suite, { server, http: createOutboundHttp({ allow: ['loopback'], requireHttps: false }) });
    });
    afterAll(async () => {
      bench.http.close();
      await bench.server.stop();
    });
    describeTranscripts(suite, () => bench);
    describeJobs(suite, () => bench);
    describeFaults(suite, () => bench);
    describeLimits(suite, () => bench);
  });
}

function describeTranscripts({ diarizes }: BatchSuiteCase, bench: () => Bench): void {
  test('returns every word with its times', async () => {
    const provider = bench().open();
    const { transcript } = await transcribe(provider, await bench().prepare(provider));
    const words = transcript.utterances.flatMap((utterance) => utterance.words);
    expect(words.map(({ text, startMs, endMs }) => ({ text, startMs, endMs }))).toEqual(
      conversation.words.map(({ text, startMs, endMs }) => ({ text, startMs, endMs })),
    );
    expect(transcript.utterances.length).toBeGreaterThanOrEqual(2);
  });

  test('distinguishes speakers where it can', async () => {
    const provider = bench().open();
    const { transcript } = await transcribe(provider, await bench().prepare(provider));
    const labels = new Set(transcript.utterances.map(({ speaker }) => speaker));
    expect(labels.size).toBe(diarizes ? 2 : 1);
  });

  test('transcribes four languages in one meeting', async () => {
    const provider = bench().open();
    const words = ['en morning', 'de Morgen', 'fr matin', 'es tarde'].map((word, index) => {
      const [language = '', text = ''] = word.split(' ');
      return { text, language, startMs: 1_000 * index, endMs: 1_000 * index + 400, speaker: 'Ann' };
    });
    const { transcript } = await transcribe(provider, await bench().prepare(provider, { durationMs: 4_000, words }));
    const found = transcript.utterances.flatMap((utterance) => utterance.words);
    expect(found.map(({ text }) => text)).toEqual(['morning', 'Morgen', 'matin', 'tarde']);
  });

  test('returns an empty transcript for audio without speech', async () => {
    const provider = bench().open();
    const { transcript } = await transcribe(
      provider,
      await bench().prepare(provider, { durationMs: 1_000, words: [] }),
    );
    expect(transcript.utterances).toEqual([]);
  });
}

function describeJobs({ simulated, keepsCopies }: BatchSuiteCase, bench: () => Bench): void {
  test('finds a job whose submission got no response', async () => {
    const provider = bench().open();
    const submission = await bench().prepare(provider);
    bench().server.strike({ provider: simulated, at: 'submit', kind: 'no-response' });
    const repeated = bench().server.counts(simulated).repeated;
    expect((await failureOf(provider.submit(submission))).retryable).toBe(true);
    expect(bench().server.counts(simulated).repeated).toBe(repeated);
    const found = await provider.find(submission);
    expect(found !== null).toBe(provider.findsJobs);
    if (found !== null) expect((await provider.read(found)).kind).toBe('transcript');
  });

  test('finds no job that was never submitted', async () => {
    const provider = bench().open();
    expect(await provider.find(await bench().prepare(provider))).toBeNull();
  });

  test('leaves nothing at the provider, and deletes twice without an error', async () => {
    const provider = bench().open();
    const before = bench().server.counts(simulated).left;
    const submission = await bench().prepare(provider);
    const { jobId } = await transcribe(provider, submission);
    if (keepsCopies) expect(bench().server.counts(simulated).left).toBeGreaterThan(before);
    const copy = { jobId, upload: submission.upload, reference: submission.reference };
    await provider.remove(copy);
    await provider.remove(copy);
    expect(bench().server.counts(simulated).left).toBe(before);
  });
}

function describeFaults({ simulated }: BatchSuiteCase, bench: () => Bench): void {
  test('states that a key is refused', async () => {
    const submission = await bench().prepare(bench().open());
    expect((await failureOf(bench().open('expired').submit(submission))).kind).toBe('credentials');
  });

  test.each([
    [429, 'temporary'],
    [500, 'temporary'],
    [503, 'temporary'],
    [400, 'rejected'],
    [422, 'rejected'],
  ] as const)('takes status %i for %s', async (status, kind) => {
    const provider = bench().open();
    const submission = await bench().prepare(provider);
    bench().server.strike({ provider: simulated, at: 'submit', kind: 'status', status });
    expect((await failureOf(provider.submit(submission))).kind).toBe(kind);
  });

  test('reports a job that failed', async () => {
    const provider = bench().open();
    const submission = await bench().prepare(provider);
    bench().server.strike({ provider: simulated, at: 'submit', kind: 'job-failed' });
    expect(['failed', 'rejected']).toContain((await failureOf(transcribe(provider, submission))).kind);
  });

  test('reports a job that the provider lost', async () => {
    const provider = bench().open();
    bench().server.strike({ provider: simulated, at: 'submit', kind: 'job-lost' });
    const outcome = transcribe(provider, await bench().prepare(provider));
    if (provider.findsJobs) expect((await failureOf(outcome)).kind).toBe('lost');
    else expect((await outcome).transcript.utterances).not.toEqual([]);
  });

  test.each(['', 'null', '[]', '"text"', '{"id":1', '{"id":{}}', '[['.repeat(100_000)])(
    'refuses the response %#',
    async (body) => {
      const provider = bench().open();
      const submission = await bench().prepare(provider);
      bench().server.strike({ provider: simulated, at: 'submit', kind: 'body', body });
      expect((await failureOf(provider.submit(submission))).kind).toBe('unreadable');
    },
  );
}

function describeLimits({ simulated }: BatchSuiteCase, bench: () => Bench): void {
  test('reports audio that is longer than the vendor takes as too large', async () => {
    const minutes = vendorRules[simulated].batch?.minutes;
    if (minutes === undefined) return;
    const provider = bench().open();
    const submission = await bench().prepare(provider, { durationMs: minutes * 60_000 + 1, words: [] });
    expect((await failureOf(provider.submit(submission))).kind).toBe('too-large');
  });

  test('takes a refusal of more submissions than the vendor takes in a second for temporary', async () => {
    const most = vendorRules[simulated].batch?.submissionsPerSecond;
    if (most === undefined) return;
    const provider = bench().open();
    const submissions = await Promise.all(Array.from({ length: most + 1 }, () => bench().prepare(provider)));
    const { jobs } = bench().server.providers;
    jobs.limitsRate = true;
    const outcomes = await Promise.allSettled(submissions.map((submission) => provider.submit(submission)));
    jobs.limitsRate = false;
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused).not.toEqual([]);
    for (const reason of refused)
      expect(reason).toMatchObject({ kind: 'temporary', retryAfterMs: 1_000, refused: true });
  });

  test('passes a parameter on that is not known here, and the vendor refuses it by its name', async () => {
    const provider = bench().open('key', { nonsense: 1 });
    const failure = await failureOf(provider.submit(await bench().prepare(provider)));
    expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('nonsense') });
  });
}
