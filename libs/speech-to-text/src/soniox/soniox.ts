import { z } from 'zod';
import type { BatchProvider, ProviderAccess } from '../batch-provider.ts';
import { failedJob } from '../provider-reason.ts';
import { createProviderClient, formBody, jsonBody, readDocument } from '../provider-http.ts';
import {
  documentWith,
  identifier,
  milliseconds,
  mostlyReadableOf,
  orNull,
  readableOf,
  text,
} from '../provider-shapes.ts';
import { utterancesOfText } from '../interpolate-words.ts';
import { languagesOf, utterancesOf } from '../transcript.ts';
import type { Transcript } from '../transcript.ts';
import { sonioxToken, sonioxWords } from './soniox-words.ts';

const name = 'Soniox';

const job = z.object({
  id: identifier,
  status: z.string(),
  error_type: orNull(text),
  error_message: orNull(text),
  audio_duration_ms: orNull(milliseconds),
});
const listing = z.object({
  transcriptions: readableOf(z.object({ id: identifier, client_reference_id: orNull(z.string()) })),
});
const fileListing = z.object({ files: readableOf(z.object({ id: identifier, filename: orNull(z.string()) })) });
const document = documentWith(['text', 'tokens'], { text: orNull(text), tokens: mostlyReadableOf(sonioxToken) });
const created = z.object({ id: identifier });

/** Soniox' asynchronous API. Files and transcriptions are stored there until they are deleted. */
export function createSoniox(access: ProviderAccess): BatchProvider {
  const client = createProviderClient(name, access, { authorization: `Bearer ${access.apiKey ?? ''}` });
  const pathOf = (jobId: string): string => `/v1/transcriptions/${encodeURIComponent(jobId)}`;
  return {
    findsJobs: true,
    reportsEnd: true,
    upload: async (audio) => {
      const body = await formBody({}, { field: 'file', audio });
      return (await client.request({ method: 'POST', path: '/v1/files', body, response: created })).id;
    },
    submit: async ({ reference, upload, callbackUrl, speakers }) => {
      const body = jsonBody({
        enable_speaker_diarization: speakers === 'several',
        enable_language_identification: true,
        ...access.customParams,
        file_id: upload,
        client_reference_id: reference,
        ...(callbackUrl === null ? {} : { webhook_url: callbackUrl }),
      });
      const { id } = await client.request({ method: 'POST', path: '/v1/transcriptions', body, response: created });
      return { kind: 'job', jobId: id };
    },
    find: async ({ reference }) => {
      const query = { limit: '1000' };
      const { transcriptions } = await client.request({ path: '/v1/transcriptions', query, response: listing });
      return transcriptions.find((one) => one.client_reference_id === reference)?.id ?? null;
    },
    read: async (jobId) => {
      const { status, error_type, error_message, audio_duration_ms } = await client.request({
        path: pathOf(jobId),
        response: job,
      });
      if (status === 'error' || status === 'failed') throw failedJob(name, error_message ?? error_type);
      if (status !== 'completed') return { kind: 'processing' };
      const raw = await client.request({ path: `${pathOf(jobId)}/transcript`, response: z.unknown() });
      return { kind: 'transcript', transcript: transcriptOf(raw, audio_duration_ms) };
    },
    readCallback: () => null,
    remove: async ({ jobId, upload, reference }) => {
      if (jobId !== null) await client.remove(pathOf(jobId));
      // An upload whose response was lost is identified by its name only.
      const { files } = await client.request({ path: '/v1/files', query: { limit: '1000' }, response: fileListing });
      const named = files.filter(({ filename }) => filename?.startsWith(reference) === true).map(({ id }) => id);
      for (const id of new Set([...named, ...(upload === null ? [] : [upload])])) {
        await client.remove(`/v1/files/${encodeURIComponent(id)}`);
      }
    },
  };
}

function transcriptOf(raw: unknown, durationMs: number | null): Transcript {
  const { text: whole, tokens } = readDocument(name, raw, document);
  const utterances = tokens.length > 0 ? utterancesOf(sonioxWords(tokens)) : utterancesOfText(whole ?? '', durationMs);
  return { durationMs, billedMs: null, languages: languagesOf(utterances), utterances, raw };
}
