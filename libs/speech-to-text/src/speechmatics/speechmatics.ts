import { z } from 'zod';
import type { BatchProvider, ProviderAccess } from '../batch-provider.ts';
import { SpeechToTextFailure } from '../failure.ts';
import { failedJob } from '../provider-reason.ts';
import { createProviderClient, formBody, readDocument } from '../provider-http.ts';
import { identifier, mostlyReadableOf, orNull, readableOf, seconds, text } from '../provider-shapes.ts';
import { languagesOf, utterancesOf } from '../transcript.ts';
import type { Transcript } from '../transcript.ts';
import { speechmaticsResult, speechmaticsWords } from './speechmatics-words.ts';

const name = 'Speechmatics';

const job = z.object({
  job: z.object({
    status: z.string(),
    errors: readableOf(z.object({ message: text })),
  }),
});
const listing = z.object({
  jobs: readableOf(
    z.object({
      id: identifier,
      config: orNull(z.object({ tracking: orNull(z.object({ reference: orNull(z.string()) })) })),
    }),
  ),
});
const document = z.object({
  job: orNull(z.object({ duration: orNull(seconds) })),
  results: mostlyReadableOf(speechmaticsResult),
});

/** Speechmatics' batch API, version 2. */
export function createSpeechmatics(access: ProviderAccess): BatchProvider {
  const client = createProviderClient(name, access, { authorization: `Bearer ${access.apiKey ?? ''}` });
  const pathOf = (jobId: string): string => `/v2/jobs/${encodeURIComponent(jobId)}`;
  return {
    findsJobs: true,
    reportsEnd: true,
    upload: async () => null,
    submit: async ({ reference, audio, callbackUrl, speakers }) => {
      const { model, language, output_locale: locale } = access.customParams;
      // Melia detects languages by itself, and a locale needs its language.
      const detected = String(model).startsWith('melia') ? 'multi' : 'auto';
      const spoken = language ?? (typeof locale === 'string' ? locale.split('-')[0] : detected);
      const config = {
        type: 'transcription',
        transcription_config: {
          ...(speakers === 'several' ? { diarization: 'speaker' } : {}),
          ...access.customParams,
          language: spoken,
        },
        ...(spoken === 'auto'
          ? // A short file is otherwise rejected for a language that is not certain.
            { language_identification_config: { low_confidence_action: 'allow' } }
          : {}),
        tracking: { reference },
        ...(callbackUrl === null ? {} : { notification_config: [{ url: callbackUrl, contents: ['jobinfo'] }] }),
      };
      const body = await formBody({ config: JSON.stringify(config) }, { field: 'data_file', audio });
      const response = z.object({ id: identifier });
      const { id } = await client.request({ method: 'POST', path: '/v2/jobs', body, response });
      return { kind: 'job', jobId: id };
    },
    find: async ({ reference }) => {
      const { jobs } = await client.request({ path: '/v2/jobs', query: { limit: '100' }, response: listing });
      return jobs.find(({ config }) => config?.tracking?.reference === reference)?.id ?? null;
    },
    read: async (jobId) => {
      const { status, errors } = (await client.request({ path: pathOf(jobId), response: job })).job;
      if (status === 'rejected') throw failedJob(name, errors[0]?.message);
      if (status === 'deleted' || status === 'expired') {
        throw new SpeechToTextFailure('lost', `${name} does not know this transcription any more.`);
      }
      // A status that is not known is one on the way to the end.
      if (status !== 'done') return { kind: 'processing' };
      const query = { format: 'json-v2' };
      const raw = await client.request({ path: `${pathOf(jobId)}/transcript`, query, response: z.unknown() });
      return { kind: 'transcript', transcript: transcriptOf(raw) };
    },
    readCallback: () => null,
    remove: async ({ jobId }) => {
      if (jobId !== null) await client.remove(`${pathOf(jobId)}?force=true`);
    },
  };
}

function transcriptOf(raw: unknown): Transcript {
  const { job: facts, results } = readDocument(name, raw, document);
  const utterances = utterancesOf(speechmaticsWords(results));
  return {
    durationMs: facts?.duration ?? null,
    billedMs: null,
    languages: languagesOf(utterances),
    utterances,
    raw,
  };
}
