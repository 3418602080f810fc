import { z } from 'zod';
import type { BatchProvider, ProviderAccess } from '../batch-provider.ts';
import { failedJob } from '../provider-reason.ts';
import { createProviderClient, readDocument } from '../provider-http.ts';
import {
  confidence,
  identifier,
  languageCode,
  mostlyReadableOf,
  orNull,
  readableOf,
  seconds,
  speakerLabel,
  text,
  timedOf,
} from '../provider-shapes.ts';
import { utterancesOfText } from '../interpolate-words.ts';
import { languagesOf, utterancesOf } from '../transcript.ts';
import type { LabelledWord, Transcript } from '../transcript.ts';

const name = 'Deepgram';
const longestWaitMs = 900_000;

export const deepgramWords = timedOf(
  { word: text, punctuated_word: orNull(text), confidence, speaker: speakerLabel, language: languageCode },
  seconds,
);

const document = z.object({
  metadata: z.object({ request_id: orNull(identifier), duration: orNull(seconds) }),
  results: z.object({
    channels: mostlyReadableOf(
      z.object({
        detected_language: languageCode,
        alternatives: readableOf(z.object({ transcript: orNull(text), words: deepgramWords })),
      }),
    ),
  }),
});

const accepted = z.object({ request_id: identifier });

/**
 * Deepgram's pre-recorded API. It is synchronous: without a callback address a submission whose response is lost is
 * repeated.
 */
export function createDeepgram(access: ProviderAccess): BatchProvider {
  const client = createProviderClient(name, access, { authorization: `Token ${access.apiKey ?? ''}` });
  return {
    findsJobs: false,
    reportsEnd: true,
    upload: async () => null,
    submit: async ({ reference, audio, callbackUrl, speakers }) => {
      const query = queryOf(access.customParams, {
        diarize: String(speakers === 'several'),
        tag: reference,
        ...(callbackUrl === null ? {} : { callback: callbackUrl, callback_method: 'post' }),
      });
      const body = { contentType: audio.contentType, content: await audio.open() };
      const request = { method: 'POST', path: '/v1/listen', query, body, timeoutMs: longestWaitMs } as const;
      if (callbackUrl !== null) {
        return { kind: 'job', jobId: (await client.request({ ...request, response: accepted })).request_id };
      }
      const raw = await client.request({ ...request, response: z.unknown() });
      const jobId = readDocument(name, raw, document).metadata.request_id;
      return { kind: 'transcript', jobId, transcript: transcriptOf(raw) };
    },
    find: async () => null,
    // The result arrives by the callback only.
    read: async () => ({ kind: 'processing' }),
    readCallback: (body) => {
      const failed = z.object({ err_code: z.string(), err_msg: z.string().optional() }).safeParse(body);
      if (failed.success) {
        throw failedJob(name, failed.data.err_msg ?? failed.data.err_code);
      }
      return transcriptOf(body);
    },
    // Deepgram stores neither the audio nor the transcript.
    remove: async () => undefined,
  };
}

function queryOf(
  customParams: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const given = Object.fromEntries(
    Object.entries(customParams).map(([key, value]) => [key, [value].flat().map(String)]),
  );
  const language = given['language'] === undefined ? { detect_language: 'true' } : {};
  return {
    punctuate: 'true',
    smart_format: 'true',
    utterances: 'true',
    ...language,
    ...given,
    ...own,
  };
}

function transcriptOf(raw: unknown): Transcript {
  const { metadata, results } = readDocument(name, raw, document);
  const utterances = results.channels.flatMap(({ alternatives, detected_language }, channel) => {
    const [best] = alternatives;
    const words = (best?.words ?? []).map((word) => deepgramLabelled(word, channel, detected_language));
    if (words.length > 0) return utterancesOf(words);
    const said = utterancesOfText(best?.transcript ?? '', metadata.duration, detected_language);
    return said.map((one) => ({ ...one, channel }));
  });
  return { durationMs: metadata.duration, billedMs: null, languages: languagesOf(utterances), utterances, raw };
}

export function deepgramLabelled(
  { word, punctuated_word: punctuated, start, end, ...rest }: z.output<typeof deepgramWords>[number],
  channel: number,
  language: string | null,
): LabelledWord {
  const said = (punctuated ?? word).trim();
  return { ...rest, text: said, startMs: start, endMs: end, language: rest.language ?? language, channel };
}
