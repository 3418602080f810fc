import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { OutboundResponse } from '@rapporteur/outbound-http';
import { createBatchProvider } from './create-batch-provider.ts';
import { interpolateWords, spreadOverSpeech, utterancesOfText, withoutLoops } from './interpolate-words.ts';
import type { BatchProviderName } from './providers.ts';
import { textOfWords } from './transcript.ts';
import type { Transcript } from './transcript.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const open = async () => ({ byteLength: 1, stream: Readable.from([Buffer.from('x')]) });
const audio = { open, contentType: 'audio/flac', fileName: 'a.flac' };

/** What a provider makes of these replies, in order: each utterance with its words, or the state of the job. */
async function readingOf(name: BatchProviderName, replies: readonly Reply[]) {
  const left = [...replies];
  const http = {
    request: async () => {
      const { status = 200, headers = {}, body = {} } = left.length > 1 ? (left.shift() ?? {}) : (left[0] ?? {});
      return { status, headers, bodyPrefix: Buffer.from(JSON.stringify(body)) } as unknown as OutboundResponse;
    },
  };
  const provider = createBatchProvider(name, { http, baseUrl: 'https://x.example', apiKey: 'k', customParams: {} });
  const upload = await provider.upload(audio);
  const submission = { reference: 'r', audio, upload, callbackUrl: null, speakers: 'several' } as const;
  const submitted = await provider.submit(submission);
  const state = submitted.kind === 'job' ? await provider.read(submitted.jobId) : submitted;
  if (state.kind === 'processing') return 'processing';
  return state.transcript.utterances.map(({ speaker, words }) => {
    const said = words.map(
      ({ text, startMs, endMs, interpolated }) => `${text} ${startMs}-${endMs}${interpolated === true ? '?' : ''}`,
    );
    return `${speaker ?? 'unknown'}: ${said.join(', ')}`;
  });
}

const assemblyai = (body: object) => [
  { body: { upload_url: 'u' } },
  { body: { id: 7, status: 'queued' } },
  { body: { id: 7, status: 'completed', ...body } },
];
const gladia = (result: unknown) => [
  { body: { audio_url: 'u' } },
  { body: { id: 7 } },
  { body: { status: 'done', result } },
];
const deepgram = (channels: unknown, metadata: object = { duration: 4 }) => [
  { body: { metadata, results: { channels } } },
];
const speechmatics = (results: unknown, job: object = {}) => [
  { body: { id: 's' } },
  { body: { job: { status: 'done', ...job } } },
  { body: { results } },
];
const soniox = (transcript: object, job: object = {}) => [
  { body: { id: 'f' } },
  { body: { id: 't' } },
  { body: { id: 't', status: 'completed', ...job } },
  { body: transcript },
];
const openai = (body: unknown) => [{ body }];
const word = { text: 'Hi', start: 0, end: 500, speaker: 'A' };
const sm = { type: 'word', start_time: 0, end_time: 0.5, alternatives: [{ content: 'Hi' }] };

describe('a text without times', () => {
  const transcript = (text: string): Transcript => ({
    durationMs: null,
    billedMs: null,
    languages: [],
    utterances: utterancesOfText(text, null),
    raw: null,
  });
  const placed = ({ utterances }: Transcript) =>
    utterances.map(({ text, startMs, endMs }) => `${text} ${startMs}-${endMs}`);
  const speech = [
    { startMs: 1_000, endMs: 2_000 },
    { startMs: 9_000, endMs: 10_000 },
  ];

  test('lies where the participants spoke, else over the known duration', () => {
    expect(placed(spreadOverSpeech(transcript('aa bb cc dd'), speech, 20_000))).toEqual([
      'aa bb 1000-2000',
      'cc dd 9000-10000',
    ]);
    expect(placed(spreadOverSpeech(transcript('aa bb'), [], 20_000))).toEqual(['aa bb 0-20000']);
    const [last] = spreadOverSpeech(transcript('aa bb cc dd'), speech, 20_000).utterances.slice(-1);
    expect(last?.words.map((word) => [word.startMs, word.endMs])).toEqual([
      [9_000, 9_500],
      [9_500, 10_000],
    ]);
  });

  test('is not one that has times', () => {
    const timed = transcript('aa');
    const utterances = timed.utterances.map((one) => ({ ...one, startMs: 500, endMs: 700 }));
    expect(spreadOverSpeech({ ...timed, utterances }, speech, 20_000).utterances).toEqual(utterances);
  });
});

test('Deepgram reads a list as a repeated parameter', async () => {
  const urls: string[] = [];
  const http = {
    request: async ({ url }: { url: string }) => {
      urls.push(url);
      return { status: 200, headers: {}, bodyPrefix: Buffer.from('{"request_id":"r"}') } as unknown as OutboundResponse;
    },
  };
  const customParams = { keyterm: ['Kubernetes', 'Rapporteur'], language: 'en' };
  const provider = createBatchProvider('deepgram', { http, baseUrl: 'https://x.example', apiKey: 'k', customParams });
  const callbackUrl = 'https://y.example/';
  await provider.submit({ reference: 'r', audio, upload: null, callbackUrl, speakers: 'one' });
  const { searchParams } = new URL(urls[0] ?? '');
  expect([searchParams.getAll('keyterm'), searchParams.getAll('language')]).toEqual([
    ['Kubernetes', 'Rapporteur'],
    ['en'],
  ]);
});

