import type { MeetingPlatformName } from '@rapporteur/contracts';
import { withDeadline } from '@rapporteur/service-runtime/process';
import type { Attended, AttendanceSignals } from '../attendance/attend.ts';
import { codeOf } from '../attendance/end-codes.ts';
import type { EndCause } from '../attendance/end-codes.ts';

export type Prepared<T> =
  | { readonly ready: true; readonly value: T }
  | { readonly ready: false; readonly attended: Attended };

/**
 * Waits for the preparation, or for a signal that ends the attendance first: a browser that hangs does not delay the
 * signal.
 * @throws Error when the preparation fails or exceeds the deadline
 */
export async function prepareUnlessEnded<T>(
  preparing: Promise<T>,
  signals: AttendanceSignals,
  platform: MeetingPlatformName,
  deadlineMs: number,
): Promise<Prepared<T>> {
  const signalled = Promise.withResolvers<EndCause>();
  const ended = new AbortController();
  const listenTo = (requested: AbortSignal, cause: () => EndCause): void => {
    if (requested.aborted) signalled.resolve(cause());
    requested.addEventListener('abort', () => signalled.resolve(cause()), { once: true, signal: ended.signal });
  };
  listenTo(signals.fence, () => ({ kind: 'fenced', why: String(signals.fence.reason) }));
  listenTo(signals.leave, () => ({ kind: 'leave-requested' }));
  listenTo(signals.drain, () => ({ kind: 'draining' }));
  listenTo(signals.replaced, () => ({ kind: 'replaced' }));
  const first = Promise.race([
    preparing.then((value) => ({ ready: true, value }) as const),
    signalled.promise.then((cause) => ({ ready: false, attended: endedBefore(cause, platform) }) as const),
  ]);
  try {
    return await withDeadline(first, deadlineMs, 'Preparing the browser');
  } finally {
    ended.abort();
  }
}

function endedBefore(cause: EndCause, platform: MeetingPlatformName): Attended {
  const end = codeOf(cause, {
    platform,
    joined: false,
    putToWait: false,
    withLogin: false,
    stored: false,
    recordedMs: 0,
  });
  return {
    end: { ...end, joinedAt: null, exitedAt: null, recorded: false },
    fenced: cause.kind === 'fenced',
    replaced: cause.kind === 'replaced',
    pagePackUse: null,
    endRule: null,
    observed: null,
  };
}
