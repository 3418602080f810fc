import type { CallOptions, OperationFacts } from './operation-types.ts';
import { RapporteurError } from './rapporteur-error.ts';
import type { Surroundings } from './surroundings.ts';

type Json = Record<string, unknown>;

/** The service's body is the same for every problem of a key. */
const keyProblems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    missing: 'The request had no API key.',
    malformed: 'This is no API key of a Rapporteur service, or not the whole key: one begins with rap_.',
    unknown: 'This deployment does not know the API key. Check the key, and the address of the deployment.',
    revoked: 'The API key is revoked. Use another one.',
    expired: 'The API key has expired. Use another one.',
    permission: 'The API key may only create bots (Sending Access). Use one with Full Access.',
  }),
);

const firstPauseMs = 250;
const longestPauseMs = 8_000;
/** Limit of a pause requested by the service: longer than our own, but not hours, as with a daily cap. */
const longestRequestedPauseMs = 60_000;

/** Responses that state that nothing was done: a retry is safe for every method. */
const untouched = new Set(['FST_ERR_TOO_MANY_REQUESTS']);
/** Temporary responses, and failures without a response: the first attempt may have succeeded. */
const passing = new Set([502, 503, 504]);
const unanswered = new Set(['SDK_NETWORK']);
/** An earlier attempt with the same Idempotency-Key is still in progress; a later retry gets its response. */
const stillInProgress = 'FST_ERR_IDEMPOTENCY_IN_PROGRESS';

export interface ClientOptions {
  /** The address of the deployment, for example `https://bots.example.com`. */
  readonly baseUrl: string;
  /** A team's key, `rap_…`. */
  readonly apiKey: string;
  /** Replaces the runtime's own. */
  readonly fetch?: typeof fetch;
  /** Deadline of each call, retries included. Default: 60 seconds. */
  readonly timeoutMs?: number;
  /** Maximum number of retries of a call that may be repeated. Default: 2; 0 disables retries. */
  readonly retries?: number;
}

export interface Caller {
  readonly options: Required<ClientOptions>;
  readonly surroundings: Surroundings;
}

type Values = Readonly<Record<string, unknown>>;

/** Calls one operation and returns its success body. Throws RapporteurError for everything else. */
export async function call(
  caller: Caller,
  facts: OperationFacts,
  input: Values,
  options: CallOptions = {},
): Promise<Values> {
  const { now, pause, random } = caller.surroundings;
  const timeoutMs = options.timeoutMs ?? caller.options.timeoutMs;
  const deadline = now() + timeoutMs;
  const limits: Limits = { timeout: AbortSignal.timeout(timeoutMs), timeoutMs, own: options.signal };
  const signal = untilDone(limits);
  const request = requestOf(caller, facts, input, options);
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(caller, request, signal);
    } catch (thrown) {
      const error = asRapporteurError(thrown, limits);
      const safe = facts.method === 'GET' || facts.keyed;
      const pauseMs =
        tries > caller.options.retries ? null : pauseBeforeRepeating(error, { tries, safe, random: random() });
      // A retry after the deadline would only hide this error.
      if (pauseMs === null || now() + pauseMs >= deadline) throw error;
      await pause(pauseMs, signal).catch((cause: unknown) => {
        throw asRapporteurError(cause, limits);
      });
    }
  }
}

interface Limits {
  readonly timeout: AbortSignal;
  readonly timeoutMs: number;
  /** The caller's. */
  readonly own: AbortSignal | undefined;
}

function untilDone({ timeout, own }: Limits): AbortSignal {
  return own === undefined ? timeout : AbortSignal.any([timeout, own]);
}

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

async function send({ options }: Caller, { url, init }: Sent, signal: AbortSignal): Promise<Values> {
  signal.throwIfAborted();
  return readResponse(await options.fetch(url, { ...init, signal }));
}

function requestOf({ options }: Caller, facts: OperationFacts, input: Values, given: CallOptions): Sent {
  const headers: Record<string, string> = { 'x-service-api-key': options.apiKey, accept: 'application/json' };
  const { body } = input;
  if (body !== undefined) headers['content-type'] = 'application/json';
  // One key for all attempts of this call, so that it has its effect once.
  if (facts.keyed) headers['idempotency-key'] = given.idempotencyKey ?? newKey();
  return {
    url: `${withoutEndingSlashes(options.baseUrl)}${pathOf(facts.path, input)}${queryOf(facts.query, input)}`,
    init: {
      method: facts.method,
      headers,
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  };
}

function withoutEndingSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

function pathOf(path: string, input: Values): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = input[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is missing: ${path} needs it.`);
    return encodeURIComponent(value);
  });
}

function queryOf(names: readonly string[], input: Values): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = input[name];
    if (value !== undefined && value !== null) query.set(name, String(value as string | number | boolean));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function asRapporteurError(thrown: unknown, { timeout, timeoutMs, own }: Limits): RapporteurError {
  if (thrown instanceof RapporteurError) return thrown;
  if (own?.aborted === true) {
    return new RapporteurError('The call was aborted by its signal.', { code: 'SDK_ABORTED', cause: thrown });
  }
  if (timeout.aborted) {
    return new RapporteurError(`The service did not respond within ${timeoutMs} ms.`, {
      code: 'SDK_TIMEOUT',
      cause: thrown,
    });
  }
  return new RapporteurError('The service could not be reached. Check baseUrl and the network.', {
    code: 'SDK_NETWORK',
    cause: thrown,
  });
}

/**
 * Delay before the next attempt, in milliseconds; null: no retry.
 * @param tries Number of attempts so far.
 * @param safe Whether sending it twice has the effect of sending it once: GET, or POST with an Idempotency-Key.
 * @param random From 0 to 1.
 */
function pauseBeforeRepeating(
  error: RapporteurError,
  { tries, safe, random }: { readonly tries: number; readonly safe: boolean; readonly random: number },
): number | null {
  const { code, statusCode, retryAfter } = error;
  const passes = unanswered.has(code) || code === stillInProgress || (statusCode !== null && passing.has(statusCode));
  if (!untouched.has(code) && !(safe && passes)) return null;
  const askedMs = (retryAfter ?? 0) * 1_000;
  if (askedMs > longestRequestedPauseMs) return null;
  const ownMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  return Math.max(askedMs, ownMs * (0.5 + random / 2));
}

/** Types of a transcript as text or subtitles. */
const textTypes = /^(text\/(plain|vtt)|application\/x-subrip)(;|$)/;

/** The body of a success, or the error of any other response. A text is its `data`. */
async function readResponse(response: Response): Promise<Json> {
  const text = await response.text();
  const isText = response.ok && textTypes.test(response.headers.get('content-type') ?? '');
  const body = isText ? { success: true, data: text } : parseObject(text);
  const facts = { statusCode: response.status, requestId: response.headers.get('x-request-id') };
  if (response.ok && body !== null && body['success'] === true) return body;
  if (body === null || typeof body['code'] !== 'string') {
    throw new RapporteurError(
      `The response (status ${response.status}) is not one of a Rapporteur service. Check baseUrl, and proxies in between.`,
      { ...facts, code: 'SDK_UNEXPECTED_RESPONSE' },
    );
  }
  const keyProblem = keyProblems.get(response.headers.get('x-service-key-problem') ?? '');
  throw new RapporteurError(keyProblem ?? textOf(body['message']) ?? textOf(body['error']) ?? body['code'], {
    ...facts,
    code: body['code'],
    details: textOf(body['details']),
    retryAfter: secondsOf(body['retryAfter'] ?? response.headers.get('retry-after')),
  });
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function secondsOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null;
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