describe('what an engine invents', () => {
  const loop = (fields: object) =>
    openai({
      text: 'x',
      segments: Array.from({ length: 40 }, (_, n) => ({
        start: n * 2,
        end: n * 2 + 2,
        text: ' Thank you.',
        ...fields,
      })),
    });

  test('is dropped where the engine itself detected no speech', async () => {
    const silent = { no_speech_prob: 0.94, avg_logprob: -1.4, compression_ratio: 9.1 };
    expect(await readingOf('openai-compatible', loop(silent))).toEqual([]);
    expect(await readingOf('openai-compatible', loop({ no_speech_prob: 0.1, avg_logprob: -0.3 }))).toHaveLength(40);
  });

  test('and repeats is kept only where a participant spoke', () => {
    const utterances = Array.from({ length: 10 }, (_, n) => {
      const [only] = utterancesOfText('Thank you.', 900);
      return { ...only!, startMs: n * 1_000 + 50, endMs: n * 1_000 + 900 };
    });
    const all = { durationMs: 10_000, billedMs: null, languages: [], utterances, raw: null };
    const kept = (speech: readonly { startMs: number; endMs: number }[]) =>
      withoutLoops(all, speech).utterances.map(({ startMs }) => startMs);
    expect(kept([{ startMs: 0, endMs: 1_000 }])).toEqual([50, 1_050]);
    expect(kept([])).toHaveLength(10);
    expect(kept([{ startMs: 0, endMs: 10_000 }])).toHaveLength(10);
  });
});

describe('text of scripts without blanks', () => {
  test.each([
    [['今日', 'は', '予算'], '今日は予算'],
    [['ประ', 'ชุม'], 'ประชุม'],
    [['안녕', '하세요'], '안녕 하세요'],
    [['今日は', 'OK', 'です。', 'はい'], '今日は OK です。はい'],
    [['Good', 'morning.'], 'Good morning.'],
    [[], ''],
  ])('%j', (words, text) => {
    expect(textOfWords(words.map((one) => ({ text: one })))).toBe(text);
  });

  test('has several words where a provider gives no times', () => {
    const words = (text: string) => interpolateWords(text, { startMs: 0, endMs: 1_000 }).map((one) => one.text);
    expect(words('「今日は」予算会議です。').length).toBeGreaterThan(3);
    expect(words('「今日は」予算会議です。').join('')).toBe('「今日は」予算会議です。');
    expect(words("Don't stop-and go, 3.5%!")).toEqual(["Don't", 'stop-and', 'go,', '3.5%!']);
  });

  test('of Soniox has a word per token, and none over a pause', async () => {
    const said = '今日は予算の話をします。';
    const tokens = [1_000, 601_000].flatMap((at) =>
      Array.from(said, (text, n) => ({ text, start_ms: at + n * 300, end_ms: at + n * 300 + 300, speaker: '1' })),
    );
    const read = await readingOf('soniox', soniox({ text: said + said, tokens }));
    expect(read).toHaveLength(2);
    expect(read[0]).toMatch(/^1: 今 1000-1300, 日 1300-1600, .*, す。 /);
    const latin = await readingOf(
      'soniox',
      soniox({
        tokens: [
          { text: 'Hel', start_ms: 0, end_ms: 200 },
          { text: 'lo', start_ms: 200, end_ms: 400 },
          { text: 'Next', start_ms: 9_000, end_ms: 9_300 },
        ],
      }),
    );
    expect(latin).toEqual(['unknown: Hello 0-400', 'unknown: Next 9000-9300']);
  });
});

