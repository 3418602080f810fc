import { hash } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail, toEnvelope } from '@rapporteur/failures';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { keyedCalls } from '../forwarding/forwarding.ts';
import { acceptedOf } from '../contract/validator.ts';
import { keyOf } from '../keys/authentication.ts';
import type { Claim, ClaimOutcome, IdempotencyStore, KeptResponse, KeyedRequest } from './idempotency.store.ts';

/** How long a repeat waits for the first response: less than clients' timeouts. */
const waitForFirstMs = 10_000;
const pollIntervalMs = 500;
/** A claim lasts 20 s: three renewals may fail. */
const renewalIntervalMs = 5_000;
/** A call to an owner ends within 150 s. */
const renewalsAtMost = 30;
const header = 'idempotency-key';
const form = /^[\x20-\x7e]{1,255}$/;
/**
 * Error statuses whose cause may pass: tokens, a missing object, limits, duplicates, the state of a bot. A repeat executes the
 * request again.
 */
const passing = new Set([402, 404, 409, 429]);
/** Response headers that are replayed. */
const keptHeaders = ['location'] as const;

export interface IdempotencyDependencies {
  readonly store: IdempotencyStore;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * Makes a POST with the header Idempotency-Key safe to repeat for 24 h: the same request gets the first response again,
 * without what is shown once, and waits while the first is in progress; IDEMPOTENCY_IN_PROGRESS when that takes too long. IDEMPOTENCY_KEY_REUSED
 * for another request with that key. Responses with 5xx, 402, 404, 409 or 429 are not stored. After the response timeout the
 * caller gets UNAVAILABLE; the request continues under its claim, and its response is stored for the repeat. The claim
 * is renewed until then; it expires 20 s after the gateway died, or after an owner received the request and gave no
 * response. Must follow `contract.accept`; requests without the header are not affected.
 */
export function idempotent(
  { store, logger, clock }: IdempotencyDependencies,
  operation: PublicOperation,
): RequestHandler[] {
  if (operation.method !== 'post') return [];
  const name = `POST ${operation.path}`;
  return [
    async (request, response, next) => {
      const key = request.headers[header];
      if (key === undefined) return next();
      if (typeof key !== 'string' || !form.test(key)) {
        throw fail('VALIDATION', { message: `headers/${header} must be 1 to 255 printable ASCII characters` });
      }
      const { params, query, body } = acceptedOf(request);
      const outcome = await claimOrWait(store, clock, {
        teamId: keyOf(request).teamId,
        operation: name,
        keyHash: hash('sha256', key, 'buffer'),
        requestHash: hash('sha256', canonicalText({ params, query, body: body ?? null }), 'buffer'),
      });
      if (outcome.kind === 'in progress') throw fail('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
      if (outcome.kind === 'another request') throw fail('IDEMPOTENCY_KEY_REUSED');
      if (outcome.kind === 'answered') return replay(response, outcome.response);
      const { idempotencyId } = outcome.claim;
      const renewal = new AbortController();
      let isUnknown = false;
      const onUnknownOutcome = () => void (isUnknown = true);
      const end = async (reply: KeptResponse | null): Promise<void> => {
        renewal.abort();
        if (reply === null && isUnknown) return;
        await settle(store, outcome.claim, reply).catch(warn(logger, outcome.claim));
      };
      const onSlow = () => respondEarly(response, () => void end(null));
      keyedCalls.set(request, { idempotencyId, onSlow, onUnknownOutcome });
      void renewUntil(renewal.signal, { store, logger, clock }, outcome.claim);
      keepResponse(response, operation.shownOnce, end);
      next();
    },
  ];
}

async function claimOrWait(
  store: IdempotencyStore,
  clock: IdempotencyDependencies['clock'],
  request: KeyedRequest,
): Promise<ClaimOutcome> {
  for (let waitedMs = 0; ; waitedMs += pollIntervalMs) {
    const outcome = await store.claim(request);
    if (outcome.kind !== 'in progress' || waitedMs >= waitForFirstMs) return outcome;
    await clock.sleep(pollIntervalMs);
  }
}

async function renewUntil(
  signal: AbortSignal,
  { store, logger, clock }: IdempotencyDependencies,
  claim: Claim,
): Promise<void> {
  const { teamId, operation } = claim;
  for (let renewals = 0; renewals < renewalsAtMost; renewals += 1) {
    await clock.sleep(renewalIntervalMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    await store.renew(claim).catch((error: unknown) => {
      logger.warn({ err: error, teamId, operation }, 'A claim of an Idempotency-Key was not renewed.');
    });
  }
}

function replay(response: Response, { status, headers, body }: KeptResponse): void {
  response.set(headers).set('idempotency-replayed', 'true');
  response.status(status).type('application/json').send(body);
}

/** A later response of the handler reaches `keepResponse` only; a later error, which destroys the response, `onError`. */
function respondEarly(response: Response, onError: () => void): void {
  if (response.headersSent) return;
  const failure = fail('UNAVAILABLE');
  response.writeHead(failure.statusCode, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(toEnvelope(failure)));
  response.setHeader = () => response;
  response.destroy = () => {
    onError();
    return response;
  };
}

/** Sends a response after it is stored, so that an immediate repeat gets the same one but for what is shown once. */
function keepResponse(
  response: Response,
  shownOnce: string | null,
  keep: (reply: KeptResponse | null) => Promise<void>,
): void {
  const send = response.send.bind(response);
  response.send = (body?: unknown): Response => {
    response.send = send;
    const { statusCode: status } = response;
    const isKept = typeof body === 'string' && status < 500 && !passing.has(status);
    const kept = isKept ? { status, headers: headersOf(response), body: without(shownOnce, body) } : null;
    void keep(kept).then(() => {
      if (!response.writableEnded) send(body);
    });
    return response;
  };
}

/** The response with null as that member of its `data`; an error has none. */
function without(member: string | null, body: string): string {
  if (member === null) return body;
  const { data, ...rest } = JSON.parse(body) as { readonly data?: Readonly<Record<string, unknown>> };
  return data === undefined ? body : JSON.stringify({ ...rest, data: { ...data, [member]: null } });
}

function headersOf(response: Response): Record<string, string> {
  const given = keptHeaders.map((name) => [name, response.getHeader(name)] as const);
  return Object.fromEntries(given.filter((pair): pair is [(typeof pair)[0], string] => typeof pair[1] === 'string'));
}

function settle(store: IdempotencyStore, claim: Claim, reply: KeptResponse | null): Promise<void> {
  return reply === null ? store.release(claim) : store.keep(claim, reply);
}

function warn(logger: Logger, { teamId, operation }: Claim): (error: unknown) => void {
  return (error) =>
    logger.error(
      { err: error, teamId, operation },
      'A response could not be stored under its Idempotency-Key: the same request sent again may be carried out again.',
    );
}

/** The same string for equal JSON values, regardless of the sequence of members. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const sorted = Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1));
    // A null prototype, so that every member name is plain data.
    return Object.assign(Object.create(null) as object, Object.fromEntries(sorted));
  });
}
