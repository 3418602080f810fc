import type { IncomingHttpHeaders } from 'node:http';
import { readRetryAfter } from '@rapporteur/async';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { z } from 'zod';
import type { ProviderAccess, SpeechAudio } from './batch-provider.ts';
import { SpeechToTextFailure } from './failure.ts';
import { parseBoundedJson } from './json-text.ts';
import { reasonIn, saysNoSpeech } from './provider-reason.ts';

export interface ProviderRequest<T> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly response: z.ZodType<T>;
  readonly timeoutMs?: number;
}

export interface RequestBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const shortMs = 30_000;
/** With audio: an upload at 1 Mbit/s of a long meeting, or a synchronous transcription. */
const longMs = 900_000;
const largestResponseBytes = 67_108_864;

export interface ProviderClient {
  request<T>(request: ProviderRequest<T>): Promise<T>;
  /** Success and "not there" are the same. */
  remove(path: string): Promise<void>;
}

/** Requests to one provider, in the failure classes of this library. */
export function createProviderClient(
  name: string,
  { http, baseUrl, signal }: Pick<ProviderAccess, 'http' | 'baseUrl' | 'signal'>,
  authorization: Readonly<Record<string, string>>,
): ProviderClient {
  const send = async (request: Omit<ProviderRequest<never>, 'response'>) => {
    const { method = 'GET', path, query = {}, headers = {}, body } = request;
    const search = new URLSearchParams(query).toString();
    try {
      return await http.request({
        url: `${baseUrl}${path}${search === '' ? '' : `?${search}`}`,
        method,
        // A submission that is sent twice is charged twice.
        once: method === 'POST',
        headers: {
          accept: 'application/json',
          ...authorization,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': body.contentType }),
        },
        ...(body === undefined ? {} : { body: body.bytes }),
        timeoutMs: request.timeoutMs ?? (body !== undefined && body.bytes.byteLength > 100_000 ? longMs : shortMs),
        maxResponseBytes: largestResponseBytes,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      throw unreachable(name, error);
    }
  };
  return {
    request: async (request) => {
      const { status, headers, bodyPrefix } = await send(request);
      if (status < 200 || status > 299) throw refusal(name, { status, headers, reason: reasonIn(bodyPrefix) });
      return readResponse(name, bodyPrefix, request.response);
    },
    remove: async (path) => {
      const { status, headers } = await send({ method: 'DELETE', path });
      if (status === 404 || status === 410 || (status >= 200 && status <= 299)) return;
      throw refusal(name, { status, headers });
    },
  };
}

export function jsonBody(value: unknown): RequestBody {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

/** A multipart form with one file. */
export async function formBody(
  fields: Readonly<Record<string, string | readonly string[]>>,
  file: { readonly field: string; readonly audio: SpeechAudio },
): Promise<RequestBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  const { bytes, contentType, fileName } = file.audio;
  form.append(file.field, new Blob([new Uint8Array(bytes)], { type: contentType }), fileName);
  const encoded = new Response(form);
  return {
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
    bytes: Buffer.from(await encoded.arrayBuffer()),
  };
}

export function readResponse<T>(name: string, bytes: Buffer, shape: z.ZodType<T>): T {
  try {
    return readDocument(name, parseBoundedJson(bytes), shape);
  } catch (error) {
    if (error instanceof SpeechToTextFailure) throw error;
    throw new SpeechToTextFailure('unreadable', `${name} sent a response that is not valid JSON.`, { cause: error });
  }
}

export function readDocument<T>(name: string, document: unknown, shape: z.ZodType<T>): T {
  const read = shape.safeParse(document);
  if (read.success) return read.data;
  const field = read.error.issues[0]?.path.join('.') || 'the whole document';
  throw new SpeechToTextFailure('unreadable', `${name} sent a response of an unknown form: ${field.slice(0, 200)}.`);
}

function unreachable(name: string, error: unknown): SpeechToTextFailure {
  if (error instanceof OutboundFailure && error.kind === 'too-large') {
    return new SpeechToTextFailure('unreadable', `${name} sent a response that is too large.`, { cause: error });
  }
  const isRefused = !(error instanceof OutboundFailure) || error.kind === 'address-refused';
  const why = error instanceof OutboundFailure ? ` ${error.message}` : '';
  return new SpeechToTextFailure(isRefused ? 'rejected' : 'temporary', `${name} could not be reached.${why}`, {
    cause: error,
  });
}

const credentialStatuses = new Set([401, 402, 403]);
const temporaryStatuses = new Set([408, 409, 423, 425, 429]);

export function refusal(
  name: string,
  {
    status,
    headers,
    reason = '',
  }: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly reason?: string },
): SpeechToTextFailure {
  if (credentialStatuses.has(status)) {
    const message = `${name} refused the key (HTTP status ${status})${reason === '' ? '.' : `: ${reason}`}`;
    return new SpeechToTextFailure('credentials', message, { refused: true });
  }
  if (status === 404 || status === 410) {
    return new SpeechToTextFailure('lost', `${name} does not know this transcription (HTTP status ${status}).`);
  }
  if (saysNoSpeech(reason)) return new SpeechToTextFailure('no-speech', `${name} found no speech.`);
  const message = `${name} responded with HTTP status ${status}${reason === '' ? '.' : `: ${reason}`}`;
  if (temporaryStatuses.has(status) || status >= 500 || status < 400) {
    return new SpeechToTextFailure('temporary', message, {
      retryAfterMs: retryAfterOf(headers),
      refused: status === 429,
    });
  }
  return new SpeechToTextFailure('rejected', message, { refused: true });
}

const longestRetryAfterMs = 600_000;

function retryAfterOf(headers: IncomingHttpHeaders): number | null {
  const ms = readRetryAfter(headers['retry-after'], Date.now());
  return ms === null || ms <= 0 ? null : Math.min(longestRetryAfterMs, ms);
}
