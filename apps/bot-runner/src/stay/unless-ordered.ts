import { withDeadline } from '@rapporteur/service-runtime/process';
import type { Attended, Orders } from '../attendance/attend.ts';
import { codeOf } from '../attendance/end-codes.ts';
import type { EndCause } from '../attendance/end-codes.ts';

export type Prepared<T> =
  | { readonly ready: true; readonly value: T }
  | { readonly ready: false; readonly attended: Attended };

/**
 * What is prepared before anybody attends, or the end that an order made of it first: a browser may hang, and the order is
 * obeyed all the same. @throws Error when the preparing fails or takes too long
 */
export async function unlessOrdered<T>(
  preparing: Promise<T>,
  orders: Orders,
  platform: 'meet' | 'teams' | 'zoom',
  deadlineMs: number,
): Promise<Prepared<T>> {
  const ordered = Promise.withResolvers<EndCause>();
  const heard = new AbortController();
  const heed = (order: AbortSignal, cause: () => EndCause): void => {
    if (order.aborted) ordered.resolve(cause());
    order.addEventListener('abort', () => ordered.resolve(cause()), { once: true, signal: heard.signal });
  };
  heed(orders.fence, () => ({ kind: 'fenced', why: String(orders.fence.reason) }));
  heed(orders.leave, () => ({ kind: 'leave-requested' }));
  heed(orders.drain, () => ({ kind: 'draining' }));
  const first = Promise.race([
    preparing.then((value) => ({ ready: true, value }) as const),
    ordered.promise.then((cause) => ({ ready: false, attended: endedBefore(cause, platform) }) as const),
  ]);
  try {
    return await withDeadline(first, deadlineMs, 'Preparing the browser');
  } finally {
    heard.abort();
  }
}

function endedBefore(cause: EndCause, platform: 'meet' | 'teams' | 'zoom'): Attended {
  const end = codeOf(cause, { platform, joined: false, putToWait: false, withLogin: false, recordedMs: 0 });
  return { end: { ...end, joinedAt: null, exitedAt: null, recorded: false }, fenced: cause.kind === 'fenced' };
}
