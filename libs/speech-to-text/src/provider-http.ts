import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { readRetryAfter } from '@rapporteur/async';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { StreamedBody } from '@rapporteur/outbound-http';
import type { z } from 'zod';
import type { ProviderAccess, SpeechAudio } from './batch-provider.ts';
import { SpeechToTextFailure } from './failure.ts';
import type { SpeechToTextFailureKind } from './failure.ts';
import { parseBoundedJson } from './json-text.ts';
import { reasonIn, statedKind } from './provider-reason.ts';

export interface ProviderRequest<T> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** A list is a repeated parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly response: z.ZodType<T>;
  readonly timeoutMs?: number;
}

export interface RequestBody {
  readonly contentType: string;
  /** A stream is destroyed with the request. */
  readonly content: Buffer | StreamedBody;
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
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    const search = new URLSearchParams(pairs).toString();
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
        ...(body === undefined ? {} : { body: body.content }),
        timeoutMs: request.timeoutMs ?? (body !== undefined && body.content.byteLength > 100_000 ? longMs : shortMs),
        maxResponseBytes: largestResponseBytes,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      const stream = body !== undefined && 'stream' in body.content ? body.content.stream : null;
      // The audio could not be read: no failure of the provider.
      if (stream?.errored != null) throw stream.errored;
      stream?.destroy();
      throw unreachable(name, error);
    }
  };
  return {
    request: async (request) => {
      const { status, headers, bodyPrefix } = await send(request);
      if (status < 200 || status > 299) throw refusal(name, { status, headers, body: bodyPrefix });
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
  return { contentType: 'application/json', content: Buffer.from(JSON.stringify(value)) };
}

/** A multipart form with one file, which is sent while it is read. */
export async function formBody(
  fields: Readonly<Record<string, string | readonly string[]>>,
  { field, audio }: { readonly field: string; readonly audio: SpeechAudio },
): Promise<RequestBody> {
  const boundary = randomUUID();
  const part = (disposition: string, rest: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${rest}`;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one) => part(`name="${quotable(name)}"`, `\r\n${one}\r\n`)),
  );
  const file = `name="${quotable(field)}"; filename="${quotable(audio.fileName)}"`;
  const head = Buffer.from([...texts, part(file, `content-type: ${audio.contentType}\r\n\r\n`)].join(''));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { byteLength, stream } = await audio.open();
  const framed = async function* (): AsyncGenerator<Buffer> {
    yield head;
    yield* stream;
    yield tail;
  };
  stream.on('error', () => undefined);
  const whole = Readable.from(framed()).on('close', () => stream.destroy());
  const content = { byteLength: head.byteLength + byteLength + tail.byteLength, stream: whole };
  return { contentType: `multipart/form-data; boundary=${boundary}`, content };
}

/** As browsers write names in a form. */
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
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
  const kind = error instanceof OutboundFailure ? error.kind : 'address-refused';
  const why = error instanceof OutboundFailure ? ` ${error.message}` : '';
  return new SpeechToTextFailure(
    kind === 'address-refused' ? 'rejected' : 'temporary',
    `${name} could not be reached.${why}`,
    // Nothing was sent where no connection was opened.
    { cause: error, refused: kind === 'connect' || kind === 'dns' || kind === 'tls' },
  );
}

const kindOfStatus: Readonly<Record<number, SpeechToTextFailureKind>> = {
  401: 'credentials',
  402: 'credentials',
  403: 'credentials',
  404: 'lost',
  408: 'temporary',
  409: 'temporary',
  410: 'lost',
  413: 'too-large',
  423: 'temporary',
  425: 'temporary',
  429: 'temporary',
};
/** Temporary, and the server did nothing. */
const notBegun = new Set([408, 423, 425, 429, 503]);

const statedBytes = 4_000;

interface Refusal {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body?: Buffer;
}

export function refusal(name: string, { status, headers, body }: Refusal): SpeechToTextFailure {
  const reason = body === undefined ? '' : reasonIn(body);
  // The codes of an error are beside its message.
  const stated = body === undefined ? null : statedKind(body.toString('utf8', 0, statedBytes));
  const kind = stated ?? kindOfStatus[status] ?? (status >= 500 || status < 400 ? 'temporary' : 'rejected');
  const said = `(HTTP status ${status})${reason === '' ? '.' : `: ${reason}`}`;
  const hasNoCredit = status === 402 || (stated === 'credentials' && status !== 401);
  if (hasNoCredit)
    return new SpeechToTextFailure(kind, `${name} has no credit for this key ${said}`, { refused: true });
  if (kind === 'credentials')
    return new SpeechToTextFailure(kind, `${name} refused the key ${said}`, { refused: true });
  if (kind === 'lost') {
    return new SpeechToTextFailure(kind, `${name} does not know this transcription (HTTP status ${status}).`);
  }
  if (kind === 'no-speech') return new SpeechToTextFailure(kind, `${name} found no speech.`);
  const message = `${name} responded with HTTP status ${status}${reason === '' ? '.' : `: ${reason}`}`;
  if (kind !== 'temporary') return new SpeechToTextFailure(kind, message, { refused: true });
  return new SpeechToTextFailure(kind, message, {
    retryAfterMs: retryAfterOf(headers),
    refused: notBegun.has(status) || stated === 'temporary',
  });
}

const longestRetryAfterMs = 600_000;

function retryAfterOf(headers: IncomingHttpHeaders): number | null {
  const ms = readRetryAfter(headers['retry-after'], Date.now());
  return ms === null || ms <= 0 ? null : Math.min(longestRetryAfterMs, ms);
}
