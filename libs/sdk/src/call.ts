import { readResponse } from './responses.ts';
import type { CallOptions, OperationFacts } from './operation-types.ts';
import { RapporteurError } from './rapporteur-error.ts';
import { pauseBeforeRepeating } from './repetition.ts';
import type { Surroundings } from './surroundings.ts';

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
    return new RapporteurError('The call was given up by its own signal.', { code: 'SDK_ABORTED', cause: thrown });
  }
  if (timeout.aborted) {
    return new RapporteurError(`There was no answer within ${timeoutMs} ms.`, { code: 'SDK_TIMEOUT', cause: thrown });
  }
  return new RapporteurError('The service could not be reached. Check baseUrl and the network.', {
    code: 'SDK_NETWORK',
    cause: thrown,
  });
}
