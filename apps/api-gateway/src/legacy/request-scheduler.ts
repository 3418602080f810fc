import type { Request } from 'express';
import { z } from 'zod';
import { requestIdOf } from '@rapporteur/service-runtime';
import type { ForwardedOwner, Owners } from '../forwarding/owners.ts';
import { keyedCalls } from '../forwarding/forwarding.ts';
import { keyOf } from '../keys/authentication.ts';

/** A call of an owner's internal routes; `path` is the part below `/internal`, with its query. */
export interface SchedulerCall {
  /** Default: bot-scheduler. */
  readonly owner?: ForwardedOwner;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** Returns the body of a success. Throws OwnerRefusal for any other response, UNAVAILABLE when there is none. */
export type RequestScheduler = (call: SchedulerCall) => Promise<unknown>;

/** The owner refused the request; its response is meant for the caller. */
export class OwnerRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: unknown) {
    super(`The owner responded ${status}.`);
    this.name = 'OwnerRefusal';
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Sends calls on behalf of the request's team. */
export function requestSchedulerFor(owners: Owners, request: Request): RequestScheduler {
  const { teamId, permission, keyId } = keyOf(request);
  return async (call) => {
    const response = await owners.sendRequest({
      owner: 'bot-scheduler',
      ...call,
      teamId,
      permission,
      keyId,
      requestId: requestIdOf(request),
      keyed: call.method === 'POST' ? keyedCalls.get(request) : undefined,
    });
    const body: unknown = JSON.parse(response.text);
    if (response.status < 200 || response.status > 299) throw new OwnerRefusal(response.status, response.headers, body);
    return body;
  };
}

/** The `data` of a success, validated. Throws an INTERNAL error when the response has another shape. */
export function dataOf<T>(shape: z.ZodType<T>, body: unknown): T {
  return z.object({ data: shape }).parse(body).data;
}
