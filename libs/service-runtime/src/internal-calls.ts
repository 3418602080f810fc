import { Router } from 'express';
import type { Request } from 'express';
import { callerFailureOf, fail, Failure } from '@rapporteur/failures';
import type { z } from 'zod';
import { addToLog } from './http.ts';
import type { InternalAuth } from './internal-auth.ts';
import { jsonBody } from './json-body.ts';
import { readInput } from './read-input.ts';

/** A call between services: POST with a signed internal token and a JSON body. */
export interface InternalCall<Body extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly path: string;
  /** The services that may send it. */
  readonly callers: readonly string[];
  readonly body: Body;
  readonly reply: Reply;
  /** Default 16 KiB. */
  readonly bodyLimitBytes?: number;
  /** Total time for the response; default 5 000. */
  readonly timeoutMs?: number;
}

/**
 * The route of a call: admits its callers, and responds with what `handle` returns. A body that does not fit is
 * VALIDATION; its team and bot are in the log line.
 */
export function serveCall<Call extends InternalCall>(
  auth: InternalAuth,
  call: Call,
  handle: (body: z.output<Call['body']>, request: Request) => Promise<z.input<Call['reply']>>,
): Router {
  const { path, callers, bodyLimitBytes: limitBytes = 16_384 } = call;
  return Router().post(path, auth.require(callers), jsonBody({ limitBytes }), async (request, response) => {
    const body = readInput(call.body, request.body) as z.output<Call['body']>;
    const { teamId, botId } = body as { teamId?: string; botId?: string };
    addToLog(request, { ...(teamId === undefined ? {} : { teamId }), ...(botId === undefined ? {} : { botId }) });
    response.json(await handle(body, request));
  });
}

export interface CallTarget {
  readonly auth: InternalAuth;
  readonly service: string;
  readonly baseUrl: string;
  /** Message for the customer when it does not respond; default: the catalogue's sentence. */
  readonly unreachable?: string;
  /**
   * Its refusals (400, 404, 409, 422) are meant for the requester's caller: they are thrown as they are. Default:
   * false, the requester is at fault.
   */
  readonly passesRefusals?: boolean;
}

/** Throws UNAVAILABLE when the service does not respond, or not with the expected shape; refusals where these pass. */
type Sender<Call> =
  Call extends InternalCall<infer Body, infer Reply>
    ? (body: z.output<Body>, options?: { readonly timeoutMs?: number }) => Promise<z.output<Reply>>
    : never;
export type InternalClient<Calls> = { readonly [Name in keyof Calls]: Sender<Calls[Name]> };

/** A client for calls of one service. No error contains its response: it may be a secret. */
export function createClient<Calls extends Readonly<Record<string, InternalCall>>>(
  calls: Calls,
  target: CallTarget,
): InternalClient<Calls> {
  const senders = Object.entries(calls).map(([name, call]) => [name, senderOf(call, target)]);
  return Object.fromEntries(senders) as InternalClient<Calls>;
}

const refusals: ReadonlySet<number> = new Set([400, 404, 409, 422]);

function senderOf({ path, reply, timeoutMs: usualMs = 5_000 }: InternalCall, target: CallTarget): Sender<InternalCall> {
  const { auth, service, baseUrl, unreachable, passesRefusals = false } = target;
  return async (body, { timeoutMs = usualMs } = {}) => {
    try {
      const response = await auth.fetch(service, new URL(path, baseUrl).href, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
      });
      if (!response.ok) {
        const refusal = passesRefusals && refusals.has(response.status) ? await refusalIn(response) : null;
        throw refusal ?? new Error(`${service} responded with ${response.status} to ${path}.`);
      }
      const responseBody: unknown = await response.json().catch(() => {
        throw new Error(`The response of ${service} to ${path} is incomplete, or is not JSON.`);
      });
      const parsed = reply.safeParse(responseBody);
      if (parsed.success) return parsed.data;
      const places = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole');
      throw new Error(`${service} responded to ${path} in an unknown shape: ${places.join(', ')}.`);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw fail('UNAVAILABLE', { ...(unreachable === undefined ? {} : { message: unreachable }), cause: error });
    }
  };
}

async function refusalIn(response: Response): Promise<Failure | null> {
  return callerFailureOf(await response.json().catch(() => null));
}
