import { z } from 'zod';
import type { BatchProvider, JobState, ProviderAccess } from '../batch-provider.ts';
import { failedJob } from '../provider-reason.ts';
import { createProviderClient, formBody, jsonBody, readDocument } from '../provider-http.ts';
import {
  confidence,
  endsAfterStart,
  identifier,
  languageCode,
  mostlyReadableOf,
  readableOf,
  seconds,
  speakerLabel,
  text,
} from '../provider-shapes.ts';
import { languagesOf } from '../transcript.ts';
import type { Transcript } from '../transcript.ts';

const name = 'Gladia';

const word = z.object({ word: text, start: seconds, end: seconds, confidence }).refine(endsAfterStart);
export const gladiaUtterance = z
  .object({
    text,
    start: seconds,
    end: seconds,
    confidence,
    language: languageCode,
    channel: z.int().nonnegative().catch(0),
    speaker: speakerLabel,
    words: readableOf(word).default([]),
  })
  .refine(endsAfterStart);

const result = z.object({
  metadata: z
    .object({ audio_duration: seconds.nullish(), billing_time: seconds.nullish() })
    .default(() => ({ audio_duration: null, billing_time: null })),
  transcription: z.object({
    languages: readableOf(z.string()).default([]),
    utterances: mostlyReadableOf(gladiaUtterance),
  }),
});

const job = z.object({
  status: z.enum(['queued', 'processing', 'done', 'error']),
  error_code: z.union([z.string(), z.number()]).nullish(),
  result: z.unknown().optional(),
});

const listing = z.object({
  items: readableOf(z.object({ id: identifier, custom_metadata: z.record(z.string(), z.unknown()).nullish() })),
});

/** Gladia's pre-recorded API, version 2. */
export function createGladia(access: ProviderAccess): BatchProvider {
  const client = createProviderClient(name, access, { 'x-gladia-key': access.apiKey ?? '' });
  return {
    findsJobs: true,
    reportsEnd: true,
    upload: async (audio) => {
      const body = await formBody({}, { field: 'audio', audio });
      const response = z.object({ audio_url: identifier });
      return (await client.request({ method: 'POST', path: '/v2/upload', body, response })).audio_url;
    },
    submit: async ({ reference, upload, callbackUrl, speakers }) => {
      const body = jsonBody({
        diarization: speakers === 'several',
        ...access.customParams,
        audio_url: upload,
        custom_metadata: { reference },
        ...(callbackUrl === null ? {} : { callback: true, callback_config: { url: callbackUrl, method: 'POST' } }),
      });
      const response = z.object({ id: identifier });
      const { id } = await client.request({ method: 'POST', path: '/v2/pre-recorded', body, response });
      return { kind: 'job', jobId: id };
    },
    find: async ({ reference }) => {
      const query = { limit: '100', custom_metadata: JSON.stringify({ reference }) };
      const { items } = await client.request({ path: '/v2/pre-recorded', query, response: listing });
      return items.find((item) => item.custom_metadata?.['reference'] === reference)?.id ?? null;
    },
    read: async (jobId) =>
      stateOf(await client.request({ path: `/v2/pre-recorded/${encodeURIComponent(jobId)}`, response: job })),
    readCallback: () => null,
    remove: async ({ jobId }) => {
      if (jobId !== null) await client.remove(`/v2/pre-recorded/${encodeURIComponent(jobId)}`);
    },
  };
}

function stateOf({ status, error_code, result: raw }: z.infer<typeof job>): JobState {
  if (status === 'error') {
    throw failedJob(name, `code ${error_code ?? 'none'}`);
  }
  if (status !== 'done') return { kind: 'processing' };
  return { kind: 'transcript', transcript: transcriptOf(raw) };
}

function transcriptOf(raw: unknown): Transcript {
  const { metadata, transcription } = readDocument(name, raw, result);
  const utterances = transcription.utterances.map(gladiaSpoken);
  return {
    durationMs: metadata.audio_duration ?? null,
    billedMs: metadata.billing_time ?? null,
    languages: transcription.languages.length > 0 ? transcription.languages : languagesOf(utterances),
    utterances,
    raw,
  };
}

export function gladiaSpoken(spoken: z.output<typeof gladiaUtterance>) {
  const { start, end, words, ...rest } = spoken;
  return {
    ...rest,
    text: rest.text.trim(),
    startMs: start,
    endMs: end,
    words: words.map((one) => ({
      text: one.word.trim(),
      startMs: one.start,
      endMs: one.end,
      confidence: one.confidence,
    })),
  };
}
