import type { Request } from 'express';
import type { KeyedCall } from './owners.ts';

/** Call options of requests that carry an Idempotency-Key. */
export const keyedCalls = new WeakMap<Request, KeyedCall>();
