import { z } from 'zod';
import type { BatchProvider, JobState, ProviderAccess } from '../batch-provider.ts';
import { failedJob } from '../provider-reason.ts';
import { createProviderClient, formBody, jsonBody, readDocument } from '../provider-http.ts';
import {
  confidence,
  identifier,
  languageCode,
  orNull,
  readableOf,
  seconds,
  speakerLabel,
  text,
  timedOf,
} from '../provider-shapes.ts';
import type { Timed } from '../provider-shapes.ts';
import { interpolateWords, utterancesOfText } from '../interpolate-words.ts';
import { languagesOf } from '../transcript.ts';
import type { Transcript } from '../transcript.ts';

const name = 'Gladia';

/** An utterance besides its times. */
export const gladiaUtterance = {
  text,
  confidence,
  language: languageCode,
  channel: z.int().nonnegative().catch(0),
  speaker: speakerLabel,
  words: timedOf({ word: text, confidence }, seconds),
};

const result = z.object({
  metadata: orNull(z.object({ audio_duration: orNull(seconds), billing_time: orNull(seconds) })),
  transcription: z.object({
    full_transcript: orNull(text),
    languages: readableOf(z.string()),
    utterances: timedOf(gladiaUtterance, seconds),
  }),
});

/** A status that is not known is one on the way to the end. */
const job = z.object({
  status: z.string(),
  error_code: orNull(z.union([z.string(), z.number()])),
  result: z.unknown().optional(),
});

const listing = z.object({
  items: readableOf(z.object({ id: identifier, custom_metadata: orNull(z.record(z.string(), z.unknown())) })),
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
  const durationMs = metadata?.audio_duration ?? null;
  const utterances =
    transcription.utterances.length > 0
      ? transcription.utterances.map(gladiaSpoken)
      : utterancesOfText(transcription.full_transcript ?? '', durationMs, transcription.languages[0] ?? null);
  return {
    durationMs,
    billedMs: metadata?.billing_time ?? null,
    languages: transcription.languages.length > 0 ? transcription.languages : languagesOf(utterances),
    utterances,
    raw,
  };
}

export function gladiaSpoken(spoken: z.output<z.ZodObject<typeof gladiaUtterance>> & Timed) {
  const { start, end, words, interpolated: _interpolated, ...rest } = spoken;
  const span = { startMs: start, endMs: Math.max(end, ...words.map((word) => word.end)) };
  const measured = words.map(({ word, start: from, end: until, ...one }) => {
    return { ...one, text: word.trim(), startMs: from, endMs: until };
  });
  const own = measured.length > 0 ? measured : interpolateWords(rest.text, span);
  return { ...rest, ...span, text: rest.text.trim(), words: own };
}
