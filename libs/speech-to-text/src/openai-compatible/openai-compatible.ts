import { z } from 'zod';
import type { BatchProvider, ProviderAccess } from '../batch-provider.ts';
import { SpeechToTextFailure } from '../failure.ts';
import { interpolateWords, utterancesOfText } from '../interpolate-words.ts';
import { createProviderClient, formBody, readDocument, refusal } from '../provider-http.ts';
import type { ProviderClient } from '../provider-http.ts';
import { failedJob, reasonIn, statedKind } from '../provider-reason.ts';
import {
  confidence,
  documentWith,
  languageCode,
  orNull,
  seconds,
  speakerLabel,
  text,
  timedOf,
} from '../provider-shapes.ts';
import { languagesOf, textOfWords } from '../transcript.ts';
import type { Transcript, TranscriptUtterance, TranscriptWord } from '../transcript.ts';

const longestWaitMs = 3_600_000;

/** Some servers put the words into their segments. */
const words = timedOf({ word: text, probability: confidence }, seconds);
const number = orNull(z.number());
const segments = timedOf({ text, speaker: speakerLabel, words, no_speech_prob: number, avg_logprob: number }, seconds);
const document = documentWith(['text', 'segments', 'words'], {
  text: orNull(text),
  language: languageCode,
  duration: orNull(seconds),
  words: words.catch([]),
  segments: segments.catch([]),
});
const reportedError = z.object({ error: z.union([z.string(), z.looseObject({})]) });

/** `POST /v1/audio/transcriptions` as OpenAI and many local servers offer it. It is synchronous and has no jobs. */
export function createOpenaiCompatible(access: ProviderAccess, name = 'The OpenAI-compatible server'): BatchProvider {
  const client = createOpenaiClient(name, access);
  return {
    findsJobs: false,
    reportsEnd: false,
    upload: async () => null,
    submit: async ({ audio, reference }) => {
      const given = formFields(access.customParams);
      const send = async (form: Readonly<Record<string, string | readonly string[]>>) =>
        await client.request({
          method: 'POST',
          path: '/v1/audio/transcriptions',
          headers: { 'idempotency-key': reference },
          body: await formBody({ ...given, ...form }, { field: 'file', audio }),
          response: z.unknown(),
          timeoutMs: longestWaitMs,
        });
      const raw = await send(withTimes).catch((error: unknown) => {
        if (!refusesTimes(error)) throw error;
        return send({ response_format: 'json' });
      });
      return { kind: 'transcript', jobId: null, transcript: transcriptOf(name, raw) };
    },
    find: async () => null,
    read: async () => ({ kind: 'processing' }),
    readCallback: () => null,
    remove: async () => undefined,
  };
}

/** A list is a repeated field. */
function formFields(given: Readonly<Record<string, unknown>>): Record<string, string | string[]> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) =>
      Array.isArray(value) ? [key.replace(/(\[\])?$/, '[]'), value.map(text)] : [key, text(value)],
    ),
  );
}

const withTimes = { response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'] };

/** Some models give a text without times, and refuse the form that has them. */
function refusesTimes(error: unknown): boolean {
  return (
    error instanceof SpeechToTextFailure &&
    error.kind === 'rejected' &&
    /response_format|verbose_json|timestamp_granularities/.test(error.message)
  );
}

/** Requests to such a server, with its key where it has one. */
export function createOpenaiClient(name: string, access: ProviderAccess): ProviderClient {
  return createProviderClient(name, access, access.apiKey === null ? {} : { authorization: `Bearer ${access.apiKey}` });
}

function transcriptOf(name: string, raw: unknown): Transcript {
  if (reportedError.safeParse(raw).success) {
    const body = Buffer.from(JSON.stringify(raw));
    const isTemporary = statedKind(body.toString()) === 'temporary';
    throw isTemporary ? refusal(name, { status: 200, headers: {}, body }) : failedJob(name, reasonIn(body));
  }
  const { text: whole, language, duration, ...read } = readDocument(name, raw, document);
  const isTimed = read.segments.some(({ interpolated }) => interpolated !== true);
  const inSegments = read.segments.flatMap((segment) => segment.words);
  const spoken = read.words.length > 0 ? read.words : inSegments;
  const said = whole ?? textOfWords(read.segments.map((segment) => ({ text: segment.text.trim() })));
  const utterances = isTimed
    ? read.segments.flatMap((span, index) => {
        if (isSilence(span)) return [];
        const nextStart = read.segments[index + 1]?.start ?? Infinity;
        const from = index === 0 ? 0 : span.start;
        const own = spoken.filter(({ start }) => start >= from && start < nextStart);
        return [utteranceOf(span, own, language)];
      })
    : utterancesOfText(said, duration ?? read.words.at(-1)?.end ?? null, language);
  return { durationMs: duration, billedMs: null, languages: languagesOf(utterances), utterances, raw };
}

/** Whisper's own thresholds detect a phrase that the model invents where there is no speech. */
function isSilence({ no_speech_prob: noSpeech, avg_logprob: certainty }: z.output<typeof segments>[number]): boolean {
  return noSpeech !== null && noSpeech > 0.6 && certainty !== null && certainty < -1;
}

function utteranceOf(
  { text: said, start: startMs, end: endMs, speaker }: z.output<typeof segments>[number],
  own: z.output<typeof words>,
  language: string | null,
): TranscriptUtterance {
  const measured = own.map(({ word, start, end, probability, ...one }): TranscriptWord => {
    return { ...one, text: word.trim(), startMs: start, endMs: end, confidence: probability };
  });
  return {
    text: said.trim(),
    startMs,
    endMs,
    confidence: null,
    language,
    channel: 0,
    speaker,
    words: measured.length > 0 ? measured : interpolateWords(said, { startMs, endMs }),
  };
}
