import { z } from 'zod';
import type { BatchProvider, ProviderAccess } from '../batch-provider.ts';
import { createProviderClient, formBody, readDocument } from '../provider-http.ts';
import type { ProviderClient } from '../provider-http.ts';
import { endsAfterStart, languageCode, mostlyReadableOf, readableOf, seconds, text } from '../provider-shapes.ts';
import { languagesOf } from '../transcript.ts';
import type { Transcript, TranscriptUtterance, TranscriptWord } from '../transcript.ts';

const longestWaitMs = 3_600_000;

const word = z.object({ word: text, start: seconds, end: seconds }).refine(endsAfterStart);
const segment = z.object({ text, start: seconds, end: seconds, speaker: z.string().nullish() }).refine(endsAfterStart);
const document = z.object({
  text,
  language: languageCode,
  duration: z
    .union([z.number(), z.string().transform(Number)])
    .pipe(seconds)
    .nullish(),
  words: readableOf(word).nullish(),
  segments: mostlyReadableOf(segment).nullish(),
});

/** `POST /v1/audio/transcriptions` as OpenAI and many local servers offer it. It is synchronous and has no jobs. */
export function createOpenaiCompatible(access: ProviderAccess, name = 'The OpenAI-compatible server'): BatchProvider {
  const client = createOpenaiClient(name, access);
  return {
    findsJobs: false,
    reportsEnd: false,
    upload: async () => null,
    submit: async ({ audio, reference }) => {
      const given = Object.fromEntries(Object.entries(access.customParams).map(([key, value]) => [key, String(value)]));
      const body = await formBody(
        {
          model: 'whisper-1',
          ...given,
          response_format: 'verbose_json',
          'timestamp_granularities[]': ['word', 'segment'],
        },
        { field: 'file', audio },
      );
      const raw = await client.request({
        method: 'POST',
        path: '/v1/audio/transcriptions',
        headers: { 'idempotency-key': reference },
        body,
        response: z.unknown(),
        timeoutMs: longestWaitMs,
      });
      return { kind: 'transcript', jobId: null, transcript: transcriptOf(name, raw) };
    },
    find: async () => null,
    read: async () => ({ kind: 'processing' }),
    readCallback: () => null,
    remove: async () => undefined,
  };
}

/** Requests to such a server, with its key where it has one. */
export function createOpenaiClient(name: string, access: ProviderAccess): ProviderClient {
  return createProviderClient(name, access, access.apiKey === null ? {} : { authorization: `Bearer ${access.apiKey}` });
}

function transcriptOf(name: string, raw: unknown): Transcript {
  const { text: whole, language, duration, words, segments } = readDocument(name, raw, document);
  const spoken = (words ?? []).map((one): TranscriptWord => {
    return { text: one.word.trim(), startMs: one.start, endMs: one.end, confidence: null };
  });
  const spans = segments ?? (whole.trim() === '' ? [] : [{ text: whole, start: 0, end: duration ?? 0, speaker: null }]);
  const utterances = spans.map((span, index): TranscriptUtterance => {
    const nextStart = spans[index + 1]?.start ?? Infinity;
    const from = index === 0 ? 0 : span.start;
    const own = spoken.filter(({ startMs }) => startMs >= from && startMs < nextStart);
    return {
      text: span.text.trim(),
      startMs: span.start,
      endMs: span.end,
      confidence: null,
      language,
      channel: 0,
      speaker: span.speaker ?? null,
      words: own.length > 0 ? own : spreadWords(span.text, span.start, span.end),
    };
  });
  return { durationMs: duration ?? null, billedMs: null, languages: languagesOf(utterances), utterances, raw };
}

/** For a server without word times: distributes words over the time of their segment by their length. */
function spreadWords(said: string, startMs: number, endMs: number): TranscriptWord[] {
  const texts = said.trim().split(/\s+/).filter(Boolean);
  const letters = texts.reduce((sum, one) => sum + one.length, 0);
  let passed = 0;
  return texts.map((one) => {
    const from = startMs + ((endMs - startMs) * passed) / letters;
    passed += one.length;
    const until = startMs + ((endMs - startMs) * passed) / letters;
    return { text: one, startMs: Math.round(from), endMs: Math.round(until), confidence: null };
  });
}
