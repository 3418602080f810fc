import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** For hangs only: longer than the wait on a machine that is busy with other tests. */
const usualTimeoutMs = 120_000;
const pollMs = { first: 20, longest: 100, share: 1 / 20 };
const mostCharacters = 4_000;

export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  /** Returns the observed state; its tail is part of the message of a timeout. */
  readonly saw?: () => unknown;
}

/**
 * Polls `condition` until its result is truthy and returns it: every 20 ms, and in a long wait, which costs the CPU time of
 * each poll, after a twentieth of the time that has passed, at most every 100 ms. Throws after the timeout (120 s by default),
 * with what it waited for and the last result; an error thrown by `condition` counts as "not yet" and is part of the
 * message.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const { what, timeoutMs = usualTimeoutMs } = options;
  const startedAt = performance.now();
  let last: unknown;
  for (;;) {
    try {
      const result = await condition();
      if (result) return result as Exclude<T, false | null | undefined>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    const passedMs = performance.now() - startedAt;
    if (passedMs > timeoutMs)
      throw new Error(`Waited ${timeoutMs} ms for ${what}.${sawText(options, last)}`, { cause: last });
    await sleep(options.pollMs ?? Math.min(Math.max(pollMs.first, passedMs * pollMs.share), pollMs.longest));
  }
}

function sawText({ saw }: WaitOptions, last: unknown): string {
  const error = last === undefined ? '' : ` The last attempt failed: ${inspect(last, { depth: 0 })}`;
  if (saw === undefined) return error;
  const seen = saw();
  const text = typeof seen === 'string' ? seen : inspect(seen, { depth: 6, breakLength: 160 });
  return `${error} It saw: ${text.slice(-mostCharacters)}`;
}
