import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { OutboundResponse } from '@rapporteur/outbound-http';
import { createBatchProvider } from './create-batch-provider.ts';
import type { BatchProviderName } from './providers.ts';

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
