import type { Request } from 'express';
import type { KeyedCall } from './owners.ts';

/** How owners are called for requests that carry an Idempotency-Key. */
export const keyedCalls = new WeakMap<Request, KeyedCall>();
