import type { Request, RequestHandler, Response } from 'express';
import type { OperationOwner, PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { requestIdOf } from '@rapporteur/service-runtime';
import type { Clock, InternalAuth } from '@rapporteur/service-runtime';
import { keyOf } from '../keys/authentication.ts';

export interface ForwardingParts {
  readonly auth: InternalAuth;
  readonly clock: Clock;
  /** Base address of every service that owns operations. */
  readonly owners: Readonly<Record<OperationOwner, string>>;
  /** Sends answers as parsed JSON, so that the contract validator sees them. */
  readonly parseAnswers: boolean;
}

/** After this long without an answer the owner is asked whether it lives at all. */
const silenceMs = 2_000;
const probeMs = 700;
/** A living owner gets this long for its whole answer. */
const answerMs = 15_000;

/** The headers of an owner's answer that are meant for the caller. */
const passedHeaders = ['retry-after', 'location'];

/**
 * Hands a validated request to the service that owns the operation, at `/internal` + the same path, with a signed token that
 * names team, permission and request; gives its answer back as it is. UNAVAILABLE within 3 s when the owner is not there.
 */
export function forward(parts: ForwardingParts, operation: PublicOperation): RequestHandler {
  return async (request, response) => {
    const answer = await ask(parts, operation, request);
    const text = await bodyOf(answer);
    // The gateway's own token was refused: a fault of the deployment, not of the caller.
    if (answer.status === 401) throw new Error(`${operation.owner} refused the gateway's token.`);
    for (const name of passedHeaders) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    send(response.status(answer.status), text, parts.parseAnswers);
  };
}

function send(response: Response, text: string, parsed: boolean): void {
  if (parsed) response.json(JSON.parse(text));
  else response.type('application/json').send(text);
}

async function ask(parts: ForwardingParts, operation: PublicOperation, request: Request): Promise<globalThis.Response> {
  const base = parts.owners[operation.owner];
  const { teamId, permission } = keyOf(request);
  const giveUp = new AbortController();
  const call = parts.auth.fetch(operation.owner, `${base}/internal${pathOf(operation, request)}${queryOf(request)}`, {
    method: request.method,
    ...(operation.takesBody
      ? { body: JSON.stringify(request.body), headers: { 'content-type': 'application/json' } }
      : {}),
    teamId,
    permission,
    requestId: requestIdOf(request),
    signal: giveUp.signal,
    timeoutMs: answerMs,
  });
  try {
    if ((await isSilent(call, parts.clock)) && !(await isAlive(base))) {
      giveUp.abort(new Error(`${operation.owner} does not answer.`));
    }
    return await call;
  } catch (error) {
    throw fail('UNAVAILABLE', { cause: error });
  }
}

async function isSilent(call: Promise<unknown>, clock: Clock): Promise<boolean> {
  const answered = new AbortController();
  const settled = call.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([
      settled,
      clock.sleep(silenceMs, answered.signal).then(
        () => true,
        () => false,
      ),
    ]);
  } finally {
    answered.abort();
  }
}

/** Slow is not gone: a busy owner keeps its request, a stopped one does not hold the caller up. */
async function isAlive(base: string): Promise<boolean> {
  try {
    const response = await fetch(`${base}/health/live`, { signal: AbortSignal.timeout(probeMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function bodyOf(answer: globalThis.Response): Promise<string> {
  const type = answer.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) {
    await answer.body?.cancel();
    throw new Error(`An owner answered ${answer.status} with ${type || 'no content type'}.`);
  }
  try {
    return await answer.text();
  } catch (error) {
    throw fail('UNAVAILABLE', { cause: error });
  }
}

type QueryValue = string | number | boolean;

/** Built from the document's path, so that nothing but a declared parameter gets into an internal address. */
function pathOf(operation: PublicOperation, request: Request): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(request.params[name])),
  );
}

function queryOf(request: Request): string {
  const query = new URLSearchParams();
  // After validation the values are texts, numbers and booleans, or lists of them.
  for (const [name, value] of Object.entries(request.query as Record<string, QueryValue | QueryValue[]>)) {
    for (const one of [value].flat()) query.append(name, String(one));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}
