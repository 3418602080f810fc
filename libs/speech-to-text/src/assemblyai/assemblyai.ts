import { z } from 'zod';
import type { BatchProvider, JobState, ProviderAccess } from '../batch-provider.ts';
import { failedJob } from '../provider-reason.ts';
import { createProviderClient, jsonBody, readDocument } from '../provider-http.ts';
import {
  confidence,
  documentWith,
  identifier,
  languageCode,
  milliseconds,
  orNull,
  readableOf,
  seconds,
  speakerLabel,
  text,
  timedOf,
} from '../provider-shapes.ts';
import { interpolateWords, utterancesOfText } from '../interpolate-words.ts';
import { languagesOf, utterancesOf } from '../transcript.ts';
import type { Transcript, TranscriptUtterance } from '../transcript.ts';

const name = 'AssemblyAI';

export const assemblyaiWords = timedOf({ text, confidence, speaker: speakerLabel }, milliseconds);
const utterances = timedOf({ text, confidence, speaker: speakerLabel, words: assemblyaiWords }, milliseconds);

/** A status that is not known is one on the way to the end. */
const job = z.object({ id: identifier, status: z.string(), error: orNull(text) });
const finished = documentWith(['text', 'words', 'utterances'], {
  language_code: languageCode,
  audio_duration: orNull(seconds),
  text: orNull(text),
  words: assemblyaiWords,
  utterances,
});
const listing = z.object({ transcripts: readableOf(z.object({ id: identifier, audio_url: z.string().nullish() })) });

/** AssemblyAI's asynchronous API. A job is identified by the address of its upload. */
export function createAssemblyai(access: ProviderAccess): BatchProvider {
  const client = createProviderClient(name, access, { authorization: access.apiKey ?? '' });
  return {
    findsJobs: true,
    reportsEnd: true,
    upload: async (audio) => {
      const body = { contentType: 'application/octet-stream', content: await audio.open() };
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
  const { language_code: language, audio_duration: durationMs } = read;
  const said =
    read.utterances.length > 0
      ? read.utterances.map((one) => spoken(one, language))
      : read.words.length > 0
        ? fromWords(read.words, language)
        : utterancesOfText(read.text ?? '', durationMs, language);
  return { durationMs, billedMs: null, languages: languagesOf(said), utterances: said, raw };
}

function spoken(one: z.output<typeof utterances>[number], language: string | null): TranscriptUtterance {
  const { start, end, words, interpolated: _interpolated, ...rest } = one;
  const span = { startMs: start, endMs: Math.max(end, ...words.map((word) => word.end)) };
  const own = words.length > 0 ? words.map(plainWord) : interpolateWords(rest.text, span);
  return { ...rest, ...span, language, channel: 0, words: own };
}

function fromWords(words: z.output<typeof assemblyaiWords>, language: string | null): TranscriptUtterance[] {
  return utterancesOf(words.map((one) => ({ ...plainWord(one), speaker: one.speaker, language, channel: 0 })));
}

function plainWord({ start, end, speaker: _speaker, ...word }: z.output<typeof assemblyaiWords>[number]) {
  return { ...word, startMs: start, endMs: end };
}