describe('a response with less than the documentation shows', () => {
  const rows: readonly [string, BatchProviderName, Reply[], unknown][] = [
    [
      'null in place of both lists',
      'assemblyai',
      assemblyai({ text: 'Hi you', words: null, utterances: null, audio_duration: 4 }),
      ['unknown: Hi 0-1600?, you 1600-4000?'],
    ],
    ['no utterances beside words', 'assemblyai', assemblyai({ words: [word], utterances: [] }), ['A: Hi 0-500']],
    [
      'utterances without words',
      'assemblyai',
      assemblyai({ utterances: [{ ...word, words: null }] }),
      ['A: Hi 0-500?'],
    ],
    [
      'an utterance and a word without an end',
      'assemblyai',
      assemblyai({
        utterances: [
          {
            ...word,
            end: null,
            words: [
              { ...word, end: null },
              { ...word, start: 600, end: 900 },
            ],
          },
        ],
      }),
      ['A: Hi 0-0?, Hi 600-900'],
    ],
    ['a duration as text', 'assemblyai', assemblyai({ words: [word], audio_duration: '4.5' }), ['A: Hi 0-500']],
    [
      'a status that is not documented',
      'assemblyai',
      [{ body: { upload_url: 'u' } }, { body: { id: 'j', status: 'throttled' } }],
      'processing',
    ],
    [
      'no languages, utterances or metadata',
      'gladia',
      gladia({ metadata: null, transcription: { languages: null, utterances: null, full_transcript: '' } }),
      [],
    ],
    [
      'a text alone',
      'gladia',
      gladia({
        metadata: { audio_duration: 4, billing_time: -1 },
        transcription: { utterances: [], full_transcript: 'Hi you' },
      }),
      ['unknown: Hi 0-1600?, you 1600-4000?'],
    ],
    [
      'null in place of words',
      'deepgram',
      deepgram([{ alternatives: [{ transcript: 'Hi you', words: null }] }]),
      ['unknown: Hi 0-1600?, you 1600-4000?'],
    ],
    [
      'a speaker as a fraction, and a negative time',
      'deepgram',
      deepgram([{ alternatives: [{ words: [{ word: 'Hi', start: -0.01, end: 0.5, speaker: 0.5 }] }] }], {}),
      ['0.5: Hi 0-500?'],
    ],
    [
      'one channel of another form',
      'deepgram',
      deepgram([{ alternatives: 7 }, { alternatives: [{ words: [{ word: 'Hi', start: 0, end: 0.5 }] }] }]),
      ['unknown: Hi 0-500'],
    ],
    [
      'no job number, a duration as text and a word without time',
      'speechmatics',
      speechmatics([sm, { ...sm, start_time: null, end_time: null }], { duration: '4' }),
      ['unknown: Hi 0-500, Hi 500-500?'],
    ],
    ['a status that is not documented', 'speechmatics', speechmatics([], { status: 'accepted' }), 'processing'],
    [
      'a text alone',
      'soniox',
      soniox({ text: 'Hi you' }, { audio_duration_ms: 4_000 }),
      ['unknown: Hi 0-1600?, you 1600-4000?'],
    ],
    [
      'a negative duration',
      'soniox',
      soniox({ tokens: [{ text: 'Hi', start_ms: 0, end_ms: 500 }] }, { audio_duration_ms: -1 }),
      ['unknown: Hi 0-500'],
    ],
    [
      'words inside its segments',
      'openai-compatible',
      openai({
        text: 'Hi',
        segments: [
          {
            text: 'Hi',
            start: 0,
            end: 1,
            speaker: 3,
            words: [{ word: ' Hi', start: 0.2, end: 0.8, probability: 0.5 }],
          },
        ],
      }),
      ['3: Hi 200-800'],
    ],
    [
      'segments whose times are nanoseconds',
      'openai-compatible',
      openai({ text: 'Hi you', duration: 4, segments: [{ text: 'Hi you', start: 0, end: 4e9 }] }),
      ['unknown: Hi 0-1600?, you 1600-4000?'],
    ],
    [
      'no segments beside a text',
      'openai-compatible',
      openai({ text: 'Hi you', segments: [], duration: '4' }),
      ['unknown: Hi 0-1600?, you 1600-4000?'],
    ],
    [
      'a segment that ends before it starts',
      'openai-compatible',
      openai({
        text: 'Hi you',
        segments: [
          { text: 'Hi', start: 1, end: 0.5 },
          { text: 'you', start: 2, end: 3 },
        ],
      }),
      ['unknown: Hi 1000-1000?', 'unknown: you 2000-3000?'],
    ],
    [
      'a model that knows no times',
      'openai-compatible',
      [
        { status: 400, body: { error: { message: "response_format 'verbose_json' is not compatible" } } },
        { body: { text: 'Hi' } },
      ],
      ['unknown: Hi 0-0?'],
    ],
  ];
  test.each(rows)('%s: %s keeps what was said', async (_what, name, replies, expected) => {
    expect(await readingOf(name, replies)).toEqual(expected);
  });

  test.each<[string, BatchProviderName, Reply[], object]>([
    ['no member that could have words', 'assemblyai', assemblyai({ audio_duration: 4 }), { kind: 'unreadable' }],
    [
      'an error with status 200',
      'openai-compatible',
      openai({ error: { message: 'model not loaded' } }),
      { kind: 'failed', message: expect.stringContaining('model not loaded') },
    ],
    [
      'a rejected job without a message',
      'speechmatics',
      speechmatics([], { status: 'rejected', errors: [{ timestamp: 'x' }] }),
      { kind: 'failed' },
    ],
    [
      'an overload until a date',
      'assemblyai',
      [{ status: 429, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() } }],
      { kind: 'temporary', retryAfterMs: expect.any(Number) },
    ],
    [
      'a key without credit',
      'assemblyai',
      [{ status: 402, body: { error: 'Your account has no credit left.' } }],
      { kind: 'credentials', message: expect.stringContaining('no credit left') },
    ],
  ])('%s: %s fails with what is known', async (_what, name, replies, failure) => {
    await expect(readingOf(name, replies)).rejects.toMatchObject(failure);
  });
});
