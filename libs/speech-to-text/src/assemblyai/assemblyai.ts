import { z } from 'zod';
import type { BatchProvider, JobState, ProviderAccess } from '../batch-provider.ts';
import { failedJob } from '../provider-reason.ts';
import { createProviderClient, jsonBody, readDocument } from '../provider-http.ts';
import {
  confidence,
  identifier,
  languageCode,
  milliseconds,
  mostlyReadableOf,
  readableOf,
  speakerLabel,
  text,
} from '../provider-shapes.ts';
import { endsAfterStart } from '../provider-shapes.ts';
import { languagesOf, utterancesOf } from '../transcript.ts';
import type { Transcript, TranscriptUtterance } from '../transcript.ts';

const name = 'AssemblyAI';

const word = z
  .object({ text, start: milliseconds, end: milliseconds, confidence, speaker: speakerLabel })
  .refine(endsAfterStart);
const utterance = z
  .object({ text, start: milliseconds, end: milliseconds, confidence, speaker: speakerLabel, words: readableOf(word) })
  .refine(endsAfterStart);

const job = z.object({
  id: identifier,
  status: z.enum(['queued', 'processing', 'completed', 'error']),
  error: z.string().nullish(),
});
const finished = z.object({
  language_code: languageCode,
  audio_duration: z.number().nonnegative().nullish(),
  words: mostlyReadableOf(word).nullish(),
  utterances: mostlyReadableOf(utterance).nullish(),
});
const listing = z.object({ transcripts: readableOf(z.object({ id: identifier, audio_url: z.string().nullish() })) });

/** AssemblyAI's asynchronous API. A job is identified by the address of its upload. */
export function createAssemblyai(access: ProviderAccess): BatchProvider {
  const client = createProviderClient(name, access, { authorization: access.apiKey ?? '' });
  return {
    findsJobs: true,
    reportsEnd: true,
    upload: async ({ bytes }) => {
      const body = { contentType: 'application/octet-stream', bytes };
      const response = z.object({ upload_url: identifier });
      return (await client.request({ method: 'POST', path: '/v2/upload', body, response })).upload_url;
    },
    submit: async ({ upload, callbackUrl, speakers }) => {
      const { customParams } = access;
      const body = jsonBody({
        speaker_labels: speakers === 'several',
        ...(customParams['language_code'] === undefined ? { language_detection: true } : {}),
        ...customParams,
        audio_url: upload,
        ...(callbackUrl === null ? {} : { webhook_url: callbackUrl }),
      });
      const { id } = await client.request({ method: 'POST', path: '/v2/transcript', body, response: job });
      return { kind: 'job', jobId: id };
    },
    find: async ({ upload }) => {
      if (upload === null) return null;
      const query = { limit: '100' };
      const { transcripts } = await client.request({ path: '/v2/transcript', query, response: listing });
      return transcripts.find(({ audio_url }) => audio_url === upload)?.id ?? null;
    },
    read: async (jobId) =>
      stateOf(await client.request({ path: `/v2/transcript/${encodeURIComponent(jobId)}`, response: z.unknown() })),
    readCallback: () => null,
    // Deleting the transcript deletes the uploaded audio with it.
    remove: async ({ jobId }) => {
      if (jobId !== null) await client.remove(`/v2/transcript/${encodeURIComponent(jobId)}`);
    },
  };
}

function stateOf(raw: unknown): JobState {
  const { status, error } = readDocument(name, raw, job);
  if (status === 'error') throw failedJob(name, error);
  return status === 'completed' ? { kind: 'transcript', transcript: transcriptOf(raw) } : { kind: 'processing' };
}

function transcriptOf(raw: unknown): Transcript {
  const read = readDocument(name, raw, finished);
  const language = read.language_code;
  const utterances = read.utterances?.map((one) => spoken(one, language)) ?? fromWords(read.words ?? [], language);
  const durationMs = read.audio_duration === null || read.audio_duration === undefined ? null : read.audio_duration;
  return {
    durationMs: durationMs === null ? null : Math.round(durationMs * 1_000),
    billedMs: null,
    languages: languagesOf(utterances),
    utterances,
    raw,
  };
}

function spoken(one: z.output<typeof utterance>, language: string | null): TranscriptUtterance {
  const { start, end, words, ...rest } = one;
  return { ...rest, startMs: start, endMs: end, language, channel: 0, words: words.map(plainWord) };
}

function fromWords(words: readonly z.output<typeof word>[], language: string | null): TranscriptUtterance[] {
  return utterancesOf(words.map((one) => ({ ...plainWord(one), speaker: one.speaker, language, channel: 0 })));
}

function plainWord({ text: said, start, end, confidence: sure }: z.output<typeof word>) {
  return { text: said, startMs: start, endMs: end, confidence: sure };
}
