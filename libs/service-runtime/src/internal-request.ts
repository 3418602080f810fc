import { callerFailureOf, fail, Failure } from '@rapporteur/failures';
import type { z } from 'zod';
import type { InternalAuth } from './internal-auth.ts';

export interface RequestTarget {
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

export interface InternalRequest<T> {
  readonly path: string;
  readonly body: unknown;
  readonly reply: z.ZodType<T>;
  /** Default POST. */
  readonly method?: 'POST' | 'DELETE';
  readonly teamId?: string;
  /** Total time for the response; default 5 000. */
  readonly timeoutMs?: number;
}

const refusals: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/**
 * Throws UNAVAILABLE when the service does not respond, or not with the expected shape; where its refusals pass, these.
 */
export type SendRequest = <T>(internalRequest: InternalRequest<T>) => Promise<T>;

/** Sends requests to another service of the deployment. No error contains its response: it may be a secret. */
export function createRequestSender(target: RequestTarget): SendRequest {
  const { auth, service, baseUrl, unreachable, passesRefusals = false } = target;
  return async ({ path, body, reply, method = 'POST', teamId, timeoutMs = 5_000 }) => {
    try {
      const response = await auth.fetch(service, new URL(path, baseUrl).href, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
        ...(teamId === undefined ? {} : { teamId }),
      });
      if (!response.ok) {
        const refusal = passesRefusals && refusals.has(response.status) ? await refusalIn(response) : null;
        throw refusal ?? new Error(`${service} answered ${response.status} to ${path}.`);
      }
      const responseBody: unknown = await response.json().catch(() => {
        throw new Error(`What ${service} answered to ${path} did not arrive whole, or is not JSON.`);
      });
      const parsed = reply.safeParse(responseBody);
      if (parsed.success) return parsed.data;
      const places = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole');
      throw new Error(`${service} answered ${path} in an unknown shape: ${places.join(', ')}.`);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw fail('UNAVAILABLE', { ...(unreachable === undefined ? {} : { message: unreachable }), cause: error });
    }
  };
}

async function refusalIn(response: Response): Promise<Failure | null> {
  return callerFailureOf(await response.json().catch(() => null));
}
